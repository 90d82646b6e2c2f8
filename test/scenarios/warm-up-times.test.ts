import { map, merge, withLatestFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { eventOf, eventText } from '#adapters/recording/log-format.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { sealLog } from '#adapters/recording/seal.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { recordedPast, warmUpFeed } from '#assembly/warm-ups.ts';
import { basic, buy, candles, interval, lane, type MarkedStrategy, mid, observe, strategy, twap, zscore } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { InboxEvent, NumberedEvent } from '#domain/event.ts';
import { laneFor, shownInput } from '#domain/lane.ts';
import { type Millis, runId, strategyId } from '#domain/names.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import { newFolder } from '../support/folder.ts';
import { BTC, btcLane, quote } from '../support/market-data.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const hedgeLane = laneFor(BTC, { base: decimalOf('0.02') });
const shown = shownInput(BTC, 'BASIC');
const inputs = {
  hedge: { kind: 'lane', product: BTC, source: hedgeLane.id },
  price: { kind: 'basic', product: BTC, source: shown.id },
} as const;
const declared = { hedge: lane(), price: basic() };

const newRig = rigsOfTests({ lanes: [btcLane, hedgeLane] });

/** What a run keeps of its inbox. */
class Kept implements InboxLog {
  readonly events: NumberedEvent[] = [];
  append(event: NumberedEvent): void {
    this.events.push(event);
  }
  conflated(): void {}
  flush(): void {}
}

type Bound = Partial<typeof inputs>;

interface Run {
  readonly definition: MarkedStrategy;
  readonly bound: Bound;
  readonly startAt: Millis;
  readonly log?: InboxLog;
}

function rig({ definition, bound, startAt, log }: Run): Rig {
  return newRig({
    strategies: { s: definition },
    inputs: bound,
    startAt,
    ...(log && { log }),
  });
}

/** The n-th half second: the main lane, 100 ms later the hedge, and the plain price now and then. */
function eventsOf(n: number): readonly (readonly [after: Millis, event: InboxEvent])[] {
  const price = 60_000 + 40 * Math.sin(n / 3) + (n % 7);
  const at = START + n * 500;
  const event = (on: typeof btcLane, size: number, buyAt: number): InboxEvent => ({
    kind: 'quote',
    quote: quote({ buy: buyAt, size, lane: on.id, validUntil: at + 3000 }),
  });
  const plain = { product: BTC, baseCcy: null, quoteCcy: null, price, time: null };
  return [
    [0, event(btcLane, 0.01, price)],
    [100, event(hedgeLane, 0.02, 60_000 + 30 * Math.cos(n / 5))],
    ...(n % 4 === 0 ? ([[200, { kind: 'shown', source: shown.id, shown: plain }]] as const) : []),
  ];
}

function play(to: Rig, from: number, until: number): void {
  for (let n = from; n < until; n += 1) {
    for (const [after, event] of eventsOf(n)) {
      to.moveBy(START + n * 500 + after - to.clock.now());
      to.give(event);
    }
  }
}

/** Records the first half seconds as a run that was given them. */
function recorded(until: number, { sealed = true, leave = [] as readonly string[] } = {}): string {
  const dir = newFolder();
  const log = RunLog.create({ dir, run: runId('a'), book: 'paper' });
  let number = 0;
  for (let n = 0; n < until; n += 1) {
    for (const [after, event] of eventsOf(n)) {
      number += 1;
      const source = event.kind === 'quote' ? event.quote.lane : event.kind === 'shown' ? event.source : '';
      if (!leave.includes(source)) log.append({ n: number, at: START + n * 500 + after, event });
    }
  }
  log.close();
  if (sealed) sealLog(log.path);
  return dir;
}

const loadedOf = (definition: MarkedStrategy, bound: Bound): LoadedStrategy => ({
  strategy: {
    id: strategyId('s'),
    definition,
    lane: btcLane.id,
    product: btcLane.product,
    amount: btcLane.amount,
    inputs: bound,
    params: {},
    seed: '',
    budget: null,
    exits: null,
    windows: null,
    enabled: true,
  },
  sourceHash: '',
});

const RESTART = 180;
const END = 240;
const [none, both] = [{}, inputs];

/** Runs on in one go, and again over a restart that is warmed up from the recording; what is named at the end, and both stories. */
function overRestart(definition: MarkedStrategy, bound: Bound, sealed: boolean) {
  const whole = rig({ definition, bound, startAt: START });
  play(whole, 0, END);
  const now = START + RESTART * 500;
  const feed = warmUpFeed([loadedOf(definition, bound)], {
    newest: recordedPast({ dir: recorded(RESTART, { sealed }), book: 'paper', now }),
    maxGapMs: 5000,
    now,
  });
  const log = new Kept();
  const warmed = rig({ definition, bound, startAt: now, log });
  if (feed) warmed.give({ kind: 'warmup', feed });
  const rightAway = warmed.engine.observed(strategyId('s'));
  play(warmed, RESTART, END);
  return {
    whole: whole.engine.observed(strategyId('s')),
    warmed: warmed.engine.observed(strategyId('s')),
    rightAway,
    feed,
    rig: warmed,
    log,
  };
}

const seen: unknown[] = [];
const candled = strategy({
  name: 'candled',
  warmup: () => ({ duration: '60s' }),
  signals: ({ quotes$ }) =>
    merge(
      quotes$.pipe(
        candles('10s'),
        map((candle) => JSON.stringify(candle)),
        observe('candle'),
      ),
      quotes$.pipe(twap('20s'), observe('twap')),
    ),
  decide: (signal, { now }) => {
    if (typeof signal === 'string') seen.push([now, signal]);
    return undefined;
  },
});
const paired = strategy({
  name: 'paired',
  inputs: declared,
  warmup: () => ({ quotes: 60 }),
  signals: ({ quotes$, inputs: { hedge, price } }) =>
    quotes$.pipe(
      mid(),
      withLatestFrom(hedge.pipe(mid()), price),
      map(([main, other]) => main / other),
      zscore(60),
      observe('z'),
    ),
  decide: (z, { position, amount }) => (z > 1 && position.isFlat ? buy(amount, 'dear') : undefined),
});

describe('signals are fed with the past at its own times', () => {
  test.each([true, false])('candles and time-weighted averages after a restart are those without it; sealed: %s', (sealed) => {
    seen.length = 0;
    const { whole, warmed, rightAway, feed } = overRestart(candled, none, sealed);
    expect(feed?.ranges).toMatchObject([{ lane: btcLane.id, quotes: 121, from: START + 29_500, gapMs: 500 }]);
    expect(rightAway.candle, 'candles of the past').toContain(`"at":${START + 70_000}`);
    expect(warmed.candle).toEqual(whole.candle);
    expect(warmed.twap).toBeCloseTo(Number(whole.twap), 9);
    const after = seen.splice(0).map((one) => JSON.stringify(one));
    const restartAt = START + RESTART * 500;
    const wholeRun = after.slice(0, -3);
    expect(after.slice(-3), 'decided on none of the past, and on the same candles from then on').toEqual(wholeRun.slice(-3));
    expect(after.slice(-3)[0]).toContain(`[${restartAt},`);
  });

  test.each([true, false])('a pair is warm with both lanes and the plain price; sealed: %s', (sealed) => {
    const { whole, warmed, rightAway, feed } = overRestart(paired, both, sealed);
    expect(feed?.ranges.map(({ lane }) => lane).sort()).toEqual([btcLane.id, hedgeLane.id, shown.id].sort());
    expect(rightAway.z).toBeTypeOf('number');
    expect(warmed.z).not.toBe(rightAway.z);
    expect(warmed.z).toBeCloseTo(Number(whole.z), 9);
  });

  test.each([
    ['the span that is asked for, before a silence that is bridged', '10s', true],
    ['less than that: the silence does not count, and the rest is waited for', '90s', false],
  ])('a duration: %s', (_, duration, isWarm) => {
    const decided: unknown[] = [];
    const timed = strategy({
      name: 'timed',
      warmup: () => ({ duration }),
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (signal) => {
        decided.push(signal);
        return undefined;
      },
    });
    const now = START + 40 * 500 + 120_000;
    const feed = warmUpFeed([loadedOf(timed, none)], {
      newest: recordedPast({ dir: recorded(40), book: 'paper', now }),
      maxGapMs: 200_000,
      now,
    });
    expect(feed?.ranges).toMatchObject([{ quotes: isWarm ? 21 : 40, gapMs: 120_500 }]);
    const r = rig({ definition: timed, bound: none, startAt: now });
    if (feed) r.give({ kind: 'warmup', feed });
    const wait = 'is recorded is not all of its warm-up: it waits for 1 min 11 s of 1 min 30 s';
    expect(r.notices.filter((text) => text.includes('waits for'))).toEqual(isWarm ? [] : [expect.stringContaining(wait)]);
    r.quote(quote({ validUntil: now + 3000 }));
    expect(decided).toHaveLength(isWarm ? 1 : 0);
    r.price(60_000, { afterMs: 90_000 - 40 * 500 + 500 });
    expect(decided).toHaveLength(isWarm ? 2 : 1);
  });

  test('one input without a past: the strategy is fed with nothing and waits', () => {
    const dir = recorded(RESTART, { leave: [hedgeLane.id] });
    const now = START + RESTART * 500;
    const place = { newest: recordedPast({ dir, book: 'paper', now }), maxGapMs: 5000, now };
    expect(warmUpFeed([loadedOf(paired, both)], place)).toBeUndefined();
  });

  test('timers fire at their own times, those of the present at theirs, and nothing is decided on in the past', () => {
    const times: unknown[] = [];
    const timed = strategy({
      name: 'timed',
      warmup: () => ({ quotes: 1 }),
      signals: ({ quotes$ }) => merge(quotes$.pipe(mid()), interval('1s')),
      decide: (signal, { now }) => {
        times.push([signal, now - START]);
        return undefined;
      },
    });
    const r = rig({ definition: timed, bound: none, startAt: START });
    const past = [-2700, -400].map((ms) => ({ at: START + ms, quote: quote() }));
    r.give({ kind: 'warmup', feed: { ranges: [], past } });
    expect(times).toEqual([]);
    r.moveBy(1400);
    expect(times).toEqual([
      [2, 300],
      [3, 1300],
    ]);
  });

  test('I19 the recorded inbox of a warmed run gives the same decisions again', () => {
    const { rig: first, log } = overRestart(paired, both, false);
    expect(first.story()).toContain('warmed');
    expect(first.broker.submitted).toHaveLength(1);
    const again = rig({ definition: paired, bound: both, startAt: START + RESTART * 500 });
    const began = again.inbox.handled;
    for (const { at, event } of log.events.slice(began)) {
      again.moveBy(at - again.clock.now());
      if (event.kind !== 'wake' && event.kind !== 'clock') again.give(eventOf(eventText(event)));
    }
    expect(again.allRows().map(({ kind, reason, detail }) => ({ kind, reason, detail }))).toEqual(
      first.allRows().map(({ kind, reason, detail }) => ({ kind, reason, detail })),
    );
  });
});
