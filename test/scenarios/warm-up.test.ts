import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { newestPast, newestQuotes } from '#adapters/recording/newest-past.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { sealLog } from '#adapters/recording/seal.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { recordedPast, warmUpFeed } from '#assembly/warm-ups.ts';
import { above, buy, mid, observe, sma, strategy } from '#core/strategy/index.ts';
import type { WarmUpFeed } from '#domain/event.ts';
import { runId, strategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { newFolder } from '../support/folder.ts';
import { btcLane, quote } from '../support/market-data.ts';
import { START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const cross = strategy({
  name: 'cross',
  warmup: () => ({ quotes: 4 }),
  signals: ({ quotes$ }) => quotes$.pipe(mid(), above(observe('fast', sma(2)), observe('slow', sma(4)))),
  decide: (standing, { amount, position }) => (standing === 'above' && position.isFlat ? buy(amount, 'up') : undefined),
});

const rig = rigsOfTests({ strategies: { c: cross } });

const feed = (prices: readonly number[]): WarmUpFeed => ({
  ranges: [{ lane: btcLane.id, quotes: prices.length, from: START - 2000, to: START - 500, gapMs: 12_000, sha256: 'ab' }],
  past: prices.map((price, n) => ({ at: START - 500 * (prices.length - n), quote: quote({ buy: price }) })),
});
describe('signals are fed with recorded quotes at the start', () => {
  test('decisions apart: no order on the past, the first on the first quote of now', () => {
    const r = rig();
    r.give({ kind: 'warmup', feed: feed([60_000, 60_010, 60_020, 60_030]) });
    expect(r.broker.submitted).toEqual([]);
    expect(r.story()).toEqual(['warmed']);
    expect(r.notices).toEqual([
      expect.stringMatching(/^warn: btcusd@base:0.01: signals warm up on 4 recorded quotes up to .*, with a gap of 12 s$/),
    ]);
    expect(r.engine.observed(strategyId('c'))).toEqual({ fast: 60_025, slow: 60_015 });
    r.price(60_040);
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('F33 but none that live refuses: a price beyond its lane, crossed or none, and what a lane that is set aside says', () => {
    const r = rig({ limits: { reducingCollarPct: 15 } });
    const { ranges, past } = feed([60_000, 60_010, 6_000, 60_020, 600_000, 0, 60_030, 1, 2, 3, 4, 60_040]);
    const crossed = { at: START - 10, quote: quote({ buy: 60_000, sell: 60_001 }) };
    r.give({ kind: 'warmup', feed: { ranges, past: [...past, crossed] } });
    expect(r.engine.observed(strategyId('c'))).toEqual({ fast: 60_025, slow: 60_015 });
    r.price(60_040);
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('too few: the rest is waited for', () => {
    const r = rig();
    r.give({ kind: 'warmup', feed: feed([60_000, 60_010]) });
    r.price(60_020);
    expect(r.broker.submitted).toEqual([]);
    r.price(60_030);
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('a strategy that asks for none is fed with none', () => {
    const seen: number[] = [];
    const curious = strategy({
      name: 'curious',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (price) => {
        seen.push(price);
        return undefined;
      },
    });
    const r = rig({ strategies: { c: curious } });
    r.give({ kind: 'warmup', feed: feed([1, 2, 3, 4]) });
    r.price();
    expect(seen).toEqual([60_000]);
  });

  test('F68 one that throws on the past is told, begins anew and waits', () => {
    const picky = strategy({
      name: 'picky',
      warmup: () => ({ quotes: 2 }),
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          mid(),
          tap((price) => {
            if (price === 2) throw new Error('two');
          }),
        ),
      decide: (_, { amount }) => buy(amount, 'go'),
    });
    const r = rig({ strategies: { c: picky } });
    r.give({ kind: 'warmup', feed: feed([1, 2, 3, 4, 5]) });
    expect(r.story()).toEqual(['threw STRATEGY_THREW', 'warmed']);
    r.price();
    expect(r.broker.submitted).toEqual([]);
    r.price();
    expect(r.broker.submitted).toHaveLength(1);
  });
});

describe('the newest recorded quotes of a lane', () => {
  function recorded(runs: readonly { run: string; book?: string; prices: readonly number[]; from: number }[], sealed: boolean): string {
    const dir = newFolder();
    for (const { run, book = 'paper', prices, from } of runs) {
      const log = RunLog.create({ dir, run: runId(run), book });
      for (const [n, price] of prices.entries()) {
        const at = from + n * 500;
        log.append({ n: n + 1, at, event: { kind: 'quote', quote: quote({ buy: price }) } });
        log.conflated(at, quote({ buy: 1 }));
      }
      log.close();
      if (sealed) sealLog(log.path);
    }
    return dir;
  }
  const priceOf = ({ buy: { price } }: Quote): number => price;
  const runs = [
    { run: 'a', prices: [1, 2, 3], from: START - 10_000 },
    { run: 'b', prices: [4, 5], from: START - 2000 },
    { run: 'c', book: 'live elsewhere', prices: [9], from: START - 1000 },
  ];

  test.each([false, true])('over several runs of one book, conflated ones and copies left out; sealed: %s', (sealed) => {
    const dir = recorded(runs, sealed);
    cpSync(path.join(dir, 'b'), path.join(dir, 'b of yesterday'), { recursive: true });
    const found = newestQuotes({ dir, book: 'paper' }, new Map([[btcLane.id, 4]]));
    expect(found.get(btcLane.id)?.map(({ quote: one }) => priceOf(one))).toEqual([2, 3, 4, 5]);
  });

  const loaded: LoadedStrategy = {
    strategy: {
      id: strategyId('c'),
      definition: cross,
      lane: btcLane.id,
      product: btcLane.product,
      amount: btcLane.amount,
      params: {},
      seed: '',
      budget: null,
      exits: null,
      windows: null,
      enabled: true,
    },
    sourceHash: '',
  };

  test.each([
    ['a silence that is no longer than allowed is bridged', 7500, [2, 3, 4, 5], 7000],
    ['a longer one is not', 6999, [4, 5], 1500],
    ['nor is one up to the start', 1499, [], 0],
    ['off', null, [], 0],
  ])('%s', (_, maxGapMs, prices, gapMs) => {
    const dir = recorded(runs, false);
    const told: string[] = [];
    const tell = (line: string): void => void told.push(line);
    const found = warmUpFeed([loaded], { newest: recordedPast({ dir, book: 'paper', now: START }), maxGapMs, now: START, tell });
    expect(found?.past.map((value) => ('quote' in value ? priceOf(value.quote) : undefined)) ?? []).toEqual(prices);
    if (found) expect(found.ranges).toMatchObject([{ lane: btcLane.id, quotes: prices.length, gapMs }]);
    const old = `${btcLane.id}: what is recorded ends 1.5 s ago, which is more than trading.warmUpMaxGap (1.5 s): signals warm up without it`;
    expect(told).toEqual(maxGapMs === 1499 ? [old] : []);
  });

  test.each<[string, number, (line: string) => string, readonly number[], readonly string[]]>([
    ['a line that is cut off is passed over, and told of', 3, (line) => line.slice(0, 20), [1, 3], ['broken lines (1)']],
    ['so is one that is spoilt within', 3, (line) => line.replace('["q",', '["q",,'), [1, 3], ['broken lines (1)']],
    ['half a line at the very end, as a kill leaves it, is none to tell of', 7, () => '["q",9,17958', [1, 2, 3], []],
  ])('F51 %s', (_, at, spoil, prices, told) => {
    const dir = recorded([{ run: 'a', prices: [1, 2, 3], from: START - 1500 }], false);
    const log = path.join(dir, 'a/inbox.ndjson');
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, lines.map((line, n) => (n === at ? spoil(line) : line)).join('\n'));
    const heard: string[] = [];
    const place = { dir, book: 'paper', tell: (line: string) => void heard.push(line) };
    const found = newestPast(place, new Map([[btcLane.id, { count: 9, spanMs: 0, since: Number.POSITIVE_INFINITY }]]));
    expect(found.get(btcLane.id)?.map(({ value }) => ('quote' in value ? priceOf(value.quote) : undefined))).toEqual(prices);
    expect(heard).toEqual(told.map((line) => `${log}: ${line}, on which no signal warms up: see \`kairos data verify\``));
  });
});
