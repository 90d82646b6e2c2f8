import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { History } from '#daemon/page/history.ts';
import { runId } from '#domain/names.ts';
import { readBody } from '#server/control/bodies.ts';
import { ASKS } from '#server/page/history-ask.ts';
import type { ReplayMarks, ReplayView } from '#server/page/replay-view.ts';
import { accepted, orderFacts, permits, row, START, sent, unknown } from '../../adapters/journal/order-rows.ts';
import { folderOfTests } from '../../support/folder.ts';

const CONFIG = JSON.stringify({ strategies: [{ id: 'sma', product: 'btcusd', amount: { base: '0.01' }, use: 'sma-cross' }] });

const folder = folderOfTests();
let history: History;

/** Two runs: a round trip, then a halt; in the second an order that is never answered. */
beforeAll(() => {
  const journal = SqliteJournal.open({ path: path.join(folder, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
  const begin = (run: string): void =>
    journal.beginRun({ run: runId(run), at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: CONFIG });
  const [bought, sold, open] = [orderFacts(1), orderFacts(10, { side: 'sell', price: '62000', value: '620', fee: '0.62' }), orderFacts(30)];
  const by = { who: 'ann', why: 'news' };
  begin('run-1');
  journal.commit([
    ...permits(bought),
    sent(bought),
    accepted(bought),
    ...permits(sold),
    sent(sold),
    accepted(sold),
    row('halted', by, { n: 20 }),
  ]);
  begin('run-2');
  journal.commit([row('resumed', by, { n: 25 }), ...permits(open), sent(open), unknown(open)]);
  journal.close();
  history = new History({ journal: path.join(folder, 'kairos.db'), recordings: folder, reports: [], timers: systemTimers });
});

const at = (query: Record<string, string>): ReplayView => JSON.parse(history.answer(readBody(ASKS.replay, { run: 'run-1', ...query })));
const time = (n: number): string => new Date(START + n * 1000).toISOString();

test('a run is shown as it was: nothing before the first row, a position after its fill, what it closed, the halt at its end', () => {
  const before = at({ at: time(0) });
  expect([before.row, before.feed, before.strategies[0]?.position, before.isFirst]).toEqual([null, [], '0', true]);
  const held = at({ at: time(5) });
  expect(held.strategies[0]).toMatchObject({
    position: '0.01',
    entry: '61000.5',
    state: 'RUNNING',
    closed: [],
    last: { kind: 'accepted' },
  });
  expect([held.trading, held.closed, held.feed.length, held.orders]).toEqual(['ACTIVE', [], 4, []]);
  const end = at({ seq: '9' });
  expect([end.isLast, end.trading, end.strategies[0]?.state, end.strategies[0]?.position]).toEqual([true, 'HALTED', 'HALTED', '0']);
  expect(end.closed).toMatchObject([{ currency: 'usd' }]);
  expect(end.closed[0]?.profit).toBeCloseTo(620 - 610.005 - 0.62 - 0.610005, 9);
  // Back again, before what was closed.
  expect(at({ at: time(5) }).strategies[0]?.position).toBe('0.01');
  expect(end.unrecorded).toContain('the recording of this run is gone');
});

test('it goes from decision to decision, to orders, refusals and alarms, in both directions, and never out of the run', () => {
  const seqOf = (query: Record<string, string>): number | undefined => at(query).row?.seq;
  expect(seqOf({ seq: '3', to: 'decision' })).toBe(4);
  expect(seqOf({ seq: '3', to: 'decision', back: 'true' })).toBe(2);
  expect([seqOf({ seq: '2', to: 'order' }), seqOf({ seq: '6', to: 'order', back: 'true' })]).toEqual([6, 2]);
  expect([seqOf({ seq: '1', to: 'alarm' }), seqOf({ run: 'run-2', at: time(40), to: 'alarm', back: 'true' })]).toEqual([9, 14]);
  expect(at({ seq: '9', to: 'decision' })).toMatchObject({ row: { seq: 9 }, note: 'This run has no decision after this moment.' });
  expect(at({ seq: '6', to: 'order' })).toMatchObject({ row: { seq: 6 }, note: 'This run has no order after this moment.' });
  expect(at({ seq: '1', to: 'refusal' }).note).toContain('no refusal after this moment within 200,000 decisions');
  const { orders, feed, trading } = at({ run: 'run-2', seq: '14' });
  expect([orders.map(({ order, state }) => [order, state]), feed.at(-1)?.seq, trading]).toEqual([[['30-1', 'unknown']], 10, 'ACTIVE']);
  expect(at({ run: 'run-2', seq: '13' }).orders[0]?.state).toBe('sent');
  const { marks }: ReplayMarks = JSON.parse(history.answer(readBody(ASKS.replayMarks, { run: 'run-1' })));
  expect(marks).toEqual([
    { at: START + 1_000, kind: 'order' },
    { at: START + 10_000, kind: 'order' },
    { at: START + 20_000, kind: 'alarm' },
  ]);
  expect(() => at({ run: 'run-9' })).toThrow('run-9');
  expect(() => at({ at: time(1), seq: '1' })).toThrow('at or seq, not both');
});
