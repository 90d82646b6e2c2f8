import { ignoreElements, merge } from 'rxjs';
import { expect, test } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import type { LogEntry } from '#adapters/recording/log-format.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { mid, observe, sma, strategy } from '#core/strategy/index.ts';
import { SilentPlay } from '#daemon/page/silent-play.ts';
import { quoteAt } from '../../support/quotes.ts';
import { instanceOf } from '../../support/strategies.ts';

const MEAN = 3;
/** Decides nothing, so that a journal has none of its values. */
const quiet = strategy({
  name: 'quiet',
  warmup: () => ({ quotes: MEAN }),
  signals: ({ quotes$ }) => quotes$.pipe(mid(), observe('mean', sma(MEAN))),
  decide: () => undefined,
});
const NO_GAP = Number.POSITIVE_INFINITY;
const EVER = { from: 0, to: 1_000_000, stepMs: 10_000 };

/** Quotes of a lane; `n` is null for one that a newer one replaced before its turn. */
const recorded = (rows: readonly (readonly [at: number, price: number, n?: null])[]) =>
  columnsOf(
    rows.map(
      ([at, price, n], place): LogEntry =>
        n === null
          ? { kind: 'conflated', at, quote: quoteAt(price) }
          : { kind: 'event', event: { n: place, at, event: { kind: 'quote', quote: quoteAt(price) } } },
    ),
  );

const playOf = (of: MarkedStrategy, maxGapMs = NO_GAP) => new SilentPlay(instanceOf(of), maxGapMs);
const meansOf = (play: SilentPlay, span = EVER) => play.lines(span).get('mean') ?? [];

/** The price at each second is the second; the last one comes when more may follow at its time. */
const seconds = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n): readonly [number, number] => [(from + n) * 1_000, from + n]);

test('an indicator has a value in each bar of the chart, also where the strategy decided nothing: that of the last quote in it', () => {
  const play = playOf(quiet);
  play.playOn(recorded(seconds(0, 40)), 0);
  expect(meansOf(play)).toEqual([
    { at: 9_000, value: 8 },
    { at: 19_000, value: 18 },
    { at: 29_000, value: 28 },
    { at: 39_000, value: 38 },
  ]);
  expect(meansOf(play, { from: 20_000, to: 29_000, stepMs: 10_000 })).toEqual([{ at: 28_000, value: 27 }]);
});

test('it goes on with what came since, as if it had come at once, and begins anew for an earlier time', () => {
  const [play, whole] = [playOf(quiet), playOf(quiet)];
  for (const end of [12, 13, 40]) play.playOn(recorded(seconds(5, end)), 5_000);
  whole.playOn(recorded(seconds(5, 40)), 5_000);
  expect(meansOf(play)).toEqual(meansOf(whole));
  play.playOn(recorded(seconds(0, 40)), 0);
  expect(meansOf(play, { ...EVER, stepMs: 1_000 })[0]).toEqual({ at: 2_000, value: 1 });
});

test('a line begins once the strategy is warm, also after a gap that is too long to warm up over', () => {
  const play = playOf(quiet, 60_000);
  play.playOn(recorded([...seconds(0, 5), ...seconds(100, 105)]), 0);
  expect(meansOf(play, { ...EVER, stepMs: 1_000 }).map(({ at }) => at / 1_000)).toEqual([2, 3, 4, 5, 102, 103, 104]);
});

test('a quote that was replaced before its turn is not in it: no strategy was given it', () => {
  const play = playOf(quiet);
  play.playOn(recorded([...seconds(0, 1), [1_500, 999, null], ...seconds(2, 4)]), 0);
  expect(meansOf(play, { ...EVER, stepMs: 1_000 }).map(({ value }) => value)).toEqual([1, 2]);
});

test('signals that hear what became of orders have no line: that cannot be played again', () => {
  const play = playOf(
    strategy({
      name: 'counts',
      signals: ({ quotes$, outcomes$ }) => merge(quotes$.pipe(mid(), observe('mean', sma(MEAN))), outcomes$.pipe(ignoreElements())),
      decide: () => undefined,
    }),
  );
  play.playOn(recorded(seconds(0, 40)), 0);
  expect(meansOf(play)).toEqual([]);
});
