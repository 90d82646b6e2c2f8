import type { ChartBar } from '#server/page/history-view.ts';

/** A place on the axis of prices: a bar, or none where nothing was quoted for longer than usual. */
export interface Slot {
  readonly at: number;
  readonly bar: ChartBar | null;
}

/** Distances of neighbours that are usual, as a share of all. */
const USUAL_SHARE = 0.9;
/** Usual distances beyond which there is a hole between two bars. */
const MOST = 3;
/** Bars of a chart that have as much room as one hole. */
const PER_HOLE = 1 / 150;
/** The most room of all holes together, as a share of the bars, unless each has one place alone. */
const ALL_HOLES = 0.1;

/**
 * Bars with an empty place or a few wherever none were quoted for more than three times the usual distance. A hole is narrow, however long it
 * was: a market that closes each night fills the chart with what was quoted.
 */
export function slotsOf(bars: readonly ChartBar[], stepMs: number): readonly Slot[] {
  const distances = bars.slice(1).map(({ at }, n) => at - (bars[n]?.at ?? at));
  const usual = distances.toSorted((a, b) => a - b)[Math.floor((distances.length - 1) * USUAL_SHARE)] ?? 0;
  const holes = distances.filter((one) => one > MOST * usual).length;
  const room = Math.max(1, Math.floor(Math.min(bars.length * PER_HOLE, (bars.length * ALL_HOLES) / Math.max(1, holes))));
  return bars.flatMap((bar, n): Slot[] => {
    const distance = distances[n] ?? 0;
    if (distance <= MOST * usual) return [{ at: bar.at, bar }];
    const empty = Math.round(distance / stepMs) - 1;
    const count = Math.min(room, empty);
    // The last of several ends where the next bar begins.
    const placeOf = (one: number): number => 1 + Math.round((one * (empty - 1)) / Math.max(1, count - 1));
    return [{ at: bar.at, bar }, ...Array.from({ length: count }, (_, one) => ({ at: bar.at + placeOf(one) * stepMs, bar: null }))];
  });
}
