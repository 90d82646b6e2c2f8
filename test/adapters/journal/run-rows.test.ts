import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { accepted, begin, begun, folder, moved, orderFacts, permits, RUN, row, unknown } from './rows.ts';

const NEXT = '20261121T050000Z-000002';

/** An order of the first run whose outcome the second one learned, beside one of its own. */
function twoRuns(): JournalInMemory {
  const [lost, own] = [orderFacts(1), orderFacts(5)];
  return JournalInMemory.of(...permits(lost), unknown(lost))
    .begin(NEXT)
    .add(row('resumed', { who: 'ann', why: 'x' }), accepted(lost), ...permits(own), accepted(own));
}

function rowsOf(name: string, journal = twoRuns()): RunRows {
  const rows = RunRows.open(journal.kept(), name);
  onTestFinished(() => rows.close());
  return rows;
}

describe('the rows of one run', () => {
  test('are its decisions, its orders and what it booked; of its orders another may have spoken as well', () => {
    const first = rowsOf(RUN);
    expect([...first.decisions()].map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'intent'],
      [2, 'approved'],
      [3, 'unknown'],
    ]);
    expect([...first.orders].map(([id, { state }]) => [id, state])).toEqual([['1-1', 'accepted']]);
    expect([...first.ledger()]).toEqual([]);
    expect(first.wordsOfOthers().map(({ seq, kind, order_id }) => [seq, kind, order_id])).toEqual([[5, 'accepted', '1-1']]);

    const second = rowsOf(NEXT);
    expect(second.run).toMatchObject({ run_id: NEXT, mode: 'paper' });
    expect([...second.decisions()].map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8]);
    expect([...second.orders.keys()]).toEqual(['5-1']);
    expect([...second.ledger()].map(({ entry_id, order_id }) => [entry_id, order_id])).toEqual([
      ...[1, 2, 3].map((entry) => [entry, '1-1']),
      ...[4, 5, 6].map((entry) => [entry, '5-1']),
    ]);
    expect(second.wordsOfOthers()).toEqual([]);
  });

  test('of a run that decided nothing are none', () => {
    const journal = twoRuns().begin('a quiet run');
    expect([...rowsOf('last', journal).decisions()]).toEqual([]);
  });

  test('named last, are those of the run that began last', () => {
    expect(rowsOf('last').run.run_id).toBe(NEXT);
  });
});

test('are those of one moment: what a daemon writes after they were opened is in none of the tables', () => {
  const path = join(folder(), 'kairos.db');
  const [first, second, third] = [orderFacts(1), orderFacts(5), orderFacts(6)];
  const daemon = begun(path);
  onTestFinished(() => daemon.close());
  daemon.commit(permits(first));
  const rows = RunRows.open(path, 'last');
  onTestFinished(() => rows.close());
  daemon.commit([accepted(first)]);
  daemon.commit(permits(second));
  expect([...rows.decisions()].map(({ kind }) => kind)).toEqual(['intent', 'approved']);
  expect([...rows.orders.values()].map(({ order_id, state }) => [order_id, state])).toEqual([[first.id, 'intent']]);
  expect([...rows.ledger()]).toEqual([]);

  const later = RunRows.open(path, 'last');
  onTestFinished(() => later.close());
  expect([...later.orders.keys()]).toEqual([first.id, second.id]);
  expect([...later.decisions()]).toHaveLength(5);
  expect([...later.ledger()]).toHaveLength(3);

  // An order of the next run, whose row is still to be written, is none of this one.
  begin(daemon, runId(NEXT));
  daemon.commit(permits(third));
  const next = [RUN, NEXT].map((run) => RunRows.open(path, run));
  onTestFinished(() => next.forEach((one) => void one.close()));
  expect(next.map(({ orders }) => [...orders.keys()])).toEqual([[first.id, second.id], [third.id]]);
});

test('that a rotation moves while they are read are refused by whoever has read them', () => {
  const path = JournalInMemory.of(...Array.from({ length: 1_500 }, (_, n) => row('hold', { why: `${n}`, signals: {} }))).kept();
  const rows = RunRows.open(path, 'last');
  onTestFinished(() => rows.close());
  let count = 0;
  for (const { seq } of rows.decisions()) {
    count += 1;
    if (seq === 10) {
      rows.refuseArchived();
      moved(path);
    }
  }
  expect(count).toBe(1_001);
  expect(() => rows.refuseArchived()).toThrow(`the decisions of run ${RUN} are in the archive ${path}.archive: add --set`);
});

test('closed rows leave the journal alone', () => {
  const path = twoRuns().kept();
  const rows = RunRows.open(path, 'last');
  expect(openFiles()).toContain(path);
  rows.close();
  expect(openFiles()).not.toContain(path);
});

describe('a run that is not there is refused in one line that says which are', () => {
  const refusal = (journal: JournalInMemory, name: string): string => {
    const path = journal.kept();
    try {
      RunRows.open(path, name).close();
    } catch (error) {
      expect(error).toBeInstanceOf(KairosError);
      expect(openFiles()).not.toContain(path);
      if (error instanceof KairosError) return `${error.code} ${error.message.replace(path, 'X')}`;
    }
    return 'none';
  };

  test.each([
    ['a typing error', '20261121T030000Z-000003', RUN],
    ['the beginning of one', '20261121T050000Z-00', NEXT],
    ['a short one, of which two letters are wrong', 'bc', 'ab'],
  ])('%s', (_, name, near) => {
    const says = `NOT_FOUND the journal X has no run ${JSON.stringify(name)}; there is ${near} (kairos journal runs)`;
    expect(refusal(twoRuns().begin('ab'), name)).toBe(says);
  });

  test('a word that is no typing error is told of the last one', () => {
    const third = '20261121T060000Z-000003';
    expect(refusal(twoRuns().begin(third), 'yesterday')).toBe(
      `NOT_FOUND the journal X has no run "yesterday"; there is ${third} (kairos journal runs)`,
    );
  });

  test('as is any run of an empty journal', () => {
    expect(refusal(JournalInMemory.empty(), 'last')).toBe('NOT_FOUND the journal X has no run yet');
  });

  test('and one whose decisions are in an archive', () => {
    const journal = twoRuns().archived(RUN);
    expect(refusal(journal, RUN)).toMatch(
      /^NOT_FOUND the decisions of run \S+ are in the archive \S+old\.db: add --set journal\.path=\S+old\.db$/,
    );
    expect(refusal(journal, NEXT)).toBe('none');
  });
});
