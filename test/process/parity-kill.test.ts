import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { parityOf } from '#research/parity/parity.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, startKairos } from '../support/process.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 1 } }
  - { id: cross, use: sma-cross, product: ethusd, amount: { base: 0.1 }, params: { fast: 2, slow: 5 } }
venue: { quotesPerSecond: 50, answerDelayMs: [0, 60] }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxUnknown: off }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('I19 F45 each run replays to its own journal, also one that was killed in the middle, the one after it, and one that began from a snapshot', async () => {
  folder = new DaemonFolder('parity-kill');
  folder.write('kairos.yaml', CONFIG);
  const cwd = folder.path;
  // A start also writes the rows that a kill left owed: only the orders of the run itself are counted.
  const hasOrders = (run: number, count: number): true | undefined =>
    folder.rows(`SELECT 1 FROM orders WHERE run_id = (SELECT run_id FROM runs WHERE rowid = ${run})`).length >= count || undefined;

  const first = startKairos(['run'], { cwd });
  await first.until('a dozen orders', () => hasOrders(1, 12));
  // An order that is open as the process dies is unknown, and its product frozen: the other product is to trade on.
  await first.until('a moment at which not every product has an open order', () => {
    first.signal('SIGSTOP');
    if (folder.productsInFlight().length < 2) return true;
    first.signal('SIGCONT');
    return undefined;
  });
  await first.kill();
  const second = startKairos(['run'], { cwd });
  await second.until('eight orders', () => hasOrders(2, 8));
  const running = await parity('last');
  expect(running.difference).toBeUndefined();
  second.signal('SIGINT');
  expect((await second.ended).code).toBe(0);
  // A clean end leaves a snapshot, from which the third starts.
  const third = startKairos(['run'], { cwd });
  await third.until('eight orders after the snapshot', () => hasOrders(3, 8));
  expect((await third.kill()).stdout).not.toContain('first row');
  const fromSnapshot = found();
  rowsDeleted('snapshots');
  expect(found()).toBe(fromSnapshot);

  const runs = folder.rows<{ run_id: string; end_state: string }>('SELECT run_id, end_state FROM runs ORDER BY rowid');
  expect(runs.map(({ end_state }) => end_state)).toEqual(['crashed', 'stopped', null]);
  for (const { run_id } of runs) {
    const result = await parity(run_id);
    expect(result.difference).toBeUndefined();
    expect(result).toMatchObject({ equal: true, complete: true, remarks: [] });
    expect(result.compared.orders).toBeGreaterThanOrEqual(8);
  }

  function found(): string {
    const journal = SqliteJournal.open({ path: folder.journal, book: 'paper', beforeCommit: () => {} });
    try {
      return JSON.stringify(journal.recover(0));
    } finally {
      journal.close();
    }
  }

  function rowsDeleted(table: string): void {
    const database = new Database(folder.journal);
    expect(database.prepare(`DELETE FROM ${table}`).run().changes).toBe(1);
    database.close();
  }

  function parity(run: string) {
    const config = loadConfig({ files: [path.join(cwd, 'kairos.yaml')], env: {}, cwd });
    return parityOf({ settings: config.settings, run, folders: { cwd, packaged: PACKAGED_STRATEGIES } });
  }
});
