import { chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { removeArchivesAtRest, rotateAtRest } from '#adapters/journal/rotate.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { runId } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { accepted, begin, folder, openFilesIn, openJournal, orderFacts, permits, row, START, sent } from './rows.ts';

/** Three runs of seven rows, each moved to an archive ten days behind the one before: 7, 14 and 21. */
async function archived(): Promise<string> {
  const path = join(folder(), 'kairos.db');
  for (const n of [1, 2, 3]) {
    const at = START + (n - 1) * 10 * DAY_MS;
    const order = orderFacts(n, { intentAt: at });
    const journal = openJournal(path);
    begin(journal, runId(`r${n}`), at);
    const entries = [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '1' }] as const;
    const action = { actionId: `${n}-1`, name: 'night', action: 'remote.pauseAll', arguments: {}, dueAt: 't', askedAt: 't' } as const;
    const notified = { id: `n-${n}`, receivedAt: 't', type: 'DEPOSIT', transferId: null, by: null, body: '{}', status: 'booked' } as const;
    journal.commit([
      row('booked', { who: 'ann', why: 'paid in', entries }),
      row('action', { ...action, status: 'confirmed', httpStatus: 200, response: 'done' }),
      row('notification', notified),
      ...[...permits(order), sent(order), accepted(order)],
    ]);
    journal.end(runId(`r${n}`), 'stopped');
    journal.close();
    await rotateAtRest(path, at);
  }
  return path;
}

/** What is told while archives are removed, some days after the first was made. */
async function removed(path: string, keepDays: number, days: number): Promise<readonly string[]> {
  const told: string[] = [];
  const tell = (level: string, text: string) => void told.push(`${level}: ${text.replaceAll(path, 'X')}`);
  await removeArchivesAtRest(path, { keepDays, now: START + days * DAY_MS, tell });
  expect(openFilesIn(dirname(path))).toEqual([]);
  return told;
}

const archives = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .flatMap((name) => name.split('.archive-')[1] ?? [])
    .sort();

function edit(file: string, sql: string): void {
  chmodSync(file, 0o600);
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

describe('archives of a journal', () => {
  test('go once they are older than journal.rotate.keepDays, but never the newest, and what is left is whole', async () => {
    const path = await archived();
    const money = () => {
      const reader = JournalReader.open(path);
      const told = [reader.fills(), ...reader.ledger()];
      reader.close();
      return told;
    };
    const before = money();
    expect([await removed(path, 0, 999), await removed(path, 21, 999), archives(path)]).toEqual([[], [], ['14', '21', '7']]);
    expect(await removed(path, 19, 20)).toEqual(['info: archive X.archive-7 is removed: it is older than journal.rotate.keepDays (19)']);
    expect([archives(path), verifyJournal(path)]).toMatchObject([
      ['14', '21'],
      { ok: true, decisions: 21, orders: 3, actions: 3, notifications: 3, ledger: 12 },
    ]);
    // What lies there later is somebody else's.
    writeFileSync(`${path}.archive-7`, 'a letter');
    expect([await removed(path, 1, 99), archives(path)]).toEqual([[expect.stringContaining('X.archive-14 is removed')], ['21', '7']]);
    expect([await removed(path, 1, 99), verifyJournal(path)]).toMatchObject([
      [],
      { ok: true, decisions: 21, orders: 3, actions: 3, notifications: 3, ledger: 12 },
    ]);
    expect(money()).toEqual(before);
    await expect(backupJournal(path, `${path}.copy`)).resolves.toMatchObject({ ok: true });
    const reader = JournalReader.open(path);
    expect(() => reader.decisionsOf('r2')).toThrow('journal.rotate.keepDays has removed the decisions of run r2');
    reader.close();
    edit(path, "UPDATE orders SET price = '1' WHERE order_id = '3-1'");
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'orders', row: '3-1' });
  });

  test.each<[string, (archive: string) => void, string]>([
    ['another archive', (file) => copyFileSync(file.replace(/-7$/, '-14'), file), 'it ends with another row'],
    ['one with another last row', (file) => edit(file, "UPDATE decisions SET hash = 'x' WHERE seq = 7"), 'it ends with another row'],
    ['one without rows', (file) => edit(file, 'DELETE FROM decisions'), 'it ends with another row'],
    [
      'a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      'it is no file',
    ],
    ['a letter', (file) => writeFileSync(file, 'a letter to a friend, of some length'), 'journal X.archive-7 is not an SQLite file'],
  ])('are kept, and told of, from where %s lies in the place of one', async (_, spoil, why) => {
    const path = await archived();
    chmodSync(`${path}.archive-7`, 0o600);
    spoil(`${path}.archive-7`);
    const [told, ...others] = await removed(path, 1, 99);
    expect(told).toMatch(`warn: archive X.archive-7 cannot be removed by journal.rotate.keepDays: ${why}`);
    expect([others, archives(path)]).toEqual([[], ['14', '21', '7']]);
  });

  test('are removed where they lie, and no others, after the journal was renamed', async () => {
    const before = await archived();
    const path = join(dirname(before), 'bot.db');
    for (const end of ['', '.mark']) renameSync(`${before}${end}`, `${path}${end}`);
    expect(await removed(path, 19, 20)).toEqual([expect.stringContaining('kairos.db.archive-7 is removed')]);
    expect([archives(path), verifyJournal(path)]).toMatchObject([['14', '21'], { ok: true, decisions: 21, orders: 3 }]);
  });

  test('that are gone are passed over, as where a copy of the journal was put back, if the check can do without them', async () => {
    const path = await archived();
    rmSync(`${path}.archive-7`);
    expect(await removed(path, 1, 99)).toEqual([expect.stringContaining('X.archive-14 is removed')]);
    expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: 21 });
  });

  test('of Kairos 0.1.0, which noted nothing of them, are noted while they are there', async () => {
    const path = await archived();
    edit(path, "DELETE FROM watermarks WHERE name LIKE 'archive%'");
    expect(await removed(path, 19, 20)).toHaveLength(1);
    expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: 21, orders: 3 });
    rmSync(`${path}.archive-14`);
    expect(await removed(path, 1, 99)).toEqual([
      'warn: archive X.archive-14 cannot be removed by journal.rotate.keepDays: it is not there',
    ]);
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'archives', row: 'kairos.db.archive-14' });
  });
});
