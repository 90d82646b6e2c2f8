import { firstWhere } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import { STRETCHES } from './course.ts';

/** The time that a chart shows. */
export interface ChartSpan {
  readonly from: Millis;
  readonly to: Millis;
}

interface MarkRule<T> {
  /** Marks that one could stand for: of the same stretch of time and kind, as a side of trading. */
  readonly kindOf: (mark: T) => string;
  /** The largest of a stretch and kind are kept; of equal ones the earliest. */
  readonly sizeOf?: (mark: T) => number;
  readonly most: number;
}

/**
 * All marks of a chart up to `most`, in order of time. Of more, as many are kept of each kind in each stretch of time as make `most`,
 * and at least one, so that no kind and no time is lost.
 */
export function keptMarks<T extends { readonly at: Millis }>(
  all: readonly T[],
  span: ChartSpan,
  { kindOf, sizeOf = () => 0, most }: MarkRule<T>,
): readonly T[] {
  const inTime = all.toSorted((a, b) => a.at - b.at);
  if (inTime.length <= most) return inTime;
  const cells = new Map<string, T[]>();
  for (const mark of inTime) {
    const key = `${stretchOf(mark.at, span)} ${kindOf(mark)}`;
    const cell = cells.get(key);
    if (cell) cell.push(mark);
    else cells.set(key, [mark]);
  }
  const each = most > cells.size ? eachOf([...cells.values()], most) : 1;
  const kept = [...cells.values()].flatMap((cell) => (cell.length <= each ? cell : largest(cell, sizeOf, each)));
  return kept.sort((a, b) => a.at - b.at);
}

/** The lowest and the highest value of each stretch of time, in order of time; all values where they are no more than that. */
export function keptValues(
  points: readonly (readonly [at: Millis, value: number])[],
  span: ChartSpan,
): readonly (readonly [at: Millis, value: number])[] {
  if (points.length <= 2 * STRETCHES) return points;
  const found = new Map<number, { low: number; high: number }>();
  for (const [n, [at, value]] of points.entries()) {
    const stretch = stretchOf(at, span);
    const known = found.get(stretch);
    if (!known) found.set(stretch, { low: n, high: n });
    else if (value < (points[known.low]?.[1] ?? value)) known.low = n;
    else if (value > (points[known.high]?.[1] ?? value)) known.high = n;
  }
  const kept = new Set([...found.values()].flatMap(({ low, high }) => [low, high]));
  return points.filter((_, n) => kept.has(n));
}

/** How many of each cell make at most `most` together. */
function eachOf(cells: readonly (readonly unknown[])[], most: number): number {
  const together = (each: number): number => cells.reduce((sum, { length }) => sum + Math.min(length, each), 0);
  return firstWhere(2, most + 1, (each) => together(each) > most) - 1;
}

const largest = <T>(cell: readonly T[], sizeOf: (mark: T) => number, each: number): readonly T[] =>
  cell.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, each);

const stretchOf = (at: Millis, { from, to }: ChartSpan): number =>
  Math.max(0, Math.min(STRETCHES - 1, Math.floor(((at - from) / Math.max(1, to - from)) * STRETCHES)));
