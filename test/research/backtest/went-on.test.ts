import { describe, expect, test } from 'vitest';
import { NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import type { RecoveryState } from '#adapters/journal/recovery.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { startFacts } from '#assembly/start-facts.ts';
import { runId } from '#domain/names.ts';
import { recordedStart } from '#research/backtest/recorded-events.ts';
import { BacktestSession } from '#research/backtest/session.ts';
import { booksOf } from '../../support/past-books.ts';
import { RECORDED_FROM } from '../../support/synthetic-recording.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

const YAML = `${OFF}strategies: [{ id: eager, use: eager, product: btcusd, amount: { base: 0.01 } }]\n`;

const BOUGHT = {
  strategy: 'eager',
  product: 'btcusd',
  at: RECORDED_FROM - 10_000,
  fill: { side: 'buy', price: '60000', size: '0.01', value: '600', fee: '0.6', feeCcy: 'usd', baseCcy: 'btc', quoteCcy: 'usd' },
} as const;

/** Nine events of earlier runs, the last of which has bought; one state kept. */
const BEFORE: RecoveryState = {
  ...NOTHING_BEFORE,
  lastInboxSeq: 9,
  books: booksOf([BOUGHT]),
  states: { eager: '{"count":3}' },
};

describe('a backtest held against a run that went on after a restart', () => {
  test('begins with what the run held, while the figures of the backtest begin flat', async () => {
    const b = bench(YAML);
    const { shared, strategies } = await b.open();
    const options = { config: b.config, from: undefined, to: undefined, notice: () => {} };
    const session = new BacktestSession(options, shared, {
      strategies,
      past: {
        startedAt: undefined,
        endedAt: undefined,
        conditions: undefined,
        warmUps: [],
        outcomes: [],
        own: new Map(),
        recovered: BEFORE,
      },
    });
    const flat = ofKind(session.play(), 'approved')[0];
    const on = ofKind(session.playOn() ?? { decisions: [] }, 'approved')[0];
    expect(flat?.detail.order).toMatchObject({ side: 'buy', intentAt: RECORDED_FROM });
    expect(on?.detail.order).toMatchObject({ side: 'sell', size: '0.01', intentAt: RECORDED_FROM });
    expect(Number.parseInt(on?.orderId ?? '', 10)).toBeGreaterThan(9);
  });

  test.each([
    { of: 'the first run of a journal', n: 1, begins: undefined },
    { of: 'a later one, without what people had latched', n: 10, begins: BEFORE },
  ])('$of', async ({ n, begins }) => {
    const b = bench(YAML);
    const { strategies } = await b.open();
    const latch = { kind: 'halted', strategy: null, since: RECORDED_FROM, who: 'ann', why: 'to look' } as const;
    const recovered = { ...BEFORE, latches: [latch] };
    const run = runId('run-9');
    const log = RunLog.create({ dir: b.dir, run, book: 'paper' });
    const facts = startFacts({ config: b.config, run, book: 'paper', strategies, recovered, stall: undefined });
    log.append({ n, at: RECORDED_FROM, event: { kind: 'start', facts } });
    log.close();
    expect(recordedStart([`${b.dir}/run-9/inbox.ndjson`])?.recovered).toEqual(begins);
  });
});
