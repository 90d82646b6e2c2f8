import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type DecisionRecord, hashOf } from '#adapters/journal/records.ts';
import { Snapshots } from '#adapters/journal/snapshots.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import type { Decision } from '#domain/decision.ts';
import { runId } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, begin, begun, folder, moved, openFilesIn, openJournal, orderFacts, permits, rejected, row, sent } from './rows.ts';

/** A journal of twelve rows and three orders, as its daemon left it. */
function written(): string {
  const journal = JournalInMemory.of();
  for (const n of [1, 2, 3]) {
    const order = orderFacts(n);
    journal.add(...permits(order), sent(order), n === 2 ? rejected(order) : accepted(order));
  }
  new Snapshots(journal.database).keep();
  const path = journal.kept();
  const end = journal.database.prepare('SELECT seq, hash FROM decisions ORDER BY seq DESC').get();
  writeFileSync(`${path}.mark`, JSON.stringify(end));
  return path;
}

function tamper(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

/** Hashes everything anew from a row on, as someone would who knows how. */
function rechain(path: string): void {
  const database = new Database(path);
  let prev = '0'.repeat(64);
  const update = database.prepare('UPDATE decisions SET prev_hash = ?, hash = ? WHERE seq = ?');
  for (const record of database.prepare<[], DecisionRecord>('SELECT * FROM decisions ORDER BY seq').all()) {
    const hash = hashOf({ ...record, prev_hash: prev });
    update.run(prev, hash, record.seq);
    prev = hash;
  }
  database.close();
}

test('a whole journal is found whole, and no file of it stays open', () => {
  const path = written();
  expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: 12, orders: 3, ledger: 6, actions: 0 });
  expect(openFilesIn(dirname(path))).toEqual([]);
});

test('what is no journal is not verified, but told', () => {
  const path = join(folder(), 'kairos.db');
  expect(() => verifyJournal(path)).toThrow(/there is no journal/);
  writeFileSync(path, 'a letter to a friend, of some length');
  expect(() => verifyJournal(path)).toThrow(/is not an SQLite file/);
});

describe('a long journal', () => {
  const holds = (count: number) => Array.from({ length: count }, (_, n) => row('hold', { why: `${n}`, signals: {} }));

  test('tells how much of it is checked, never more than all, though a daemon starts and writes meanwhile', () => {
    const path = JournalInMemory.of(...holds(1_000)).kept();
    const shares: number[] = [];
    const onShare = (share: number): void => {
      if (shares.push(share) === 1) goOn(path, holds(500));
    };
    expect(verifyJournal(path, onShare)).toMatchObject({ ok: true, decisions: 1_500 });
    expect(shares).toEqual([0.5, 1, 1]);
  });

  test.each([0.3, 0.6])('is whole though a rotation moves its rows to an archive once %f of it are checked', (share) => {
    const path = JournalInMemory.of(...holds(1_499)).kept();
    let isMoved = false;
    const onShare = (now: number): void => {
      if (isMoved || now < share) return;
      isMoved = true;
      moved(path);
      goOn(path, holds(2));
    };
    expect(verifyJournal(path, onShare)).toMatchObject({ ok: true, decisions: 1_501, archives: ['kairos.db.archive'] });
  });

  test('is checked up to what the daemon wrote last', () => {
    const path = JournalInMemory.of(...holds(996)).kept();
    const told = verifyJournal(path, () => {
      goOn(path, holds(2));
      tamper(path, "UPDATE decisions SET reason = 'HOLD' WHERE seq = 998");
    });
    expect(told).toMatchObject({ ok: false, table: 'decisions', row: '998' });
  });
});

/** Goes on with a journal in a file as a daemon does that is started during the check. */
function goOn(path: string, decisions: readonly Decision[]): void {
  const journal = openJournal(path);
  begin(journal, runId('20261121T040000Z-000002'));
  journal.commit(decisions);
  journal.close();
}

test('F51 a row that goes on from another than the one before it is found, though its own hash is right', () => {
  const path = written();
  const database = new Database(path);
  const record = database.prepare<[], DecisionRecord>('SELECT * FROM decisions WHERE seq = 12').get();
  if (!record) throw new Error('twelve rows');
  const prev_hash = '0'.repeat(64);
  database.prepare('UPDATE decisions SET prev_hash = ?, hash = ? WHERE seq = 12').run(prev_hash, hashOf({ ...record, prev_hash }));
  database.close();
  expect(verifyJournal(path)).toMatchObject({ ok: false, row: '12', what: 'it does not follow row 11: prev_hash is another' });
});

