import { chmodSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { isRotationDue, rotateAtRest } from '#adapters/journal/rotate.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { runId } from '#domain/names.ts';
import { accepted, begin, folder, openJournal, orderFacts, permits, RUN, rejected, row, START, sent, unknown } from './rows.ts';

const NOW = START + 3_600_000;
const SECOND = runId('20261121T030000Z-000002');
const THIRD = runId('20261121T030000Z-000003');

/** A run of `count` orders from the `first` on, with what a start has to find again besides. */
function traded(path: string, { run = RUN, first = 1, count = 300 } = {}): void {
  const journal = openJournal(path);
  begin(journal, run, START + first * 1_000);
  journal.commit([
    row('started', { who: 'kairos', why: 'a start' } as never, { n: first }),
    row('paused', { who: 'ann', why: 'news' }, { strategy: `s${first}`, reason: 'BY_PERSON', n: first }),
    row(
      'booked',
      { who: 'ann', why: 'opening', entries: [{ kind: 'opening', book: 'treasury', currency: 'usd', amount: '100' }] },
      { n: first },
    ),
  ]);
  for (let n = first; n < first + count; n += 1) {
    const order = orderFacts(n, { strategy: n % 2 ? 'sma' : 'other' });
    journal.commit([...permits(order), sent(order), n % 7 ? accepted(order) : rejected(order)]);
    if (n % 50 === 0) journal.defer([row('state', { state: `{"n":${n}}` } as never, { strategy: 'sma', n })]);
  }
  journal.end(run, 'stopped');
  journal.close();
}

function recovered(path: string): unknown {
  const journal = openJournal(path);
  const found = journal.recover(NOW);
  journal.close();
  return found;
}

const read = <Found>(path: string, look: (reader: JournalReader) => Found): Found => {
  const reader = JournalReader.open(path);
  try {
    return look(reader);
  } finally {
    reader.close();
  }
};

const money = (path: string) =>
  read(path, (reader) => ({
    fills: reader.fills(),
    ledger: [...reader.ledger()],
    latches: reader.latches(),
    base: reader.baseCurrencies(),
  }));

describe('rotation', () => {
  test('a start finds the same as before, money is as it was, and the file is smaller', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const before = { start: recovered(path), money: money(path), bytes: statSync(path).size };
    const { archive, moved, seq } = await rotateAtRest(path, NOW);
    expect({ start: recovered(path), money: money(path) }).toEqual({ start: before.start, money: before.money });
    expect(before.money.fills.length).toBeGreaterThan(200);
    expect(moved).toBeGreaterThan(800);
    expect(statSync(path).size).toBeLessThan(before.bytes * 0.7);
    expect(statSync(archive).mode & 0o777).toBe(0o400);
    expect(read(archive, (reader) => reader.end()?.seq)).toBe(seq);
  });

  test('the chain goes on from the archive, over several of them, and is verified across all', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const first = await rotateAtRest(path, NOW);
    traded(path, { run: SECOND, first: 1_001 });
    const second = await rotateAtRest(path, NOW);
    traded(path, { run: THIRD, first: 2_001, count: 10 });
    const end = read(path, (reader) => reader.end());
    const next = read(path, (reader) => reader.decision(second.seq + 1));
    expect(next?.prev_hash).toBe(read(second.archive, (reader) => reader.end())?.hash);
    expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: end?.seq, hash: end?.hash });
    expect(verifyJournal(second.archive)).toMatchObject({ ok: true, decisions: second.seq });
    expect(verifyJournal(first.archive)).toMatchObject({ ok: true, decisions: first.seq });
    // A copy elsewhere is checked with the archives that are beside the journal.
    await expect(backupJournal(path, join(folder(), 'copy.db'))).resolves.toMatchObject({ ok: true, decisions: end?.seq });
  });

  test.each<[string, (path: string, archive: string) => void, object]>([
    ['an archive that is gone', (_, archive) => renameSync(archive, `${archive}.away`), { table: 'archives', what: /put it back/ }],
    [
      'a changed row of an archive',
      (_, archive) => edit(archive, "UPDATE decisions SET detail = '{}' WHERE seq = 9"),
      { table: 'archives', what: /row 9: its hash/ },
    ],
    [
      'an archive that is another',
      (_, archive) => edit(archive, 'DELETE FROM decisions WHERE seq > 100'),
      { table: 'archives', what: /ends at row 100/ },
    ],
    [
      'a changed row that stayed',
      (path) => edit(path, "UPDATE decisions SET detail = '{}' WHERE kind = 'paused'"),
      { table: 'decisions', what: /its hash/ },
    ],
    [
      'a changed order of an archived run',
      (path) => edit(path, "UPDATE orders SET price = '1' WHERE order_id = '5-1'"),
      { table: 'orders', row: '5-1' },
    ],
    ['a changed hand-over', (path) => edit(path, "UPDATE archives SET hash = 'x'"), { table: 'archives', what: /ends at row/ }],
  ])('verify finds %s', async (_, spoil, found) => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const { archive } = await rotateAtRest(path, NOW);
    spoil(path, archive);
    const verdict = verifyJournal(path);
    expect(verdict).toMatchObject({ ok: false, ...found, ...('what' in found && { what: expect.stringMatching(found.what as RegExp) }) });
  });

  test('what is in the archive is said to be there, in one line, and is read there', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const { archive } = await rotateAtRest(path, NOW);
    const hint = `add --set journal.path=${archive}`;
    expect(() => read(path, (reader) => reader.story('5-1'))).toThrow(hint);
    expect(() => read(path, (reader) => reader.decisionsOf(RUN))).toThrow(hint);
    expect(() => RunRows.open(path, 'last')).toThrow(hint);
    expect(read(archive, (reader) => reader.story('5-1'))?.decisions).toHaveLength(4);
    expect(read(archive, (reader) => reader.decisionsOf(RUN)).length).toBeGreaterThan(1_000);
  });

  test('an open order forbids it, and nothing has happened; so does a journal with nothing new', async () => {
    const path = join(folder(), 'kairos.db');
    const journal = openJournal(path);
    begin(journal);
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order), unknown(order)]);
    journal.close();
    const bytes = readFileSync(path);
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({ code: 'ACT_REFUSED' });
    expect(readFileSync(path).subarray(100).equals(bytes.subarray(100))).toBe(true);
    const other = join(folder(), 'kairos.db');
    traded(other, { count: 5 });
    await rotateAtRest(other, NOW);
    await expect(rotateAtRest(other, NOW)).rejects.toMatchObject({ code: 'ACT_REFUSED' });
  });

  test('a running daemon forbids it', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path, { count: 5 });
    const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({ code: 'JOURNAL_LEASED' });
    journal.close();
  });

  test('what a rotation left that was cut off before its rows went is replaced by the next', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path, { count: 20 });
    const seq = read(path, (reader) => reader.end()?.seq ?? 0);
    await backupJournal(path, `${path}.archive-${seq}`);
    chmodSync(`${path}.archive-${seq}`, 0o400);
    expect(verifyJournal(path)).toMatchObject({ ok: true });
    await rotateAtRest(path, NOW);
    expect(verifyJournal(path)).toMatchObject({ ok: true });
    expect(existsSync(`${path}.archive-${seq}.partial`)).toBe(false);
  });
});

test('a start rotates once there are enough decisions, or in another month, and not before', async () => {
  const path = join(folder(), 'kairos.db');
  expect(isRotationDue(path, { decisions: 1, monthly: true }, NOW)).toBe(false);
  traded(path, { count: 10 });
  expect(isRotationDue(path, { decisions: null, monthly: false }, NOW)).toBe(false);
  expect(isRotationDue(path, { decisions: 1_000, monthly: true }, NOW)).toBe(false);
  expect(isRotationDue(path, { decisions: 43, monthly: false }, NOW)).toBe(true);
  const december = Date.UTC(2026, 11, 1);
  expect(isRotationDue(path, { decisions: null, monthly: true }, december)).toBe(true);
  await rotateAtRest(path, december);
  expect(isRotationDue(path, { decisions: 43, monthly: true }, december)).toBe(false);
});

function edit(path: string, sql: string): void {
  chmodSync(path, 0o600);
  const database = new Database(path);
  database.exec(sql);
  database.close();
}
