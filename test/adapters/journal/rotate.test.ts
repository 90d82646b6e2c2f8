import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { journalHealth } from '#adapters/journal/health.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { hashOf } from '#adapters/journal/records.ts';
import { resolveOrder } from '#adapters/journal/resolve.ts';
import { isRotationDue, rotateAtRest } from '#adapters/journal/rotate.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import type { Decision, DecisionDetails, DecisionKind } from '#domain/decision.ts';
import { DECISION_KINDS } from '#domain/decision-kinds.ts';
import { isoTime, productCode, runId } from '#domain/names.ts';
import { printed } from '../../support/printed.ts';
import {
  accepted,
  begin,
  folder,
  openFilesIn,
  openJournal,
  orderFacts,
  permits,
  RUN,
  rejected,
  row,
  START,
  sent,
  unknown,
} from './rows.ts';

const NOW = START + 3_600_000;
const SECOND = runId('20261121T030000Z-000002');
const THIRD = runId('20261121T030000Z-000003');

const BY = { who: 'ann', why: 'news' };
const ACTION = { actionId: 'a', name: 'n', action: 'remote.pause', arguments: {}, dueAt: isoTime(START), askedAt: isoTime(START) };
const HELD = [{ book: 'sma', product: 'btcusd', size: '1' }];

/** Details that a start reads, by kind. */
const READ: { readonly [Kind in DecisionKind]?: Partial<DecisionDetails[Kind]> } = {
  working: { work: 'plan', lasting: false, onLegFailure: 'keep', signals: {}, legs: [] },
  worked: { work: 'plan' },
  peak: { price: '1', openedAt: START },
  state: { state: '{}', by: 'quote' },
  action: { ...ACTION, status: 'asked', httpStatus: null, response: '' },
  notification: { id: 'n', receivedAt: isoTime(START), type: 'X', transferId: null, status: 'unknown_type', body: '{}', by: null },
  signal: { source: 'model', id: 't-17', madeAt: null, value: { side: 'buy' } },
  scheduled: { lines: [{ name: 'n', cron: '* * * * *', timezone: 'UTC', action: 'bot.halt', upTo: isoTime(START), next: null }] },
  booked: { ...BY, entries: [{ kind: 'opening', book: 'treasury', currency: 'usd', amount: '100' }], upTo: isoTime(START) },
  by_hand: { ...BY, act: 'close', wants: {}, held: HELD },
  by_hand_end: { id: '2' },
  resumed: { ...BY, anew: true },
  armed: { ...BY, configHash: 'c', config: '', build: 'b' },
  measured: { day: '2026-11-21', byCurrency: {} },
  learned: { size: '2', currency: 'BTC', lane: 'x' },
};

/** Kinds that say something of an order; what a start reads of orders has its own test. */
const OF_ORDERS = /^(intent|approved|sent|expired|not_sent|accepted|rejected|unknown|resolved)$/;

/** A run of `count` orders from the `first` on, with what a start has to find again besides. */
function traded(path: string, { run = RUN, first = 1, count = 20, ends = true } = {}): void {
  const journal = openJournal(path);
  begin(journal, run, START + first * 1_000);
  const of = { strategy: 'sma', n: first };
  const inProduct = (decision: Decision): Decision => ({ ...decision, product: productCode('btcusd') });
  const work = (name: string): Decision =>
    row('working', { work: name, lasting: false, onLegFailure: 'keep', signals: {}, legs: [] } as never, of);
  const rows: Decision[] = [
    row('started', { who: 'kairos', why: 'a start' } as never, { n: first }),
    row('paused', BY, { strategy: `s${first}`, reason: 'BY_PERSON', n: first }),
    row('booked', { ...BY, entries: [{ kind: 'opening', book: 'treasury', currency: 'usd', amount: '100' }] }, { n: first }),
    ...[work('done'), work(`plan-${first}`), row('worked', { work: 'done' }, of)],
    ...['1', '2'].map((price) => inProduct(row('peak', { price, openedAt: START }, of))),
    inProduct({ ...row('exit', { rule: 'stopLossPct' } as never, of), reason: 'STOP_LOSS' }),
    inProduct(row('learned', { size: '2', currency: 'BTC', lane: 'x' }, of)),
  ];
  for (let n = first; n < first + count; n += 1) {
    const order = orderFacts(n, { strategy: n % 2 ? 'sma' : 'other' });
    const [intent, approved] = permits(order);
    const planned = intent?.kind === 'intent' ? { ...intent, detail: { ...intent.detail, work: `plan-${first}/0` } } : undefined;
    rows.push(
      (n === first + 2 && planned) || (intent as Decision),
      approved as Decision,
      sent(order),
      n % 7 ? accepted(order) : rejected(order),
    );
    if (n % 5 === 0) rows.push(row('state', { state: `{"n":${n}}`, by: 'quote' }, { strategy: 'sma', n }));
  }
  journal.commit(rows);
  if (ends) journal.end(run, 'stopped');
  journal.close();
}

