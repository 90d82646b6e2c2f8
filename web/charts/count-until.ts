/** How many of some rising numbers, such as times, are not above another, found by halving; `of` is the number at a place. */
export function countUntil(length: number, of: (place: number) => number, most: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