describe('F51 actions and notifications follow from the decisions, too', () => {
  const action = { actionId: '5-1', name: 'night', action: 'remote.pauseAll', arguments: {}, dueAt: 't', askedAt: 't' } as const;
  const about = { id: 'n-1', receivedAt: 't', type: 'DEPOSIT', transferId: null, by: null };
  const journal = () =>
    JournalInMemory.of(
      row('action', { ...action, status: 'asked', httpStatus: null, response: '' }),
      row('action', { ...action, status: 'confirmed', httpStatus: 200, response: 'done' }),
      row('notification', { ...about, status: 'late', body: '{}' }),
      row('notification', { ...about, status: 'booked', body: '{}' }),
    );

  test('and are found whole', () => {
    expect(verifyJournal(journal().kept())).toMatchObject({ ok: true, actions: 1, notifications: 1 });
  });

  const long = 'x'.repeat(79);
  test.each([
    ['a changed answer', "UPDATE actions SET status = 'failed'", 'status is "failed", the decisions say "confirmed"'],
    ['a long one', `UPDATE actions SET response = '${long}'`, `response is "${long}..., the decisions say "done"`],
    ['one that fits', `UPDATE actions SET response = '${long.slice(1)}'`, `response is "${long.slice(1)}", the decisions say "done"`],
    ['an action taken out', 'DELETE FROM actions', 'a row that the decisions lead to is missing'],
    ['a changed notification', "UPDATE notifications SET status = 'late'", 'status is "late", the decisions say "booked"'],
    ['a notification taken out', 'DELETE FROM notifications', 'a row that the decisions lead to is missing'],
    ['another notification', "INSERT INTO notifications VALUES ('n-2', 't', 'x', null, 'late', '')", 'no decision leads to it'],
  ])('%s', (_, sql, what) => {
    const spoilt = journal();
    spoilt.database.exec(sql);
    const [table, bad] = sql.includes('actions') ? ['actions', '5-1'] : ['notifications', sql.includes('n-2') ? 'n-2' : 'n-1'];
    expect(verifyJournal(spoilt.kept())).toEqual({ ok: false, table, row: bad, what });
  });
});

describe('F51 what was changed behind the back of the journal is found, and the first bad row named', () => {
  const cases: [name: string, sql: string, found: { table: string; row: string; what: RegExp }][] = [
    [
      'a column of a decision',
      "UPDATE decisions SET reason = 'HTTP_OK' WHERE seq = 5",
      { table: 'decisions', row: '5', what: /row was changed/ },
    ],
    [
      'the detail of a decision',
      `UPDATE decisions SET detail = replace(detail, '0.01', '0.02') WHERE seq = 2`,
      { table: 'decisions', row: '2', what: /row was changed/ },
    ],
    ['a hash', "UPDATE decisions SET hash = 'abc' WHERE seq = 3", { table: 'decisions', row: '3', what: /row was changed/ }],
    ['a decision taken out', 'DELETE FROM decisions WHERE seq = 6', { table: 'decisions', row: '7', what: /5 is followed by 7/ }],
    ['a first decision taken out', 'DELETE FROM decisions WHERE seq = 1', { table: 'decisions', row: '2', what: /0 is followed by 2/ }],
    [
      'the last decisions taken out',
      'DELETE FROM decisions WHERE seq > 9',
      { table: 'decisions', row: '12', what: /high-water mark is row 12, the journal ends at 9/ },
    ],
    [
      'a decision put in',
      'INSERT INTO decisions SELECT seq + 1, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, hash, hash FROM decisions WHERE seq = 12',
      { table: 'decisions', row: '13', what: /row was changed/ },
    ],
    ['a run of a decision', "UPDATE decisions SET run_id = 'other' WHERE seq = 4", { table: 'decisions', row: '4', what: /not in runs/ }],
    [
      "an order's state",
      "UPDATE orders SET state = 'accepted' WHERE order_id = '2-1'",
      { table: 'orders', row: '2-1', what: /state is "accepted", the decisions say "rejected"/ },
    ],
    ["an order's price", "UPDATE orders SET price = '1' WHERE order_id = '3-1'", { table: 'orders', row: '3-1', what: /price/ }],
    ['an order taken out', "DELETE FROM orders WHERE order_id = '3-1'", { table: 'orders', row: '3-1', what: /missing/ }],
    [
      'an amount',
      "UPDATE ledger SET amount = '5' WHERE entry_id = 4",
      { table: 'ledger', row: '4', what: /amount is "5", the decisions say "0.01"/ },
    ],
    ['a ledger entry taken out', 'DELETE FROM ledger WHERE entry_id = 6', { table: 'ledger', row: '6', what: /missing/ }],
    [
      'a ledger entry put in',
      "INSERT INTO ledger VALUES (7, 'r', 'now', 'sma', 'btcusd', 'fill', 'USD', '1000', null)",
      { table: 'ledger', row: '7', what: /no decision/ },
    ],
    [
      'an action put in',
      "INSERT INTO actions VALUES ('a', 'r', 'n', 'x', '{}', 't', 't', 'asked', null, '')",
      { table: 'actions', row: 'a', what: /no decision/ },
    ],
  ];
  for (const [name, sql, { table, row: bad, what }] of cases) {
    test(name, () => {
      const path = written();
      tamper(path, sql);
      expect(verifyJournal(path)).toEqual({ ok: false, table, row: bad, what: expect.stringMatching(what) });
      if (table === 'decisions' && !name.startsWith('a run')) expect(() => openJournal(path)).toThrow(/decisions row|rows are missing/);
    });
  }

  test('I20 even when the whole chain was hashed anew, since the mark remembers', () => {
    const path = written();
    tamper(path, `UPDATE decisions SET detail = replace(detail, 'fast above', 'moon above') WHERE seq = 1`);
    rechain(path);
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'decisions', row: '12' });
  });

  test('a detail that was made nonsense, chain and mark with it', () => {
    const path = written();
    tamper(path, `UPDATE decisions SET detail = '{"fill":7}' WHERE kind = 'accepted' AND seq = 4`);
    rechain(path);
    rmSync(`${path}.mark`);
    expect(verifyJournal(path)).toMatchObject({
      ok: false,
      table: 'decisions',
      row: '4',
      what: expect.stringMatching(/^its detail cannot be read/),
    });
  });

  test('pages overwritten with noise', () => {
    const path = written();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096, bytes.length);
    writeFileSync(path, bytes);
    expect(verifyJournal(path)).toMatchObject({ ok: false, table: 'file' });
    expect(() => openJournal(path)).toThrow(/JOURNAL|journal/);
  });

  test('a page of the ledger that went bad, which is not laid to a decision', () => {
    const orders = Array.from({ length: 100 }, (_, n) => orderFacts(n + 1));
    const journal = JournalInMemory.of(...orders.flatMap((order) => [...permits(order), accepted(order)]));
    const path = journal.kept();
    const first = journal.database.prepare("SELECT pageno FROM dbstat WHERE name = 'ledger' AND path = '/000/'").pluck().get();
    const bytes = readFileSync(path);
    bytes.fill(1, (Number(first) - 1) * 4096, Number(first) * 4096);
    writeFileSync(path, bytes);
    expect(verifyJournal(path)).toEqual({ ok: false, table: 'file', row: path, what: 'database disk image is malformed' });
  });
});

