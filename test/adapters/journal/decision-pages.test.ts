import { describe, expect, onTestFinished, test } from 'vitest';
import { ALL_KINDS, DecisionPages } from '#adapters/journal/decision-pages.ts';
import { RowSeeker } from '#adapters/journal/seek.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { RUN, row, START } from './rows.ts';

const NEXT = 'the next run';
const at = (second: number) => isoTime(START + second * 1000);
const held = (second: number, strategy = 'sma'): Decision => row('hold', { why: 'wait', signals: {} }, { strategy, n: second });
const paused = (second: number): Decision => row('paused', { who: 'ann', why: 'news' }, { n: second, reason: 'BY_PERSON' });

/** Rows 1 to 6, at seconds 1, 2, 2, 4, 5 and 6; the last two of another run. */
const journal = () =>
  JournalInMemory.of(held(1), held(2, 'rsi'), paused(2), held(4))
    .begin(NEXT)
    .add(row('resumed', { who: 'ann', why: 'x' }, { n: 5 }), held(6));

function pages(of: JournalInMemory = journal()): DecisionPages {
  const opened = DecisionPages.open(of.kept());
  onTestFinished(() => opened.close());
  return opened;
}

/** A journal of which a rotation has moved all rows but some into an archive. */
const rotated = (left: string) => {
  const whole = journal();
  whole.database.exec(`DELETE FROM decisions WHERE seq NOT IN (${left})`);
  return whole;
};

const ALL = { before: 99, limit: 99, strategy: null, ...ALL_KINDS };
const numbers = (rows: readonly { readonly seq: number }[]) => rows.map(({ seq }) => seq);

test('decisions are read forward from one, oldest first', () => {
  expect(numbers(pages().after(2, 3))).toEqual([3, 4, 5]);
  expect(pages().after(0, 1)).toMatchObject([{ seq: 1, run_id: RUN, kind: 'hold', strategy: 'sma' }]);
});

test.each([
  ['all', {}, [6, 5, 4, 3, 2, 1]],
  ['before one', { before: 3 }, [2, 1]],
  ['a page', { limit: 2 }, [6, 5]],
  ['after one', { after: 4 }, [6, 5]],
  ['of a strategy', { strategy: 'rsi' }, [2]],
  ['of some kinds', { kinds: ['paused', 'resumed'] }, [5, 3]],
  ['of no kind', { kinds: [] }, []],
  ['without some', { without: ['hold', 'resumed'] }, [3]],
  ['of a kind and a strategy', { kinds: ['hold'], strategy: 'sma' }, [6, 4, 1]],
] as const)('decisions are read back, newest first: %s', (_, query, rows) => {
  expect(numbers(pages().before({ ...ALL, ...query }))).toEqual(rows);
});

describe('the last row at a time', () => {
  test.each([
    [0, 0],
    [1, 1],
    [1.5, 1],
    [2, 3],
    [5, 5],
    [9, 6],
  ])('second %d: row %i', (second, row) => {
    expect(pages().endAt(at(second))).toBe(row);
  });

  test('where rows are in an archive, is none before those that are left', () => {
    const left = pages(rotated('3, 6'));
    expect([1, 2, 5, 6].map((second) => left.endAt(at(second)))).toEqual([0, 3, 3, 6]);
  });

  test('of an empty journal is none', () => {
    const none = pages(JournalInMemory.of());
    expect([none.endAt(at(9)), none.end(), none.startOf(RUN)]).toEqual([0, 0, 0]);
  });
});

test('the rows of the newest run begin behind the last of any other', () => {
  expect([pages().end(), pages().startOf(NEXT), pages().startOf(RUN)]).toEqual([6, 4, 6]);
});

test('the code of a halt is that of its kind and time', () => {
  const kept = pages();
  expect([kept.reasonOf('paused', at(2)), kept.reasonOf('resumed', at(5)), kept.reasonOf('paused', at(3))]).toEqual([
    'BY_PERSON',
    null,
    null,
  ]);
});

test('closed pages leave the journal alone', () => {
  const path = journal().kept();
  const opened = DecisionPages.open(path);
  expect(openFiles()).toContain(path);
  opened.close();
  expect(openFiles()).not.toContain(path);
});

describe('a search by halving', () => {
  const seeker = (of: JournalInMemory) => new RowSeeker(of.database);

  test('knows the ends, and the time of each row', () => {
    expect(seeker(rotated('2, 3, 5')).whole()).toEqual({ first: 2, last: 5 });
    expect(seeker(JournalInMemory.of()).whole()).toBeNull();
    expect([seeker(journal()).atOf(4), seeker(journal()).atOf(7)]).toEqual([at(4), '']);
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('finds row %i as the first for which something holds', (wanted) => {
    expect(seeker(journal()).firstWhere({ first: 1, last: 6 }, ({ seq }) => seq >= wanted)).toBe(wanted);
  });

  test('stays within its span, also where the next row is behind it', () => {
    const within = seeker(rotated('1, 2, 6'));
    expect(within.firstWhere({ first: 1, last: 4 }, () => false)).toBe(3);
    expect(within.firstWhere({ first: 1, last: 2 }, () => false)).toBe(3);
    expect(within.firstWhere({ first: 2, last: 4 }, () => true)).toBe(2);
    const seen: number[] = [];
    within.firstWhere({ first: 1, last: 4 }, ({ seq }) => {
      seen.push(seq);
      return false;
    });
    expect(Math.max(...seen)).toBe(2);
  });

  test('looks at three of six rows at most', () => {
    let read = 0;
    seeker(journal()).firstWhere({ first: 1, last: 6 }, ({ seq }) => {
      read += 1;
      return seq >= 4;
    });
    expect(read).toBeLessThanOrEqual(3);
  });
});
