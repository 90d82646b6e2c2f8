/** A stretch of time, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Width of a bar at which a candle can be seen, in pixels. Above it, shorter bars are loaded. */
const BAR_PX = 6;
/** Share of the visible time that is loaded in addition on each side. */
const BESIDE = 1;
/** Share of the visible time beside it below which more is loaded. */
const MIN_BESIDE = 0.15;
/** Ratio of visible bars to fitting ones from which others are loaded. */
const TOO_MANY = 2.2;
const TOO_FEW = 0.4;

/** The longest time for which the daemon answers. */
const MAX_MS = 30 * 86_400_000;

/** Bars shorter than this, in milliseconds, are drawn as a line: candles of few quotes are not useful. */
export const MIN_CANDLE_MS = 5_000;
/** With fewer candles than this a line shows more. */
const MIN_CANDLES = 30;

/** Number of bars that fit into a width. */
export const barsFor = (widthPx: number): number => Math.max(40, Math.round(widthPx / BAR_PX / 20) * 20);

/** Number of bars to show of a time: as many as fit, unless a wide chart would lose its candles by that. */
export function barsOf({ from, to }: TimeWindow, fitting: number): number {
  const candles = Math.floor((to - from) / MIN_CANDLE_MS);
  return candles < MIN_CANDLES ? fitting : Math.min(fitting, candles);
}

/** The time to load: the visible time with both sides, without the future. */
export function windowAround(seen: TimeWindow, nowMs: number): TimeWindow {
  const span = Math.min(seen.to - seen.from, MAX_MS);
  const beside = Math.min(span * BESIDE, (MAX_MS - span) / 2);
  return { from: seen.to - span - beside, to: Math.min(seen.to + beside, nowMs) };
}

/** True if the loaded bars still serve the visible time: they cover it and have a suitable length. */
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
