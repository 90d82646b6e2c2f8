import type { UTCTimestamp } from 'lightweight-charts';
import type { ChartBar } from '#server/page/history-view.ts';
import type { Slot } from './slots.ts';

/** Decimal places that distinguish a price from its neighbours. */
export const placesFor = (price: number): number => (price >= 1000 ? 2 : price >= 10 ? 3 : 5);

const stamp = (at: number): UTCTimestamp => (at / 1000) as UTCTimestamp;
export const candleOf = ({ at, bar }: Slot) =>
  bar === null ? { time: stamp(at) } : { time: stamp(at), open: bar.open, high: bar.high, low: bar.low, close: bar.close };
export const pointOf = ({ at, close }: ChartBar) => ({ time: stamp(at), value: close });

/** The labels of an axis of prices; empty for one that is nearer to a price which is marked there than `near`: it would lie half under that. */
export const axisLabels = (
  prices: readonly number[],
  { marked, near, text }: { readonly marked: readonly number[]; readonly near: number; readonly text: (price: number) => string },
): string[] => prices.map((price) => (marked.some((one) => Math.abs(one - price) < near) ? '' : text(price)));

/** The index of a time among the places of a chart. Before and after them it is extrapolated. */
export function indexOf(slots: readonly Slot[], time: number, stepMs: number): number {
  const first = slots[0]?.at ?? 0;
  const last = slots.at(-1)?.at ?? 0;
  if (time <= first) return (time - first) / stepMs;
  if (time >= last) return slots.length - 1 + (time - last) / stepMs;
  return slots.findIndex(({ at }) => at >= time);
}

/** The time of an index among the places of a chart; the inverse of `indexOf`. */
export function timeAt(slots: readonly Slot[], index: number, stepMs: number): number {
  const first = slots[0]?.at ?? 0;
  const last = slots.at(-1)?.at ?? 0;
  if (index < 0) return first + index * stepMs;
  if (index > slots.length - 1) return last + (index - slots.length + 1) * stepMs;
  return slots[Math.round(index)]?.at ?? last;
}
