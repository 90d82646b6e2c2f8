import { interval, Observable, type SchedulerLike } from 'rxjs';
import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Deposit, Market, Outcome } from './contract.ts';
import { durationMs } from './duration.ts';

/** The next time that a cron expression names after `after`, in UTC; undefined when there is none. */
export type CronNext = (expression: string, after: Millis, timezone?: string) => Millis | undefined;

interface MarketStreams {
  readonly scheduler: SchedulerLike;
  readonly quotes: { readonly values$: Observable<Quote> };
  readonly outcomes: Observable<Outcome>;
  readonly deposits: Observable<Deposit>;
  readonly dataEnds: Observable<Millis>;
  readonly inputs: Readonly<Record<string, Observable<unknown>>>;
  /** Of each timer that was asked for, when it fires next after a time; for people. */
  readonly timers: Map<string, (after: Millis) => Millis | undefined>;
}

/** What a strategy's `signals` gets to listen to. `cronNext` is for `at`, which throws without it. */
export function marketFor({ runner, cronNext }: { readonly runner: MarketStreams; readonly cronNext: CronNext | undefined }): Market {
  const { scheduler, timers } = runner;
  return Object.freeze({
    quotes$: runner.quotes.values$,
    inputs: runner.inputs,
    every(duration: number | string): Observable<number> {
      const ms = durationMs(duration, 'every');
      if (ms < 1) throw new RangeError('every: a period is at least 1 ms');
      const from = scheduler.now();
      timers.set(`every ${ms}`, (after) => from + (Math.floor((after - from) / ms) + 1) * ms);
      return interval(ms, scheduler);
    },
    at(cron: string): Observable<Millis> {
      if (!cronNext) throw new Error(`at('${cron}'): cron times are not available here; use every()`);
      timers.set(`at ${cron}`, (after) => cronNext(cron, after));
      return cronTimes((after) => cronNext(cron, after), scheduler);
    },
    outcomes$: runner.outcomes,
    deposits$: runner.deposits,
    dataEnds$: runner.dataEnds,
  });
}

/** Emits each due time when the engine reaches it; completes when there is none any more. */
function cronTimes(next: (after: Millis) => Millis | undefined, scheduler: SchedulerLike): Observable<Millis> {
  return new Observable((subscriber) => {
    const first = next(scheduler.now());
    if (first === undefined) return subscriber.complete();
    subscriber.add(
      scheduler.schedule<Millis>(
        function (due) {
          const at = due ?? scheduler.now();
          subscriber.next(at);
          const following = next(at);
          if (following === undefined) subscriber.complete();
          else this.schedule(following, following - scheduler.now());
        },
        first - scheduler.now(),
        first,
      ),
    );
  });
}