/** A run that left an order of unknown outcome. */
function leftUnknown(path: string, n: number) {
  const journal = openJournal(path);
  begin(journal);
  const order = orderFacts(n);
  journal.commit([...permits(order), sent(order), unknown(order)]);
  journal.close();
  return order;
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

/** What a command about a journal says on standard error. */
async function noted(path: string, words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => said.push(String(chunk)) > 0);
  await printed([...words, '--set', `journal.path=${path}`]).finally(() => spy.mockRestore());
  return said.join('');
}

describe('rotation', () => {
  test('what a rotation that was cut off has left is removed by the next one, and nothing else is', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const left = ['kairos.db.archive-7.partial', 'kairos.db.archive-7.partial-journal'];
    for (const name of [...left, 'other.db.archive-7.partial']) writeFileSync(join(dirname(path), name), 'half a copy');
    const { archive } = await rotateAtRest(path, NOW);
    const partial = readdirSync(dirname(path)).filter((name) => name.includes('.archive-'));
    expect(partial.sort()).toEqual([basename(archive), 'other.db.archive-7.partial']);
  });

  test.each([
    ['a clean end', true],
    ['a crash, whose last snapshot is of an archived row', false],
  ])('after %s a start finds the same as before, money is as it was, and the file is smaller', async (_, ends) => {
    const path = join(folder(), 'kairos.db');
    traded(path, { count: 60 });
    traded(path, { run: SECOND, first: 1_001, ends });
    const before = { start: recovered(path), money: money(path), bytes: statSync(path).size };
    expect(before.start).toMatchObject({ snapshotFault: null, works: [{ tries: [{ leg: 0 }] }, { tries: [{ leg: 0 }] }] });
    const page = JournalReader.open(path);
    const { archive, moved, seq } = await rotateAtRest(path, NOW);
    // At once, although somebody has the file open and reads on.
    expect([statSync(path).size < before.bytes * 0.7, statSync(`${path}-wal`).size]).toEqual([true, 0]);
    page.close();
    expect({ start: recovered(path), money: money(path) }).toEqual({ start: before.start, money: before.money });
    expect(before.money.fills.length).toBeGreaterThan(60);
    expect(moved).toBeGreaterThan(200);
    expect(statSync(archive).mode & 0o777).toBe(0o400);
    expect(read(archive, (reader) => reader.end()?.seq)).toBe(seq);
  });

  test.each(Object.keys(DECISION_KINDS).filter((kind) => !OF_ORDERS.test(kind)))('what a start reads of a row `%s` stays', async (kind) => {
    const path = join(folder(), 'kairos.db');
    const journal = openJournal(path);
    begin(journal);
    const detail = { ...BY, ...READ[kind as DecisionKind] } as never;
    const told = { ...row(kind as DecisionKind, detail, { strategy: 'sma', n: 2, reason: 'BY_PERSON' }), product: productCode('btcusd') };
    journal.commit([row('started', BY as never), told as Decision, row('hold', BY as never, { n: 3 })]);
    journal.end(RUN, 'stopped');
    journal.close();
    const before = recovered(path);
    await rotateAtRest(path, NOW);
    expect(recovered(path)).toEqual(before);
  });

  test('a clock that was set back changes nothing: losses are counted from where they were, over several rotations', async () => {
    const path = join(folder(), 'kairos.db');
    const anew = row('resumed', { ...BY, anew: true }, { n: 1 });
    const lost = (n: number): Decision[] =>
      [orderFacts(n), orderFacts(n + 1, { side: 'sell', price: '60000', value: '600' })].flatMap((order) => [
        ...permits(order),
        sent(order),
        accepted(order),
      ]);
    const losses: number[] = [];
    for (const [at, rows] of [[...lost(301), anew, ...lost(601)], [anew, ...lost(901)], [anew]].entries()) {
      const journal = openJournal(path);
      begin(journal, runId(`r${at}`));
      journal.commit(rows);
      journal.end(runId(`r${at}`), 'stopped');
      losses.push(journal.recover(NOW).books.lossesOfAll);
      journal.close();
      const before = recovered(path);
      expect(verifyJournal(path)).toMatchObject({ ok: true });
      await rotateAtRest(path, NOW + at);
      expect([recovered(path), verifyJournal(path)]).toMatchObject([before, { ok: true }]);
    }
    expect(losses).toEqual([1, 1, 0]);
  });

  test('where a start would find another state, nothing is moved, and no copy is left', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const before = money(path);
    edit(path, "CREATE TRIGGER strange AFTER DELETE ON decisions BEGIN DELETE FROM ledger WHERE kind = 'opening'; END");
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({
      code: 'JOURNAL_BROKEN',
      message: expect.stringMatching(/nothing was moved/),
    });
    expect(money(path)).toEqual(before);
    expect(readdirSync(dirname(path)).filter((file) => file.includes('archive'))).toEqual([]);
    expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: 94 });
  });

  test.each<[name: string, spoil: (path: string) => void, code: string, message: RegExp]>([
    ['is not there', (path) => rmSync(path), 'NOT_FOUND', /there is no journal/],
    [
      'has no decisions',
      (path) => edit(path, 'DELETE FROM decisions; DELETE FROM orders; DELETE FROM ledger'),
      'ACT_REFUSED',
      /no decisions/,
    ],
    ['has a changed row', (path) => edit(path, "UPDATE decisions SET reason = 'BUDGET' WHERE seq = 90"), 'JOURNAL_BROKEN', /row 90/],
    ['has lost its last rows', (path) => edit(path, 'DELETE FROM decisions WHERE seq > 90'), 'JOURNAL_BROKEN', /rows are missing/],
    ['is no journal', (path) => writeFileSync(path, 'a letter to a friend, of some length'), 'JOURNAL_UNUSABLE', /is not an SQLite file/],
  ])('a journal that %s is not rotated', async (name, spoil, code, message) => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    if (name === 'has no decisions') rmSync(`${path}.mark`);
    spoil(path);
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(readdirSync(dirname(path)).filter((file) => /archive|pid|wal/.test(file))).toEqual([]);
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
    [
      'a changed row of an archive',
      (_, archive) => edit(archive, "UPDATE decisions SET detail = '{}' WHERE seq = 9"),
      { table: 'archives', what: /row 9: its hash.*: put back a copy of this archive; trading goes on without it$/ },
    ],
    [
      'an archive that is another',
      (_, archive) => edit(archive, 'DELETE FROM decisions WHERE seq > 60'),
      { table: 'archives', what: /ends at row 60, not at row 94 as it did: put back a copy of this archive; trading goes on without it$/ },
    ],
    [
      'an archive whose first pages are gone',
      (_, archive) => spoilt(archive, (bytes) => bytes.fill(0, 0, 8192)),
      { table: 'archives', what: /^it cannot be read \(file is not a database\): put back a copy of this archive; trading goes on/ },
    ],
    [
      'a changed entry of an archived run, which is not laid to the archive alone',
      (path) => edit(path, "UPDATE ledger SET amount = '5' WHERE entry_id = 4"),
      { table: 'archives', what: /ledger row 4: amount is "5", the decisions say "[^"]+"$/ },
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
    [
      'a row that stayed and was changed, its hash with it',
      (path) => {
        edit(path, "UPDATE decisions SET detail = '{}' WHERE kind = 'paused'");
        const changed = read(path, (reader) => reader.decision(2));
        if (changed) edit(path, `UPDATE decisions SET hash = '${hashOf(changed)}' WHERE seq = 2`);
      },
      { table: 'decisions', row: '2', what: /it is another row in its archive/ },
    ],
    [
      'an archive that ends elsewhere',
      (path) => edit(path, 'UPDATE archives SET seq = 95'),
      { table: 'archives', what: /row 94, not at row 95/ },
    ],
    [
      'a changed hand-over',
      (path) => edit(path, "UPDATE archives SET hash = 'x'"),
      { table: 'archives', what: /ends with another row 94: put back/ },
    ],
  ])('verify finds %s', async (_, spoil, found) => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const { archive } = await rotateAtRest(path, NOW);
    spoil(path, archive);
    const verdict = verifyJournal(path);
    expect(openFilesIn(dirname(path))).toEqual([]);
    expect(verdict).toMatchObject({ ok: false, ...found, ...('what' in found && { what: expect.stringMatching(found.what as RegExp) }) });
  });

  test('F52 a backup put back without its archives is whole, says which are missing, and goes on to be backed up and rotated', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const first = await rotateAtRest(path, NOW);
    traded(path, { run: SECOND, first: 1_001 });
    const archives = [basename(first.archive)];
    const alone = join(folder(), 'kairos.db');
    await expect(backupJournal(path, alone)).resolves.toMatchObject({ archives, missing: [] });
    expect(verifyJournal(path)).toMatchObject({ ok: true, missing: [] });
    expect(verifyJournal(alone)).toEqual({ ...verifyJournal(path), missing: archives, unchecked: archives });
    expect(journalHealth(alone)).toMatchObject({ wrong: null, missingArchives: archives });
    expect({ start: recovered(alone), money: money(alone) }).toEqual({ start: recovered(path), money: money(path) });
    await expect(backupJournal(alone, `${alone}.copy`)).resolves.toMatchObject({ archives, missing: archives });
    const second = await rotateAtRest(alone, NOW);
    traded(alone, { run: THIRD, first: 2_001 });
    expect(verifyJournal(alone)).toMatchObject({ ok: true, archives: [...archives, basename(second.archive)], missing: archives });
    edit(alone, "UPDATE orders SET price = '1' WHERE order_id = '1005-1'");
    expect(verifyJournal(alone)).toMatchObject({ ok: false, table: 'orders', row: '1005-1' });
    expect([...openFilesIn(dirname(path)), ...openFilesIn(dirname(alone))]).toEqual([]);
  });

  test('F51 a page of an archive that went bad is told as its own, and backups and rotations go on', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const { archive } = await rotateAtRest(path, NOW);
    traded(path, { run: SECOND, first: 1_001 });
    spoilt(archive, (bytes) => {
      const page = Math.floor(bytes.indexOf('fast above slow') / 4096) * 4096;
      return bytes.fill(1, page, page + 4096);
    });
    const found = {
      ok: false,
      table: 'archives',
      row: basename(archive),
      what: 'it cannot be read (database disk image is malformed): put back a copy of this archive; trading goes on without it',
    };
    expect(verifyJournal(path)).toEqual(found);
    await expect(backupJournal(path, join(folder(), 'copy.db'))).resolves.toMatchObject({
      ok: true,
      archives: [basename(archive)],
      missing: [],
    });
    const second = await rotateAtRest(path, NOW);
    expect([verifyJournal(path), verifyJournal(second.archive)]).toEqual([found, found]);
    expect(openFilesIn(dirname(path))).toEqual([]);
    // Without it the check begins behind it.
    rmSync(archive);
    expect(verifyJournal(path)).toMatchObject({ ok: true, missing: [basename(archive)] });
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
    expect(read(archive, (reader) => reader.decisionsOf(RUN))).toHaveLength(94);
    traded(path, { run: SECOND, first: 1_001 });
    expect(read(path, (reader) => reader.archivedOrders(['1001-1', 'x']))).toEqual([]);
    for (const form of ['--json', '--csv'])
      expect(await noted(path, ['orders', form, '-n', '30'])).toBe(
        `the decisions of some of these orders are in the archive ${archive}: ${hint}\n`,
      );
    expect(await noted(path, ['orders', '--json', '-n', '5'])).toBe('');
  });

  test('the runs in the archive are all there were, though the last row settled an order of an older one', async () => {
    const path = join(folder(), 'kairos.db');
    const order = leftUnknown(path, 500);
    traded(path, { run: SECOND, first: 1_001 });
    resolveOrder({ path, orderId: order.id, as: 'rejected', ...BY, now: NOW });
    const { archive } = await rotateAtRest(path, NOW);
    const hint = `add --set journal.path=${archive}`;
    for (const run of [RUN, SECOND]) expect(() => read(path, (reader) => reader.decisionsOf(run))).toThrow(hint);
    expect(read(path, (reader) => reader.archivedOrders(['1005-1']))).toEqual([expect.stringContaining(hint)]);
  });

  test('an order of a halt drill is told apart as before', async () => {
    const path = join(folder(), 'kairos.db');
    const journal = openJournal(path);
    begin(journal);
    const order = orderFacts(1);
    const drill = { ...BY, verdict: 'passed', outcome: 'not_sent', orderId: order.id, shutMs: 1, stoppedMs: 2 } as const;
    const kept = row('not_sent', { why: 'trading is halted' }, { order, reason: 'GATE_HALTED', n: 2 });
    journal.commit([...permits(order), kept, row('drill', drill), row('hold', BY as never, { n: 3 })]);
    journal.end(RUN, 'stopped');
    journal.close();
    const orders = () => read(path, (reader) => statusReport(reader).orders);
    const before = orders();
    await rotateAtRest(path, NOW);
    expect([before, orders()]).toEqual([{ drill: 1 }, { drill: 1 }]);
  });

  test('an open order forbids it, and nothing has happened; so does a journal with nothing new', async () => {
    const path = join(folder(), 'kairos.db');
    leftUnknown(path, 1);
    const bytes = readFileSync(path);
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({ code: 'ACT_REFUSED' });
    expect(readFileSync(path).subarray(100).equals(bytes.subarray(100))).toBe(true);
    const other = join(folder(), 'kairos.db');
    traded(other);
    await rotateAtRest(other, NOW);
    await expect(rotateAtRest(other, NOW)).rejects.toMatchObject({ code: 'ACT_REFUSED' });
  });

  test('a running daemon forbids it', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
    const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
    await expect(rotateAtRest(path, NOW)).rejects.toMatchObject({ code: 'JOURNAL_LEASED' });
    journal.close();
  });

  test('what a rotation left that was cut off before its rows went is replaced by the next', async () => {
    const path = join(folder(), 'kairos.db');
    traded(path);
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
  const december = Date.UTC(2026, 11, 1);
  expect(isRotationDue(path, { decisions: 1, monthly: true }, NOW)).toBe(false);
  openJournal(path).close();
  expect(isRotationDue(path, { decisions: 1, monthly: true }, december)).toBe(false);
  traded(path);
  const due = (decisions: number | null, monthly: boolean, now = NOW) => isRotationDue(path, { decisions, monthly }, now);
  expect([due(null, false, december), due(1_000, true), due(95, true)]).toEqual([false, false, false]);
  expect([due(94, false), due(null, true, december), due(null, true, december - 1)]).toEqual([true, true, false]);
  const letter = join(folder(), 'letter.db');
  writeFileSync(letter, 'a letter to a friend, of some length');
  // Where no rotation is wanted, nothing is looked at.
  expect(isRotationDue(letter, { decisions: null, monthly: false }, NOW)).toBe(false);
  expect([due(1_000, false, december), openFilesIn(dirname(path))]).toEqual([false, []]);
  await rotateAtRest(path, december);
  expect([due(1, true, december), due(1, true, Date.UTC(2027, 0, 1))]).toEqual([false, false]);
  traded(path, { run: SECOND, first: 1_001 });
  expect([due(95, true, NOW), due(94, false, NOW)]).toEqual([false, true]);
});

function edit(path: string, sql: string): void {
  chmodSync(path, 0o600);
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

function spoilt(path: string, change: (bytes: Buffer) => Buffer): void {
  chmodSync(path, 0o600);
  writeFileSync(path, change(readFileSync(path)));
}
