import { describe, expect, test } from 'vitest';
import { pastRisk } from '#adapters/journal/past-risk.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, fillOf, orderFacts, permits, RUN, rejected, row, START, sent, unknown } from './rows.ts';

const at = (second: number) => START + second * 1000;
const of = ({ database }: JournalInMemory, now = at(60)) => pastRisk(database, now, {});
const by = { who: 'ann', why: 'seen' };

/** An order that the service refused with 429, and the wait that it asked for. */
const tooMany = (n: number, retryAfterMs: number): Decision[] => {
  const order = orderFacts(n);
  const refused = rejected(order);
  if (refused.kind !== 'rejected') throw new Error('a refusal');
  return [...permits(order), { ...refused, at: at(n), detail: { ...refused.detail, httpStatus: 429, retryAfterMs } }];
};

describe('I32 a wait that the service asked for goes on after a restart', () => {
  test('until the end of it', () => {
    expect(of(JournalInMemory.of(...tooMany(1, 30_000))).waitUntil).toBe(at(31));
  });

  test('a refusal without one behind it does not end it', () => {
    expect(of(JournalInMemory.of(...tooMany(1, 30_000), ...permits(orderFacts(2)), rejected(orderFacts(2)))).waitUntil).toBe(at(31));
  });

  test('F09 a shorter one that an order on its way was told afterwards does not cut it short', () => {
    expect(of(JournalInMemory.of(...tooMany(1, 60_000), ...tooMany(2, 5_000))).waitUntil).toBe(at(61));
  });

  test('where none was asked for, there is none', () => {
    expect(of(JournalInMemory.of(...permits(orderFacts(1)), rejected(orderFacts(1)))).waitUntil).toBeNull();
  });
});

test('the order rate counts orders of the last minute; the value of the day all of today that left or may have', () => {
  const yesterday = orderFacts(-4 * 3600);
  const [early, edge, refused, lost, underway, coin] = [
    orderFacts(1),
    orderFacts(10),
    orderFacts(11),
    orderFacts(12),
    orderFacts(13),
    orderFacts(14, { product: 'ETHEUR', baseCcy: 'ETH', quoteCcy: 'EUR', value: '20.5', strategy: 'coin' }),
  ];
  const journal = JournalInMemory.of(
    ...[yesterday, early, edge, refused, lost, underway, coin].flatMap((order) => permits(order)),
    ...[accepted(yesterday), accepted(early), accepted(edge), sent(refused), rejected(refused), unknown(lost), sent(underway)],
  );
  const risk = of(journal, at(70));
  expect(risk.recentOrders).toEqual([
    ...[11, 12, 13].map((n) => ({ at: at(n), strategy: 'sma', product: 'btcusd' })),
    { at: at(14), strategy: 'coin', product: 'etheur' },
  ]);
  // Four of 610.005 dollars: the refused one and that of yesterday do not count.
  expect(risk.dayValue).toEqual({ usd: '2440.02', eur: '20.5' });
});

test('I32 the last opening of each strategy in each product is known as it was ordered, unless it was never executed or an exit followed', () => {
  const opened = (order: ReturnType<typeof orderFacts>): Decision[] =>
    permits(order).map((one) =>
      one.kind !== 'approved'
        ? one
        : { ...one, detail: { ...one.detail, checks: [{ check: 'UNKNOWN_BUDGET', passed: true, figure: 0, limit: 1 }] } },
    );
  const coin = { product: 'ETHEUR', baseCcy: 'ETH', quoteCcy: 'EUR', strategy: 'coin' };
  const [first, last, refused, lost] = [orderFacts(1), orderFacts(2), orderFacts(3, coin), orderFacts(4, { strategy: 'grid' })];
  const [before, exit] = [orderFacts(5, { strategy: 'own' }), orderFacts(6, { strategy: 'own', side: 'sell' })];
  const [late, unsent] = [orderFacts(7, { strategy: 'late' }), orderFacts(8, { strategy: 'unsent' })];
  const journal = JournalInMemory.of(
    ...[first, last, refused, lost, before, late, unsent].flatMap((order) => opened(order)),
    ...permits(exit),
    // A part of what was ordered, whatever that has made of the position.
    ...[accepted(first), accepted(last, { ...fillOf(last), size: '0.004' }), sent(refused), rejected(refused), unknown(lost)],
    ...[accepted(before), accepted(exit)],
    row('expired', { timeLeftMs: -1 }, { order: late, n: 9 }),
    row('not_sent', { why: 'halted' }, { order: unsent, n: 9 }),
  );
  expect(of(journal, at(3600)).lastOpenings).toEqual([
    { id: last.id, strategy: 'sma', product: 'btcusd', side: 'buy', size: last.size, at: at(2) },
    { id: lost.id, strategy: 'grid', product: 'btcusd', side: 'buy', size: lost.size, at: at(4) },
  ]);
});

