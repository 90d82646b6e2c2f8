import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { rotateWhenDue } from '#daemon/run/opening.ts';
import { runId } from '#domain/names.ts';
import {
  accepted,
  begin,
  begun,
  folder,
  openJournal,
  orderFacts,
  permits,
  RUN,
  row,
  START,
  sent,
  unknown,
} from '../../adapters/journal/rows.ts';

const BACKUP = { dir: null, everyMs: null, keep: 1 };

async function startOn(file: string, decisions: number | null, { keepDays = 0, at = START } = {}): Promise<readonly string[]> {
  const told: string[] = [];
  await rotateWhenDue({ path: file, backup: BACKUP, rotate: { decisions, monthly: false, keepDays } }, at, (level, text) =>
    told.push(`${level}: ${text}`),
  );
  return told;
}

const archives = (file: string): readonly string[] => readdirSync(path.dirname(file)).filter((name) => name.includes('.archive-'));

test('a start rotates a journal that has enough decisions, once, and tells where they are', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  for (let n = 1; n <= 50; n += 1) journal.commit([...permits(orderFacts(n)), sent(orderFacts(n)), accepted(orderFacts(n))]);
  journal.end(RUN, 'stopped');
  journal.close();
  expect(await startOn(file, null)).toEqual([]);
  expect(await startOn(file, 201)).toEqual([]);
  expect(archives(file)).toEqual([]);
  const [told] = await startOn(file, 200);
  expect(told).toMatch(/^info: \d+ decisions of earlier runs are in .*kairos\.db\.archive-200 from now on$/);
  expect(await startOn(file, 200)).toEqual([]);
  expect(archives(file)).toEqual(['kairos.db.archive-200']);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 200, orders: 50 });
});

test('archives older than journal.rotate.keepDays are removed, but not the newest, and what is left is whole', async () => {
  const file = path.join(folder(), 'kairos.db');
  const day = 86_400_000;
  for (let round = 0; round < 3; round += 1) {
    const journal = openJournal(file);
    const at = START + round * 10 * day;
    begin(journal, runId(`r${round}`), at);
    const by = { who: 'ann', why: 'a deposit' };
    journal.commit([{ ...row('booked', { ...by, entries: [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '1' }] }), at }]);
    for (let n = 1 + round * 50; n <= 20 + round * 50; n += 1)
      journal.commit([...permits(orderFacts(n)), sent(orderFacts(n)), accepted(orderFacts(n))]);
    journal.end(runId(`r${round}`), 'stopped');
    journal.close();
    await startOn(file, 1, { at });
  }
  const [first, second, third] = archives(file);
  expect(archives(file)).toEqual(['kairos.db.archive-162', 'kairos.db.archive-243', 'kairos.db.archive-81']);
  const money = (): unknown => {
    const reader = JournalReader.open(file);
    const told = { fills: reader.fills(), ledger: [...reader.ledger()] };
    reader.close();
    return told;
  };
  const before = money();
  await backupJournal(file, `${file}.before`);
  const at = START + 21 * day;
  expect(await startOn(file, null, { keepDays: 30, at })).toEqual([]);
  expect(await startOn(file, null, { keepDays: 15, at })).toEqual([
    expect.stringMatching(/^info: archive .*archive-81 is removed: .*\(15\)/),
  ]);
  expect(archives(file)).toEqual([first, second]);
  expect(third).toBe('kairos.db.archive-81');
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 243, orders: 60 });
  // Another file of that name is somebody else's.
  renameSync(`${file}.archive-162`, `${file}.mine`);
  copyFileSync(`${file}.archive-243`, `${file}.archive-162`);
  expect(await startOn(file, null, { keepDays: 1, at })).toEqual([
    expect.stringMatching(/^warn: archive .*162 cannot be removed.*another row/),
  ]);
  renameSync(`${file}.mine`, `${file}.archive-162`);
  expect(await startOn(file, null, { keepDays: 1, at })).toHaveLength(1);
  expect(archives(file)).toEqual([second]);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 243, orders: 60 });
  expect(money()).toEqual(before);
  await expect(backupJournal(file, `${file}.copy`)).resolves.toMatchObject({ ok: true });
  const reader = JournalReader.open(file);
  expect(() => reader.decisionsOf('r0')).toThrow('journal.rotate.keepDays has removed the decisions of run r0');
  reader.close();
  // A copy of before, put back, names archives that are gone.
  for (const end of ['', '-wal', '-shm', '.mark']) rmSync(`${file}${end}`, { force: true });
  renameSync(`${file}.before`, file);
  expect(verifyJournal(file)).toMatchObject({ ok: false, table: 'archives' });
  expect(await startOn(file, null, { keepDays: 1, at })).toEqual([]);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 243, orders: 60 });
  chmodSync(file, 0o600);
  const database = new Database(file);
  database.exec("UPDATE orders SET price = '1' WHERE order_id = '105-1'");
  database.close();
  expect(verifyJournal(file)).toMatchObject({ ok: false, table: 'orders', row: '105-1' });
});

test('an order of unknown outcome puts it off, which is told, and the run begins', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), unknown(order)]);
  journal.close();
  expect(await startOn(file, 4)).toEqual([expect.stringMatching(/^warn: rotation of the journal: 1 orders have no outcome yet/)]);
  expect(archives(file)).toEqual([]);
  expect(verifyJournal(file)).toMatchObject({ ok: true });
});
