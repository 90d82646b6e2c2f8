import { firstAt } from '#domain/first-where.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { QuoteTape } from '#domain/quote-tape.ts';

/** States are polled with the first event after this time; the daemon makes sure that one comes. */
export const LOOK_MS = 5_000;

/** When the service's clock is looked at: first, and each so long after. */
export interface ClockReadings {
  readonly next: Millis;
  readonly everyMs: Millis;
}

/** What decides when a lane is stale. */
interface SilentLane {
  /** So long after its last quote the lane is stale. */
  readonly staleMs: Millis;
  /** When the quote before its first row came. */
  readonly receivedAt: Millis;
  /** True where that keeps a strategy from trading. */
  readonly isTraded: boolean;
}

/** Quotes of lanes, with looks at the service's clock between them. */
export interface SilentSpan {
  readonly tape: QuoteTape;
  /** The place of the first quote that is not looked at. */
  readonly end: number;
  readonly lanes: readonly SilentLane[];
  readonly readings: ClockReadings | undefined;
  /** Strategies that a stale lane keeps from trading. */
  readonly waiting: readonly { readonly id: StrategyId }[];
}

/** The first place of a span with a quote at or behind a time; its end where there is none. */
export function firstPlaceAt({ tape, end }: SilentSpan, time: Millis): number {
  let first = end;
  for (const [lane, { columns }] of tape.lanes.entries()) {
    const [from, to] = tape.rows(lane, first);
    const row = Math.max(from, firstAt(columns.at, time));
    if (row < to) first = tape.placeOf(lane, row);
  }
  return first;
}

/** No look at the clock comes. */
export const NO_READINGS: ClockReadings = { next: Number.POSITIVE_INFINITY, everyMs: 1 };

/** The first of the readings at or behind a time. */
export function firstReading({ next, everyMs }: ClockReadings, time: Millis): Millis {
  return next >= time ? next : next + Math.ceil((time - next) / everyMs) * everyMs;
}

/** The last look up to a time where the first is at one of the readings: between two of them is at least `LOOK_MS`. */
export function lastLook({ everyMs }: ClockReadings, first: Millis, upTo: Millis): Millis {
  const stepMs = Math.ceil(LOOK_MS / everyMs) * everyMs;
  return first + Math.floor((upTo - first) / stepMs) * stepMs;
}
