/** A stretch of time, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** A bar is so wide that a candle can be seen; more pixels than this and it is worth asking for shorter bars. */
const BAR_PX = 6;
/** So much beside what is in sight is asked for with it, on each side, as a share of it. */
const BESIDE = 1;
/** Less than this share of what is in sight being left beside it, more is asked for. */
const MIN_BESIDE = 0.15;
/** The bars in sight may be so many times more or fewer than fit before others are asked for. */
const TOO_MANY = 2.2;
const TOO_FEW = 0.4;

/** The daemon answers for no longer time. */
const MAX_MS = 30 * 86_400_000;

/** How many bars fit into a width. */
export const barsFor = (widthPx: number): number => Math.max(40, Math.round(widthPx / BAR_PX / 20) * 20);

/** What is asked for, so that a person finds something to both sides of what is in sight; nothing of the time to come. */
export function windowAround(seen: TimeWindow, nowMs: number): TimeWindow {
  const span = Math.min(seen.to - seen.from, MAX_MS);
  const beside = Math.min(span * BESIDE, (MAX_MS - span) / 2);
  return { from: seen.to - span - beside, to: Math.min(seen.to + beside, nowMs) };
}

/** Whether what was loaded still serves what is in sight: it reaches beyond it, and its bars are as long as they should be. */
export function serves(
  loaded: TimeWindow & { readonly stepMs: number },
  seen: TimeWindow,
  { nowMs, bars }: { nowMs: number; bars: number },
): boolean {
  const span = seen.to - seen.from;
  const margin = span * MIN_BESIDE;
  if (seen.from - margin < loaded.from) return false;
  if (Math.min(seen.to + margin, nowMs - loaded.stepMs) > loaded.to && loaded.to < nowMs - span) return false;
  const count = span / loaded.stepMs;
  return count <= bars * TOO_MANY && (count >= bars * TOO_FEW || loaded.stepMs <= 1_000);
}
