/** Room for half of the line at the rims. */
const RIM = 2;

/** The line of a course that begins at nothing, as points of a polyline in a box, and where nothing lies in it. */
export function sparkline(
  course: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): { readonly points: string; readonly zero: number } {
  const values = [0, ...course];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number): number => RIM + ((high - value) / (high - low || 1)) * (height - 2 * RIM);
  const x = (n: number): number => RIM + (n / Math.max(1, course.length)) * (width - 2 * RIM);
  return { points: values.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(' '), zero: Math.round(y(0) * 10) / 10 };
}
