import { map, type Observable, type OperatorFunction, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { durationMs } from '#core/strategy/duration.ts';
import * as time from '#core/strategy/engine-time.ts';

/** Runs marbles with the test's scheduler as the engine's. */
function onMarbles(run: (helpers: Parameters<Parameters<TestScheduler['run']>[0]>[0]) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run((helpers) => {
    const before = swapAmbient({ scheduler, observed: { set: () => undefined } });
    try {
      run(helpers);
      helpers.flush();
    } finally {
      swapAmbient(before);
    }
  });
}

const values = { a: 'a', b: 'b', c: 'c' };

describe('time operators run on engine time: both sides of each boundary', () => {
  test.each<[string, OperatorFunction<string, string>, string, string]>([
    ['debounceTime: silence long enough', time.debounceTime(3), 'a---b---|', '---a---b|'],
    ['debounceTime: one millisecond short', time.debounceTime(3), 'ab------|', '----b---|'],
    ['debounceTime: one millisecond more', time.debounceTime('3ms'), 'a-b---c---|', '-----b---c|'],
    ['throttleTime: closed for the span', time.throttleTime(3), 'a-bc----|', 'a-------|'],
    ['throttleTime: open after it', time.throttleTime(3), 'a---b---|', 'a---b---|'],
    ['throttleTime: trailing', time.throttleTime(3, { leading: false, trailing: true }), 'ab------|', '---b----|'],
    ['auditTime: the newest at the end', time.auditTime(3), 'ab------|', '---b----|'],
    ['auditTime: a value at the end begins anew', time.auditTime(3), 'a---b---|', '---a---b|'],
    ['sampleTime: the newest every period', time.sampleTime(3), 'ab--c---|', '---b--c-|'],
    ['delay: each later', time.delay(3), 'ab------|', '---ab---|'],
    ['timeout: a value in time', time.timeout(3), 'a--b--|  ', 'a--b--|'],
    ['timeout: a millisecond late', time.timeout(3), 'a---b---|', 'a--#'],
  ])('%s', (name, operator, given, expected) => {
    onMarbles(({ hot, expectObservable }) => {
      const failure = name.startsWith('timeout') ? expect.objectContaining({ name: 'TimeoutError' }) : undefined;
      expectObservable(hot<string>(given.trim(), values).pipe(operator)).toBe(expected, values, failure);
    });
  });

  test('timeout goes over to another stream where one is given', () => {
    onMarbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot<string>('a------', values).pipe(time.timeout('3ms', cold('c|', values)))).toBe('a--c|', values);
    });
  });

  test('bufferTime and windowTime collect what came within each span', () => {
    onMarbles(({ hot, expectObservable }) => {
      const joined = map((parts: string[]) => parts.join(''));
      expectObservable(hot<string>('ab--c---|', values).pipe(time.bufferTime(3), joined)).toBe('---x--y-(z|)', { x: 'ab', y: 'c', z: '' });
      expectObservable(hot<string>('ab--c---|', values).pipe(time.bufferTime(9, 2), joined)).toBe('-x------(y|)', { x: 'ab', y: 'c' });
      const windows = hot<string>('a---b--|', values).pipe(
        time.windowTime(3),
        map(() => 'w'),
      );
      expectObservable(windows).toBe('w--w--w|');
    });
  });

  test('interval and timer count engine time', () => {
    onMarbles(({ expectObservable }) => {
      expectObservable(time.interval(3), '^------!').toBe('---a--b', { a: 0, b: 1 });
      expectObservable(time.timer(2)).toBe('--(a|)', { a: 0 });
      expectObservable(time.timer('2ms', 3), '^------!').toBe('--a--b', { a: 0, b: 1 });
    });
  });

  test('timestamp and timeInterval read engine time', () => {
    onMarbles(({ hot, expectObservable }) => {
      const stamped = hot<string>('--a--b', values).pipe(
        time.timestamp(),
        map(({ timestamp }) => timestamp),
      );
      expectObservable(stamped).toBe('--a--b', { a: 2, b: 5 });
      const apart = hot<string>('--a---b', values).pipe(
        time.timeInterval(),
        map(({ interval }) => interval),
      );
      expectObservable(apart).toBe('--a---b', { a: 2, b: 4 });
    });
  });
});

test('outside an event each fails with OUTSIDE_EVENT instead of following the machine', () => {
  const streams: Observable<unknown>[] = [time.interval(1), time.timer(1), of(1).pipe(time.delay(1)), of(1).pipe(time.timestamp())];
  for (const stream of streams) {
    const errors: unknown[] = [];
    stream.subscribe({ error: (error) => errors.push(error) });
    expect(errors).toEqual([expect.objectContaining({ reason: 'OUTSIDE_EVENT' })]);
  }
});

describe('durations', () => {
  test.each([
    [250, 250],
    ['500ms', 500],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
  ])('%s is %s ms', (given, ms) => expect(durationMs(given, 'every')).toBe(ms));

  test.each(['', '5', 's', '-1s', '1w', '1 s', Number.NaN, -1, Number.POSITIVE_INFINITY])(
    'B05: %s is refused with what would be right',
    (given) => {
      expect(() => durationMs(given, 'every')).toThrow("every: a duration is milliseconds or text like '500ms'");
    },
  );
});
