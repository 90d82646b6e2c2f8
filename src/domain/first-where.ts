/**
 * The first whole number from `from` on for which something holds that holds for all after it, found by halving; `to` where it holds for
 * none before that.
 */
export function firstWhere(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first of rising numbers, such as times, that is not below another. */
export const firstAt = (rising: ArrayLike<number>, least: number): number =>
  firstWhere(0, rising.length, (place) => (rising[place] ?? 0) >= least);