test('F50 an old copy put back is refused at the start, and taken when the mark is removed as the line says', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  journal.close();
  copyFileSync(path, `${path}.old`);
  const later = openJournal(path);
  later.beginRun({ run: runId('20261121T040000Z-000002'), at: 1, mode: 'paper', version: '', configHash: '', configJson: '{}' });
  later.commit([row('paused', { who: 'me', why: 'x' })]);
  later.close();
  copyFileSync(`${path}.old`, path);
  expect(() => openJournal(path)).toThrow(
    /high-water mark is row 3, the journal ends at 2: restore the newest whole copy, or remove \S+\.mark to go on without these rows$/,
  );
  rmSync(`${path}.mark`);
  openJournal(path);
});

test('F50 a journal that is gone under its mark stops a start, which says what to do and leaves no new one behind', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  journal.close();
  renameSync(path, `${path}.aside`);
  rmSync(`${path}.lease`);
  expect(() => openJournal(path)).toThrow(
    /^journal \S+ is not there, and its mark \S+\.mark knows row \d+: put the journal back or restore its newest copy, or remove \S+\.mark to begin a new journal[^:\n]*$/,
  );
  expect(readdirSync(dirname(path)).sort()).toEqual(['kairos.db.aside', 'kairos.db.mark']);
  renameSync(`${path}.aside`, path);
  openJournal(path).close();
  expect(verifyJournal(path)).toMatchObject({ ok: true, orders: 1 });
  rmSync(path);
  rmSync(`${path}.mark`);
  openJournal(path);
});

test('F50 a write-ahead log that was removed under a killed daemon is found by the mark', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  journal.flush();
  // As a SIGKILL leaves it: the file without its write-ahead log, the mark as it was.
  const left = join(folder(), 'kairos.db');
  copyFileSync(path, left);
  copyFileSync(`${path}.mark`, `${left}.mark`);
  expect(() => openJournal(left)).toThrow(/rows are missing/);
});

test('the check runs beside a daemon that goes on writing', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (let n = 1; n <= 40; n += 1) {
    const order = orderFacts(n);
    journal.commit([...permits(order), accepted(order)]);
    if (n % 8 === 0) expect(verifyJournal(path)).toMatchObject({ ok: true, orders: n });
    if (n % 5 === 0) journal.flush();
  }
});

test('a mark that cannot be read is said, not passed over', () => {
  const path = written();
  writeFileSync(`${path}.mark`, '{"seq":');
  expect(() => openJournal(path)).toThrow(/mark .* cannot be read/);
  expect(verifyJournal(path)).toMatchObject({ ok: false });
});

test('I20 the start checks the end of a long journal without reading all of it', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(Array.from({ length: 2_500 }, (_, n) => row('hold', { why: `${n}`, signals: {} })));
  journal.close();
  openJournal(path).close();
  tamper(path, "UPDATE decisions SET reason = 'HOLD' WHERE seq = 2400");
  expect(() => openJournal(path)).toThrow(/decisions row 2400/);
});
