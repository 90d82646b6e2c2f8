import { describe, expect, test } from 'vitest';
import { lastTimeOf, REFUSAL_ROWS, ReplayRows } from '#adapters/journal/replay-rows.ts';
import type { RowSpan } from '#adapters/journal/seek.ts';
import { ALARM_KINDS } from '#domain/alarm-kinds.ts';
import type { Decision, DecisionKind } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, orderFacts, permits, rejected, row, START, sent, unknown } from './order-rows.ts';

const time = (n: number): string => isoTime(START + n * 1000);
const told = (kind: DecisionKind, n: number): Decision =>
  ({ ...row('paused', { who: 'ann', why: 'news' }, { n }), kind, detail: { body: '' } }) as Decision;
const hold = (n: number): Decision => told('hold', n);

/**
 * Four runs, of which the second made no decision. The first has orders at rows 2 and, two at one instant, 8 and 10; refusals at rows 5 and
 * 12, by a check, and 15, not sent; alarms at rows 6 and 14. The third has an order at row 18, refusals at rows 16 and 21, an alarm at row 20; the fourth has row 22.
 */
function journal() {
  const rows = JournalInMemory.empty();
  const [bought, sold, twin, open] = [orderFacts(1), orderFacts(10), orderFacts(12, { intentAt: START + 10_000 }), orderFacts(30)];
  rows.begin('first');
  rows.add(...permits(bought), sent(bought), accepted(bought));
  rows.add(told('refused', 5), told('halted', 6), ...permits(sold), ...permits(twin), sent(sold), told('refused', 11), told('resumed', 11));
  rows.add(rejected(sold), told('not_sent', 14));
  rows.begin('idle');
  rows.begin('third');
  rows.add(told('refused', 29), ...permits(open), sent(open), unknown(open), told('expired', 33));
  rows.begin('fourth');
  rows.add(hold(40));
  return { database: rows.database, replay: new ReplayRows(rows.database) };
}

const FIRST = { first: 1, last: 15 };
const THIRD = { first: 16, last: 21 };

describe('the rows of a run', () => {
  test('stand one after the other; a run that decided nothing, or that nobody knows, has none', () => {
    const { replay, database } = journal();
    expect([replay.spanOf('first'), replay.spanOf('third'), replay.spanOf('fourth')]).toEqual([FIRST, THIRD, { first: 22, last: 22 }]);
    expect([replay.spanOf('idle'), replay.spanOf('another'), new ReplayRows(JournalInMemory.empty().database).spanOf('first')]).toEqual([
      null,
      null,
      null,
    ]);
    expect([lastTimeOf(database, 'first'), lastTimeOf(database, 'third'), lastTimeOf(database, 'idle')]).toEqual([
      time(14),
      time(33),
      null,
    ]);
  });

  test('are not those few that a rotation left of it: a replay of them would leave out most of what happened', () => {
    const { replay, database } = journal();
    database.exec("DELETE FROM decisions WHERE seq < 15 AND kind <> 'halted'; INSERT INTO archives VALUES (15, 'h', 'a', 'idle', 't')");
    expect([replay.spanOf('first'), replay.spanOf('idle'), replay.spanOf('third')]).toEqual([null, null, THIRD]);
    expect(lastTimeOf(database, 'first')).toBe(time(14));
  });

  test.each([
    ['before the first row', FIRST, time(0), 0],
    ['between two rows', FIRST, time(8), 6],
    ['with several rows at that time', FIRST, time(11), 14],
    ['behind the last row', FIRST, time(99), 15],
    ['before the run', THIRD, time(8), 15],
  ])('the last of them at a time %s', (_, span, at, seq) => {
    expect(journal().replay.upTo(span, at)).toBe(seq);
  });
});

describe('from a row to the next or the last', () => {
  test.each<[what: 'step' | 'order' | 'refusal' | 'alarm', span: RowSpan, forward: number[], back: number[]]>([
    ['step', { first: 7, last: 9 }, [7, 8, 9], [9, 8, 7]],
    ['order', FIRST, [2, 8, 10], [10, 8, 2]],
    ['order', THIRD, [18], [18]],
    ['refusal', FIRST, [5, 12, 15], [15, 12, 5]],
    ['refusal', THIRD, [16, 21], [21, 16]],
    ['alarm', FIRST, [6, 14], [14, 6]],
    ['alarm', THIRD, [20], [20]],
  ])('%s of rows %o, and never out of the run', (what, span, forward, back) => {
    const { replay } = journal();
    const walk = (isBack: boolean): number[] => {
      const met: number[] = [];
      for (let seq = isBack ? span.last + 1 : span.first - 1; ; ) {
        const next = replay[what]({ span, seq, back: isBack });
        if (next === undefined || met.length > 20) return met;
        met.push(next);
        seq = next;
      }
    };
    expect([walk(false), walk(true)]).toEqual([forward, back]);
  });

  test.each<[what: 'alarm' | 'refusal', kinds: readonly DecisionKind[]]>([
    ['alarm', ALARM_KINDS],
    ['refusal', ['refused', 'expired', 'not_sent', 'lapsed', 'leg_failed']],
  ])('every kind of %s is met', (what, kinds) => {
    const rows = JournalInMemory.empty();
    rows.begin('run');
    for (const kind of kinds) rows.add(hold(1), told(kind, 1));
    const replay = new ReplayRows(rows.database);
    const span = { first: 1, last: 2 * kinds.length };
    for (let seq = 1; seq < span.last; seq += 2) expect([seq, replay[what]({ span, seq, back: false })]).toEqual([seq, seq + 1]);
  });

  test("a check's refusal is looked for among 200,000 rows, since no index has it; others lie as far away as they may", () => {
    const { replay, database } = journal();
    const far = 22 + REFUSAL_ROWS;
    database.exec(`UPDATE decisions SET seq = ${far} WHERE seq = 21`);
    const back = (seq: number) => replay.refusal({ span: { first: 1, last: far }, seq, back: true });
    const forward = (seq: number) => replay.refusal({ span: { first: 1, last: far }, seq, back: false });
    expect([forward(16), back(far - 6), back(far - 5)]).toEqual([far, 16, 15]);
    database.exec(`UPDATE decisions SET kind = 'refused' WHERE seq = ${far}`);
    expect([forward(21), forward(22)]).toEqual([undefined, far]);
  });
});

describe('orders that were open at a time', () => {
  const open = (at: string, seq: number, from = time(0)) =>
    journal()
      .replay.openAt({ at, seq, from })
      .map(({ order_id, state }) => [order_id, state]);

  test.each([
    ['once it is wanted, and not before', time(1), 2, [['1-1', 'intent']]],
    ['from the very time at which it was written', isoTime(START + 1005), 3, [['1-1', 'sent']]],
    ['no more at the time of its answer', time(2), 4, []],
  ])('%s', (_, at, seq, found) => {
    expect(open(at, seq)).toEqual(found);
    expect(open(time(0), 0)).toEqual([]);
  });

  test('an order is of unknown outcome from the row that says so, and an order of an earlier run is not shown', () => {
    const earlier = ['12-1', 'intent'];
    expect(open(time(31), 19)).toEqual([earlier, ['30-1', 'sent']]);
    expect(open(time(31), 20, time(29))).toEqual([['30-1', 'unknown']]);
  });
});

test('the marks along a run are its own orders and alarms, at their times', () => {
  const { replay } = journal();
  expect(replay.marksOf(FIRST)).toEqual({ orders: [time(1), time(10), time(10)], alarms: [time(6), time(11)] });
  expect(replay.marksOf(THIRD)).toEqual({ orders: [time(30)], alarms: [time(31)] });
});
