/** The name under which a decision keeps what `signals` returned, beside the values that were observed. */
const OWN = 'signal';

/**
 * Values of one strategy by name, as a chart shows them: what `signals` returned is left out where an observed value is the same throughout,
 * as it is with `observe` as the last operator.
 */
export function withoutRepeat<P>(
  series: ReadonlyMap<string, readonly P[]>,
  isSame: (one: P, other: P) => boolean,
): ReadonlyMap<string, readonly P[]> {
  const own = series.get(OWN);
  if (!own) return series;
  const repeats = ([name, points]: readonly [string, readonly P[]]): boolean =>
    name !== OWN && points.length === own.length && points.every((point, n) => isSame(point, own[n] ?? point));
  return [...series].some(repeats) ? new Map([...series].filter(([name]) => name !== OWN)) : series;
}
