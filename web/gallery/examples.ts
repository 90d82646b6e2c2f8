import type { ChartHistory } from '#server/page/history-view.ts';
import type { DecisionView } from '#server/page/past-view.ts';
import type { ChartLine } from '../charts/time-chart.tsx';

/** The moment of the examples. */
export const AT = '2026-01-05T10:00:00.000Z';

const STEP_MS = 60_000;
const COUNT = 90;
const FROM = Date.parse(AT) - COUNT * STEP_MS;
const priceAt = (n: number): number => 60_000 + 180 * Math.sin(n / 9) + 60 * Math.sin(n / 2);
const times = Array.from({ length: COUNT }, (_, n) => ({ n, at: FROM + n * STEP_MS }));
const meanAt = (n: number, of: number): number => Array.from({ length: of }, (_, back) => priceAt(n - back)).reduce((a, b) => a + b) / of;
const line = (name: string, of: number) => ({
  ...{ strategy: 'trend', name, isWhole: true },
  points: times.map(({ n, at }) => ({ at, value: meanAt(n, of) })),
});

export const HISTORY: ChartHistory = {
  ...{ product: 'btcusd', lane: 'btcusd@base:0.01', currency: 'usd', from: FROM, to: Date.parse(AT), stepMs: STEP_MS },
  ...{ fillsLeftOut: 0, trades: [], refusals: [], runs: [{ run: 'run-2', at: FROM + 40 * STEP_MS }] },
  bars: times.map(({ n, at }) => {
    const [open, close] = [priceAt(n - 1), priceAt(n)];
    return { at, open, close, high: Math.max(open, close) + 15, low: Math.min(open, close) - 15 };
  }),
  fills: [12, 31, 52, 70].map((n, place) => ({
    ...{ at: FROM + n * STEP_MS, price: priceAt(n), size: '0.01', order: `${n}-1`, strategy: 'trend', closed: null },
    side: place % 2 === 0 ? 'buy' : 'sell',
  })),
  signals: [line('fast', 5), line('slow', 15)],
};

export const EQUITY: ChartLine = {
  ...{ name: 'equity', ink: 'first', pane: 0, look: 'area', places: 2 },
  points: times.map(({ n, at }) => ({ time: at / 1000, value: 10_000 + n * 3 + 40 * Math.sin(n / 6) })),
};

const row = (seq: number, parts: Partial<DecisionView>): DecisionView => ({
  ...{ seq, run: 'run', at: AT, strategy: 'trend', product: 'btcusd', reason: null, meaning: null, order: null, fill: null, closed: null },
  ...{ kind: 'hold', words: 'the spread is wide' },
  ...parts,
});

/** Decisions of several kinds; each came as often as its number says. */
export const ROWS: readonly DecisionView[] = [
  row(1, {
    kind: 'accepted',
    order: '70-1',
    words: 'sold 0.01 at 60,010 for 600.10 usd, fee 0.60 usd',
    closed: { profit: 1.25, currency: 'usd' },
  }),
  row(3, {
    ...{ kind: 'refused', reason: 'MAX_SPREAD', meaning: 'the spread is wider than risk.maxSpreadPct' },
    words: 'buy 0.01 base: fast above slow | spread 0.31 % over 0.2 %',
  }),
  row(4, { kind: 'intent', order: '53-1', words: `buy 0.01 base: ${'W'.repeat(300)} ${'a reason that goes on '.repeat(160)}| fast=2` }),
  row(2, { kind: 'rejected', order: '52-1', words: 'the service took it no more' }),
];
