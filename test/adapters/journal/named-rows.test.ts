import { describe, expect, test } from 'vitest';
import {
  isBesideLast,
  lastAnswer,
  lastArmedByPerson,
  lastBlocked,
  lastClockOf,
  lastDecision,
  lastOrderOf,
  lastRefusal,
  lastRuns,
  ordersNamed,
  runsOfProduct,
  strategiesIn,
  thrownIn,
  wasRehearsed,
  whyUnknown,
} from '#adapters/journal/named-rows.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, orderFacts, permits, RUN, row, START, unknown } from './rows.ts';

const at = (second: number) => isoTime(START + second * 1000);
const NEXT = 'the next run';

describe('a word of a person for an order', () => {
  const [first, twin, other] = [
    orderFacts(1, { id: '12-1', quoteId: 'deadbeef-0000-4000-8000-000000000001' }),
    orderFacts(2, { id: '12-2', quoteId: '12345678-0000-4000-8000-000000000002' }),
    orderFacts(3, { id: '3-1', quoteId: 'deadbeef-0000-4000-8000-000000000003' }),
  ];
  const all = [first, twin, other].flatMap((order) => permits(order));

  test.each([
    ['last', ['3-1']],
    ['12-1', ['12-1']],
    ['12', ['12-1', '12-2']],
    ['1', []],
    ['3', ['3-1']],
    ['12345678', ['12-2']],
    ['deadbeef', ['12-1', '3-1']],
    ['deadbeef-0000-4000-8000-000000000003', ['3-1']],
    ['deadbee', []],
    ['DEADBEEF', []],
    ['99-1', []],
    // None of these is a pattern.
    ['1*', []],
    ['*12', []],
    ['*deadbeef', []],
    ['deadbeef*', []],
  ])('%s', (word, ids) => {
    expect(ordersNamed(JournalInMemory.of(...all).database, word)).toEqual(ids);
  });

  test('a number of eight digits is a number first, the beginning of a quote if no order has it', () => {
    const numbered = orderFacts(4, { id: '12345678-1' });
    expect(ordersNamed(JournalInMemory.of(...all, ...permits(numbered)).database, '12345678')).toEqual(['12345678-1']);
  });

  test('where there is no order yet, the last is none', () => {
    expect(ordersNamed(JournalInMemory.empty().database, 'last')).toEqual([]);
  });
});

test('the last decision about a strategy leaves out whether it could trade, others and what came later', () => {
  const hold = { why: 'wait', signals: {} };
  const blocked = { on: true, state: 'waiting', why: 'no quotes', mend: 'wait', since: at(1), lastedMs: 30_000 } as const;
  const { database } = JournalInMemory.of(
    row('hold', hold, { strategy: 'sma', n: 1 }),
    row('hold', hold, { strategy: 'sma', n: 2 }),
    row('blocked', blocked as never, { strategy: 'sma', n: 3 }),
    row('hold', hold, { strategy: 'rsi', n: 4 }),
    row('hold', hold, { strategy: 'sma', n: 5 }),
  );
  expect(lastDecision(database, 'sma', at(4))).toMatchObject({ seq: 2, kind: 'hold' });
  expect(lastDecision(database, 'sma', at(5))).toMatchObject({ seq: 5 });
  expect(lastDecision(database, 'sma', at(0))).toBeUndefined();
  expect(lastBlocked(database, { strategy: 'sma', at: at(4), run: RUN })).toMatchObject({ seq: 3, kind: 'blocked' });
  expect(lastBlocked(database, { strategy: 'sma', at: at(2), run: RUN })).toBeUndefined();
  expect(lastBlocked(database, { strategy: 'sma', at: at(4), run: NEXT })).toBeUndefined();
});

test.each<[Decision['kind'], Record<string, unknown>, boolean]>([
  ['hold', {}, false],
  ['blocked', {}, true],
  ['worked', { work: '1-1' }, true],
  ['leg_failed', { last: null }, false],
  ['leg_failed', { last: 'PRICE_LIMIT' }, true],
  ['lapsed', { last: 'PRICE_LIMIT' }, false],
])('a row of %s with %j behind the last decision says nothing new of it: %s', (kind, detail, isBeside) => {
  const behind = row(kind, detail as never, { strategy: 'sma', n: 2 }) as Decision;
  expect(isBesideLast(behind)).toBe(isBeside);
  const { database } = JournalInMemory.of(row('hold', { why: 'wait', signals: {} }, { strategy: 'sma', n: 1 }), behind);
  expect(lastDecision(database, 'sma', at(9))).toMatchObject({ seq: isBeside ? 1 : 2 });
});

test("the service's way with orders was seen by a purchase and a sale by hand, or by an order of a strategy", () => {
  const manual = { strategy: 'manual' };
  const done = (...orders: readonly ReturnType<typeof orderFacts>[]) =>
    JournalInMemory.of(...orders.flatMap((order) => [...permits(order), accepted(order)])).database;
  const [bought, sold] = [orderFacts(1, manual), orderFacts(2, { ...manual, side: 'sell' })];
  expect(wasRehearsed(JournalInMemory.of(...permits(orderFacts(1))).database)).toBe(false);
  expect([done(bought), done(bought, sold), done(orderFacts(1))].map(wasRehearsed)).toEqual([false, true, true]);
  expect([lastAnswer(JournalInMemory.empty().database), lastAnswer(done(bought))]).toEqual([undefined, '{"status":"FILLED"}']);
});

