import {
  distinctUntilChanged,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type OperatorFunction,
  of,
  type SchedulerLike,
  switchMap,
  timer,
} from 'rxjs';
import type { Quote } from '../domain/quote.ts';
import type { Market } from './market.ts';

/** Lets pass the quotes that became their lane's latest; the market counts the others by reason. Time is the scheduler's. */
export function screened(market: Market, scheduler: SchedulerLike): MonoTypeOperatorFunction<Quote> {
  return filter((quote) => market.accept(quote, scheduler.now()) === null);
}

/** How well quotes come: at their pace, missing by now, or gone. */
export type Pulse = 'live' | 'late' | 'stale';

export interface PulseLimits {
  /** Silence after which quotes count as missing: three of them, at two a second. */
  readonly lateMs: number;
  /** Silence after which the lane is stale. */
  readonly staleMs: number;
}

/**
 * Follows one lane's quotes for whoever watches: `live` at a quote, `late` and `stale` when silence has lasted that long.
 * Emits changes only. A new quote makes a new silence, so the flattening operator is `switchMap`.
 */
export function pulse({ lateMs, staleMs }: PulseLimits, scheduler: SchedulerLike): OperatorFunction<Quote, Pulse> {
  const after = (ms: number, state: Pulse) => timer(ms, scheduler).pipe(map(() => state));
  return (quotes$) =>
    quotes$.pipe(
      switchMap(() => merge(of<Pulse>('live'), after(lateMs, 'late'), after(staleMs, 'stale'))),
      distinctUntilChanged(),
    );
}
