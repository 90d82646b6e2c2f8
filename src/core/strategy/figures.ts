/** Figures that differ by less than this share of their size are equal: two averages of one price differ by rounding. */
export const EQUAL_WITHIN = 1e-12;

/** The sign of first minus second: 1, 0 or -1; NaN where one is no number. */
export function sideOf(left: number, right: number): number {
  const difference = left - right;
  if (Math.abs(difference) <= EQUAL_WITHIN * Math.max(Math.abs(left), Math.abs(right))) return 0;
  return Math.sign(difference);
}