test('strategies of a journal are those of all configurations, and those with orders', () => {
  const journal = JournalInMemory.of(...permits(orderFacts(1)));
  const [ordering] = strategiesIn(journal.database);
  journal.begin('second', { config_json: '{"strategies":[{"id":"zeta"},{"id":"alpha"}]}' });
  journal.begin('third', { config_json: '{"strategies":[{"id":"alpha"}]}' });
  journal.begin('fourth', { config_json: 'cut off {' });
  expect(strategiesIn(journal.database)).toEqual(['alpha', ordering, 'zeta'].sort());
  expect(ordering).toBe(orderFacts(1).strategy);
});

test('what a strategy threw is counted in its run, with the last error of it', () => {
  const threw = (error: string, n: number) => row('threw', { error, stack: '', inARow: 1 }, { strategy: 'sma', n });
  const journal = JournalInMemory.of(threw('of the run before', 1));
  const { database } = journal.begin(NEXT).add(threw('first', 2), threw('second', 3), threw('third', 4));
  expect(thrownIn(database, { strategy: 'sma', run: NEXT, at: at(3) })).toEqual({ times: 2, at: at(3), error: 'second' });
  expect(thrownIn(database, { strategy: 'rsi', run: NEXT, at: at(3) })).toBeNull();
  expect(lastRuns(database)).toEqual([NEXT, RUN]);
});

test('the last refusal is that of a strategy, or of any', () => {
  const [intent] = permits(orderFacts(1));
  if (intent?.kind !== 'intent') throw new Error('an intent');
  const refused = (strategy: string, n: number) => row('refused', { intent: intent.detail, checks: [] }, { strategy, n });
  const { database } = JournalInMemory.of(refused('sma', 1), refused('rsi', 2));
  expect(lastRefusal(database, 'sma')).toBe(at(1));
  expect(lastRefusal(database, undefined)).toBe(at(2));
  expect(lastRefusal(database, 'macd')).toBeUndefined();
});

test('the last row of the last order of a strategy is that of one run, up to a time', () => {
  const [first, second] = [orderFacts(1), orderFacts(2)];
  const { database } = JournalInMemory.of(
    ...permits(first),
    accepted(first),
    ...permits(second),
    row('hold', { why: 'x', signals: {} }, { n: 9 }),
  );
  const last = (run: string, strategy: string = first.strategy) => lastOrderOf(database, { strategy, run, at: at(100) });
  expect(last(RUN)).toMatchObject({ order_id: second.id, kind: 'approved' });
  expect([last(NEXT), last(RUN, 'rsi')]).toEqual([undefined, undefined]);
  const { at: when = '' } = last(RUN) ?? {};
  expect(lastOrderOf(database, { strategy: first.strategy, run: RUN, at: isoTime(Date.parse(when) - 1) })?.order_id).not.toBe(second.id);
});

test('why an outcome is unknown is what was journaled last of it', () => {
  const [lost, filled] = [orderFacts(1), orderFacts(2)];
  const again: Decision = {
    ...unknown(lost),
    detail: { httpStatus: null, roundTripMs: null, body: '', why: 'asked, it does not say' },
  } as never;
  const { database } = JournalInMemory.of(...permits(lost), unknown(lost), again, ...permits(filled), accepted(filled));
  expect(whyUnknown(database, lost.id)).toBe('asked, it does not say');
  expect(whyUnknown(database, filled.id)).toBeNull();
});

test('a product may be recorded by the run of its last order, and by later ones whose configuration names it', () => {
  const journal = JournalInMemory.of(...permits(orderFacts(1)));
  journal.begin('second').add(...permits(orderFacts(2, { product: 'BTCUSD' })));
  for (const [run, config] of [
    ['third', '{"product":"BTCUSD"}'],
    ['fourth', '{"product":"btcusdt"}'],
    ['fifth', '{"product":"btcusd"}'],
  ] as const)
    journal.begin(run, { config_json: config });
  expect(runsOfProduct(journal.database, 'btcusd', 9)).toEqual(['fifth', 'third', 'second']);
  expect(runsOfProduct(journal.database, 'btcusd', 2)).toEqual(['fifth', 'third']);
  expect(runsOfProduct(journal.database, 'ethusd', 9)).toEqual([]);
});

test('who armed last is a person: a rule that armed again has no configuration to show', () => {
  const armed = (who: string, reason: 'BY_PERSON' | undefined, n: number) =>
    row('armed', { who, why: '', configHash: 'c', config: '{}', build: 'b' }, { n, ...(reason && { reason }) });
  const { database } = JournalInMemory.of(armed('ann', 'BY_PERSON', 1), armed('bob', 'BY_PERSON', 2), armed('kairos', undefined, 3));
  expect(lastArmedByPerson(database)).toMatchObject({ at: START + 2000, detail: { who: 'bob' } });
  expect(lastArmedByPerson(JournalInMemory.of().database)).toBeUndefined();
});

test("what was known of the service's time is of the run that is asked about", () => {
  const clock = (halfWidthMs: number, n: number) => row('clock', { sure: true, offsetMs: 3, halfWidthMs }, { n });
  const journal = JournalInMemory.of(clock(9, 1), clock(7, 2));
  expect(lastClockOf(journal.database, RUN)).toMatchObject({ at: START + 2000, detail: { offsetMs: 3, halfWidthMs: 7 } });
  journal.begin(NEXT);
  expect(lastClockOf(journal.database, NEXT)).toBeUndefined();
  journal.add(clock(5, 3));
  expect(lastClockOf(journal.database, RUN)).toBeUndefined();
  expect(lastClockOf(journal.database, NEXT)).toMatchObject({ detail: { halfWidthMs: 5 } });
});
