import * as rx from 'rxjs';
import { ambient } from './ambient.ts';
import { type Duration, durationMs } from './duration.ts';

/**
 * rxjs's operators of time, bound to engine time: live they follow the clock, in a backtest the recording. Each binds when
 * it is subscribed, to the strategy that is running then; outside an event it fails with OUTSIDE_EVENT. Durations are
 * milliseconds or text (`'30s'`).
 */
function onEngineTime<In, Out>(
  what: string,
  bind: (source: rx.Observable<In>, scheduler: rx.SchedulerLike) => rx.Observable<Out>,
): rx.OperatorFunction<In, Out> {
  return (source) => rx.defer(() => bind(source, ambient(what).scheduler));
}

/** Emits the newest value after a silence of `silence`. */
export function debounceTime<T>(silence: Duration): rx.MonoTypeOperatorFunction<T> {
  const ms = durationMs(silence, 'debounceTime');
  return onEngineTime('debounceTime', (source, scheduler) => source.pipe(rx.debounceTime(ms, scheduler)));
}

/** Emits a value, then none for `span`; `{ leading, trailing }` as in rxjs. */
export function throttleTime<T>(span: Duration, config?: rx.ThrottleConfig): rx.MonoTypeOperatorFunction<T> {
  const ms = durationMs(span, 'throttleTime');
  return onEngineTime('throttleTime', (source, scheduler) => source.pipe(rx.throttleTime(ms, scheduler, config)));
}

/** Emits the newest value at the end of each `span` that a value begins. */
export function auditTime<T>(span: Duration): rx.MonoTypeOperatorFunction<T> {
  const ms = durationMs(span, 'auditTime');
  return onEngineTime('auditTime', (source, scheduler) => source.pipe(rx.auditTime(ms, scheduler)));
}

/** Emits the newest value every `period`, where there is a new one. */
export function sampleTime<T>(period: Duration): rx.MonoTypeOperatorFunction<T> {
  const ms = durationMs(period, 'sampleTime');
  return onEngineTime('sampleTime', (source, scheduler) => source.pipe(rx.sampleTime(ms, scheduler)));
}

/** Emits every value `by` later. */
export function delay<T>(by: Duration): rx.MonoTypeOperatorFunction<T> {
  const ms = durationMs(by, 'delay');
  return onEngineTime('delay', (source, scheduler) => source.pipe(rx.delay(ms, scheduler)));
}

/** Collects values and emits them as an array every `span`, or when `most` are there. */
export function bufferTime<T>(span: Duration, most = Number.POSITIVE_INFINITY): rx.OperatorFunction<T, T[]> {
  const ms = durationMs(span, 'bufferTime');
  return onEngineTime('bufferTime', (source, scheduler) => source.pipe(rx.bufferTime(ms, null, most, scheduler)));
}

/** As `bufferTime`, with a stream for each span. */
export function windowTime<T>(span: Duration): rx.OperatorFunction<T, rx.Observable<T>> {
  const ms = durationMs(span, 'windowTime');
  return onEngineTime('windowTime', (source, scheduler) => source.pipe(rx.windowTime(ms, scheduler)));
}

/** Goes over to `instead` when no value comes for `silence`; without it, ends with rxjs's TimeoutError. */
export function timeout<T, U = never>(silence: Duration, instead?: rx.Observable<U>): rx.OperatorFunction<T, T | U> {
  const each = durationMs(silence, 'timeout');
  return onEngineTime<T, T | U>('timeout', (source, scheduler) =>
    instead ? source.pipe(rx.timeout({ each, scheduler, with: () => instead })) : source.pipe(rx.timeout({ each, scheduler })),
  );
}

/** Adds to each value the engine time at which it passed. */
export function timestamp<T>(): rx.OperatorFunction<T, rx.Timestamp<T>> {
  return onEngineTime('timestamp', (source, scheduler) => source.pipe(rx.timestamp(scheduler)));
}

/** Adds to each value the milliseconds since the one before it. */
export function timeInterval<T>(): rx.OperatorFunction<T, { readonly value: T; readonly interval: number }> {
  return onEngineTime('timeInterval', (source, scheduler) => source.pipe(rx.timeInterval(scheduler)));
}

/** Counts 0, 1, 2, ... every `period`. */
export function interval(period: Duration): rx.Observable<number> {
  const ms = durationMs(period, 'interval');
  return rx.defer(() => rx.interval(ms, ambient('interval').scheduler));
}

/** Emits 0 after `due`, and then counts on every `period` where one is given. */
export function timer(due: Duration, period?: Duration): rx.Observable<number> {
  const ms = durationMs(due, 'timer');
  const every = period === undefined ? undefined : durationMs(period, 'timer');
  return rx.defer(() => {
    const { scheduler } = ambient('timer');
    return every === undefined ? rx.timer(ms, scheduler) : rx.timer(ms, every, scheduler);
  });
}
