import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { runSummary } from '#daemon/run/run-summary.ts';
import { runId } from '#domain/names.ts';
import { accepted, orderFacts, permits, rejected, START, sent } from '../../adapters/journal/order-rows.ts';
import { newFolder } from '../../support/folder.ts';

let folder: string;
let file: string;
let journal: SqliteJournal;

beforeEach(() => {
  folder = newFolder();
  file = path.join(folder, 'kairos.db');
  journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
});
afterEach(() => {
  journal.close();
});

const begin = (run: string, at: number): void =>
  journal.beginRun({ run: runId(run), at, mode: 'paper', version: 'test', configHash: 'hash', configJson: '{}' });

test('whoever stops a run is told what it made, by how many orders, and where more stands', () => {
  begin('run-1', START);
  for (const [n, side, price, value] of [
    [1, 'buy', '61000', '610'],
    [2, 'sell', '61300', '613'],
  ] as const) {
    const order = orderFacts(n, { side, price, value, fee: '0.5' });
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  const third = orderFacts(3);
  journal.commit([...permits(third), sent(third), rejected(third)]);
  journal.end(runId('run-1'), 'stopped');
  const [ended, made, paid, more] = runSummary(file, 'run-1');
  expect(ended).toMatch(/^run run-1 ended after .*: 3 orders \(2 accepted, 1 rejected\)$/);
  expect(made).toBe('  made      2.00 usd by 1 round trip, 1 won, after 1.00 usd of fees');
  expect(paid).toBe('  fees paid 1.00 usd in this run');
  expect(more).toContain('npx kairos report run-1');
});

test('a run that closed nothing says so; one that nobody knows says nothing', () => {
  begin('run-1', START);
  expect(runSummary(file, 'run-1').join('\n')).toMatch(/0 orders\n +made +nothing, since no position was closed/);
  expect(runSummary(file, 'run-2')).toEqual([]);
  expect(runSummary(path.join(folder, 'none.db'), 'run-1')).toEqual([]);
});

test('all fees of a run are told, and what of them was for positions that are still open; those of the run before are its own', () => {
  begin('run-0', START - 60_000);
  const earlier = orderFacts(1, { fee: '0.25' });
  journal.commit([...permits(earlier), sent(earlier), accepted(earlier)].map((row) => ({ ...row, at: START - 50_000 })));
  journal.end(runId('run-0'), 'stopped');
  begin('run-1', START);
  const [exit, entry] = [orderFacts(2, { side: 'sell', fee: '0.5' }), orderFacts(3, { fee: '0.125' })];
  for (const order of [exit, entry]) journal.commit([...permits(order), sent(order), accepted(order)]);
  expect(runSummary(file, 'run-1').slice(1, 3)).toEqual([
    expect.stringMatching(
      /^ {2}made {6}\u22120\.75 usd by 1 round trip, 0 won, after 0\.75 usd of fees \(1 opened in an earlier run, with the whole profit since then; .*\)$/,
    ),
    '  fees paid 0.63 usd in this run, of it 0.13 usd for positions that are still open; 0.25 usd of the fees of these round trips were paid in earlier runs, when they were opened',
  ]);
});

test('of fees in base currency none are said to be of an earlier run', () => {
  begin('run-1', START);
  for (const side of ['buy', 'sell'] as const) {
    const order = orderFacts(side === 'buy' ? 1 : 2, { side, fee: '0.0001', feeCcy: 'btc' });
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  expect(runSummary(file, 'run-1')[2]).not.toContain('earlier');
});

test('a run that closed nothing says what fees it paid', () => {
  begin('run-1', START);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), accepted(order)]);
  expect(runSummary(file, 'run-1').slice(1, 3)).toEqual([
    '  made      nothing, since no position was closed',
    '  fees paid 0.61 usd in this run, of it 0.61 usd for positions that are still open',
  ]);
});
