import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION, schemaAfter } from '#adapters/journal/schema.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { BEHAVIOURS } from '#domain/behaviours.ts';
import { parityOf } from '#research/parity/parity.ts';
import { moved } from '../../adapters/journal/rows.ts';
import { folderOfTests } from '../../support/folder.ts';

const KEPT = new URL('../../kept/', import.meta.url);
const RUN = '20261128T033616Z-243693';
const STRATEGY = `import { above, buy, mid, observe, param, sell, sma, strategy } from 'kairos/strategy';

export default strategy({
  name: 'cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2 }) },
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', sma(fast)), observe('slow', sma(slow)))),
  decide: (standing, { position, amount }) =>
    standing === 'above' && position.isFlat ? buy(amount, 'fast above slow')
    : standing === 'below' && position.isLong ? sell('position', 'fast below slow')
    : undefined,
});
`;

/** What Kairos 0.1.0 left as it was killed: seven orders, of which one was of unknown outcome and one was on its way. */
describe('a journal and a recording of 0.1.0', () => {
  const cwd = folderOfTests();
  const journal = path.join(cwd, 'kairos.db');
  beforeAll(() => {
    const database = new Database(journal);
    database.exec(readFileSync(new URL('journal-0.1.0.sql', KEPT), 'utf8'));
    database.close();
    for (const folder of ['strategies', `recordings/${RUN}`]) mkdirSync(path.join(cwd, folder), { recursive: true });
    cpSync(new URL('recording-0.1.0.ndjson', KEPT), path.join(cwd, 'recordings', RUN, 'inbox.ndjson'));
    writeFileSync(path.join(cwd, 'strategies/cross.ts'), STRATEGY);
  });

  test('a replay comes to the same decisions until one is written otherwise, and names what has changed since', async () => {
    expect(verifyJournal(journal)).toMatchObject({ ok: true, decisions: 35 });
    const set = [`journal.path=${journal}`, `recording.dir=${path.join(cwd, 'recordings')}`];
    const { settings } = loadConfig({ files: [], set, env: {}, cwd, live: false });
    const { remarks, compared, difference } = await parityOf({ settings, run: 'last', folders: { cwd, packaged: PACKAGED_STRATEGIES } });
    expect(compared.decisions).toBe(34);
    expect(difference?.fields).toEqual([
      { field: 'detail.position', recorded: undefined, replayed: '0.2 is held, from 0 to 0.2 is possible' },
    ]);
    expect(remarks.filter((one) => one.startsWith('decisions changed'))).toHaveLength(BEHAVIOURS.length);
  });

  test('one that a rotation moves to an archive while it is replayed is refused', async () => {
    const other = path.join(cwd, 'other.db');
    cpSync(journal, other);
    const set = [`journal.path=${other}`, `recording.dir=${path.join(cwd, 'recordings')}`];
    const { settings } = loadConfig({ files: [], set, env: {}, cwd, live: false });
    const replayed = parityOf({ settings, run: 'last', folders: { cwd, packaged: PACKAGED_STRATEGIES } });
    const archive = moved(other);
    await expect(replayed).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(archive) });
  });

  test('the journal is brought up to date, and a start knows its positions, what is unknown and what was on its way', () => {
    const opened = SqliteJournal.open({ path: journal, book: 'paper', beforeCommit: () => {} });
    const { unknowns, books, usedQuotes, risk } = opened.recover(Date.parse('2026-11-28T03:37:00Z'));
    opened.close();
    const database = new Database(journal, { readonly: true });
    expect([schemaAfter(0), database.pragma('user_version', { simple: true })]).toEqual([11, SCHEMA_VERSION]);
    database.close();
    expect(unknowns.map(({ order, journaled }) => [order.id, journaled])).toEqual([
      ['56-1', true],
      ['59-1', false],
    ]);
    expect(books.books.map(({ strategy, size, average }) => [strategy, size, average])).toEqual([
      ['cross-eth', '0.2', '2639.56'],
      ['cross-btc', '0', '0'],
    ]);
    expect([usedQuotes.length, risk.dayValue]).toEqual([7, { usd: '3965.4504' }]);
    expect(verifyJournal(journal)).toMatchObject({ ok: true, decisions: 35 });
  });
});