test('an order that was executed in part counts towards the day as it was quoted, as it did before the restart', () => {
  const order = orderFacts(1);
  const part = { ...fillOf(order), size: '0.004', value: '244.002', fee: '0.244002' };
  expect(of(JournalInMemory.of(...permits(order), accepted(order, part))).dayValue).toEqual({ usd: '610.005' });
});

describe('rejections in a row', () => {
  const [a, b, c, d] = [orderFacts(1), orderFacts(2), orderFacts(3), orderFacts(4)];
  const all = [a, b, c, d].flatMap((order) => permits(order));

  test.each([
    ['none at first', [], 0],
    ['each of the last ones', [rejected(a), rejected(b)], 2],
    ['since the last that was executed', [rejected(a), accepted(b), rejected(c), rejected(d)], 2],
    ['an execution ends them', [rejected(a), rejected(b), accepted(c)], 0],
    ['an outcome that is not known does not', [rejected(a), unknown(b), rejected(c)], 2],
  ])('%s', (_, outcomes, count) => {
    expect(of(JournalInMemory.of(...all, ...outcomes)).rejections).toBe(count);
  });

  test('from where a person has taken note, and no other row of that kind', () => {
    const noted = (n: number, anew: boolean) => row('resumed', { ...by, ...(anew && { anew: true }) }, { n });
    const outcomes = [rejected(a), rejected(b), rejected(c)].map((decision, n) => ({ ...decision, at: at(10 * (n + 1)) }));
    const after = (...notes: readonly Decision[]) => of(JournalInMemory.of(...all, ...outcomes, ...notes)).rejections;
    expect([after(), after(noted(15, true)), after(noted(25, false)), after(noted(25, true), noted(26, false))]).toEqual([3, 2, 3, 1]);
    expect(after(row('armed', { ...by, configHash: 'c', config: '{}', build: 'b', anew: true }, { n: 30 }))).toBe(0);
  });

  test('in the order in which the answers came', () => {
    expect(of(JournalInMemory.of(...all, { ...accepted(d), at: at(5) }, { ...rejected(a), at: at(9) })).rejections).toBe(1);
  });
});

test('the baselines of profit and the armed configuration are those that were journaled last', () => {
  const measured = (day: string, peak: number) => row('measured', { day, byCurrency: { USD: { dayStart: 1, peak } } });
  const armed = (configHash: string, build: string, of = {}) => row('armed', { ...by, configHash, config: '{}', build, ...of });
  const risk = of(JournalInMemory.of(measured('2026-11-20', 5), armed('first', 'b1'), measured('2026-11-21', 7), armed('last', 'b2')));
  expect(risk).toMatchObject({
    profit: { day: '2026-11-21', byCurrency: { usd: { dayStart: 1, peak: 7 } } },
    armed: { configHash: 'last', build: 'b2' },
  });
  expect(risk.armed).toStrictEqual({ configHash: 'last', build: 'b2' });
  const here = of(JournalInMemory.of(armed('last', 'b2', { instance: 'here' })));
  expect(here.armed).toEqual({ configHash: 'last', build: 'b2', instance: 'here' });
  expect(of(JournalInMemory.of())).toMatchObject({ profit: null, armed: null });
});

