/** Results by several figures, of which each is the better the higher it is. */
type Scores = readonly number[];

/** True where the first is at least as good by every figure, and better by one. */
const dominates = (a: Scores, b: Scores): boolean => a.every((one, k) => one >= (b[k] ?? 0)) && a.some((one, k) => one > (b[k] ?? 0));

/**
 * The fronts of results, by their places: nobody in the first is dominated, nobody in the second but by the first, and so on (Deb et al. 2002,
 * "A fast and elitist multiobjective genetic algorithm: NSGA-II").
 */
export function frontsOf(scores: readonly Scores[]): readonly (readonly number[])[] {
  const dominated = scores.map((one) => scores.flatMap((other, n) => (dominates(one, other) ? [n] : [])));
  const over = scores.map(() => 0);
  for (const places of dominated) for (const n of places) over[n] = (over[n] ?? 0) + 1;
  const fronts: number[][] = [];
  let front = over.flatMap((count, n) => (count === 0 ? [n] : []));
  while (front.length > 0) {
    fronts.push(front);
    const next = new Set<number>();
    for (const place of front) {
      for (const n of dominated[place] ?? []) {
        over[n] = (over[n] ?? 0) - 1;
        if (over[n] === 0) next.add(n);
      }
    }
    front = [...next].sort((a, b) => a - b);
  }
  return fronts;
}

/** How much room a result has to its neighbours on its front; endless for the best by a figure. */
export function crowding(scores: readonly Scores[]): readonly number[] {
  const room = scores.map(() => 0);
  for (let k = 0; k < (scores[0]?.length ?? 0); k += 1) {
    const of = (n: number | undefined): number => (n === undefined ? 0 : (scores[n]?.[k] ?? 0));
    const order = scores.map((_, n) => n).sort((a, b) => of(a) - of(b) || a - b);
    const finite = order.map(of).filter(Number.isFinite);
    const width = Math.max(...finite) - Math.min(...finite);
    for (const [place, n] of order.entries()) {
      const isEnd = place === 0 || place === order.length - 1;
      const gap = isEnd ? Number.POSITIVE_INFINITY : (of(order[place + 1]) - of(order[place - 1])) / width;
      room[n] = (room[n] ?? 0) + (Number.isNaN(gap) ? 0 : gap);
    }
  }
  return room;
}