test.each<[string, readonly Decision[], true | undefined]>([
  ['a person who resumed while no daemon ran has', [row('resumed', { ...by, anew: true }, { n: 0 })], true],
  ['one who armed too', [row('armed', { ...by, configHash: 'c', config: '{}', build: 'b', anew: true }, { n: 0 })], true],
  ['who ended the pause of one strategy has not', [row('resumed', by, { n: 0 })], undefined],
  ['a running daemon measured anew at once', [row('resumed', { ...by, anew: true })], undefined],
  [
    'and the run that came next has measured',
    [row('resumed', { ...by, anew: true }, { n: 0 }), row('measured', { day: '2026-11-21', byCurrency: {} })],
    undefined,
  ],
])('who has taken note of losses since they were measured: %s', (_, rows, anew) => {
  expect(of(JournalInMemory.of(row('measured', { day: '2026-11-20', byCurrency: {} }), ...rows)).anew).toBe(anew);
});

describe('crashes', () => {
  const hold = (second: number) => row('hold', { why: 'wait', signals: {} }, { n: second });
  const crashed = (second: number, run: string) => ({ run, over: { ended_at: isoTime(at(second)), end_state: 'crashed' } });
  /** Runs that crashed at those seconds, the last without having been marked. */
  const thrice = () => {
    const journal = JournalInMemory.empty();
    for (const { run, over } of [crashed(10, 'a'), crashed(20, 'b')]) journal.begin(run, over);
    return journal.begin('c').add(hold(30));
  };

  test('are the ends of runs that did not end as they should, oldest first; the last one ended with its last event', () => {
    expect(of(thrice())).toMatchObject({ crashes: [at(10), at(20), at(30)], crashed: true });
    expect(of(thrice().end('stopped', 40))).toMatchObject({ crashes: [at(10), at(20)], crashed: false });
  });

  test('a run that came to no event crashed when it began', () => {
    expect(of(JournalInMemory.empty().begin())).toMatchObject({ crashes: [START], crashed: true });
    expect(of(JournalInMemory.empty())).toMatchObject({ crashes: [], crashed: false });
  });

  test.each([
    ['resumes everything', row('resumed', by, { n: 20, reason: 'BY_PERSON' })],
    ['arms', row('armed', { ...by, configHash: 'c', config: '{}', build: 'b' }, { n: 20, reason: 'BY_PERSON' })],
  ])('a person who %s has seen those before', (_, act) => {
    const journal = JournalInMemory.empty().begin('a', crashed(20, 'a').over).add(act);
    expect(of(journal)).toMatchObject({ crashes: [], crashed: true });
    expect(of(journal.begin('b', crashed(21, 'b').over))).toMatchObject({ crashes: [at(21)], crashed: true });
  });

  test.each([
    ['a resumption of one strategy', row('resumed', by, { n: 20, strategy: 'sma', reason: 'BY_PERSON' })],
    ['a rule that arms again', row('armed', { ...by, configHash: 'c', config: '{}', build: 'b' }, { n: 20 })],
  ])('%s says nothing of them', (_, act) => {
    expect(of(JournalInMemory.empty().begin(RUN, crashed(10, RUN).over).add(act))).toMatchObject({ crashes: [at(10)], crashed: true });
  });

  test('I09 an act while no daemon runs has seen the last crash, and none of its own run, whatever the clocks say', () => {
    const by20 = { ...row('resumed', by, { n: 20 }), inboxSeq: 0 };
    const after = (act: Decision) => of(JournalInMemory.empty().begin('a', crashed(10, 'a').over).add(act));
    expect(after(by20)).toMatchObject({ crashes: [], crashed: false });
    // The service's clock was ahead of the one by which the run ended.
    expect(after(row('resumed', by, { n: 20 }))).toMatchObject({ crashed: true });
    expect(of(JournalInMemory.empty().begin('a', crashed(10, 'a').over).add(by20).begin('b'))).toMatchObject({ crashed: true });
  });

  test('count for a day, and no longer than an act before that day would have it', () => {
    expect(of(thrice(), at(20) + DAY_MS)).toMatchObject({ crashes: [at(30)], crashed: true });
    const resumed = JournalInMemory.empty()
      .begin('a', crashed(10, 'a').over)
      .add(row('resumed', by, { n: 1 }));
    expect(of(resumed, at(10) + DAY_MS - 1).crashes).toEqual([at(10)]);
    expect(of(resumed, at(10) + DAY_MS).crashes).toEqual([]);
  });
});
