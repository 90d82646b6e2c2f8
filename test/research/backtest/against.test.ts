import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { RunRows } from '#adapters/journal/run-rows.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { OrderText } from '#domain/order.ts';
import { against } from '#research/backtest/against.ts';
import {
  accepted,
  begun,
  fillOf,
  folder,
  moved,
  orderFacts,
  permits,
  RUN,
  rejected,
  row,
  START,
  unknown,
} from '../../adapters/journal/rows.ts';
import { idOf, laneColumns } from '../../support/report-data.ts';

const POINTS = Array.from({ length: 30 }, (_, n) => ({ at: START + n * 1000, buy: 61_000.5 }));
const COLUMNS = laneColumns(POINTS, { size: 0.01 });

/** The strategy's order on the quote of a second. */
const orderAt = (n: number, over: Partial<OrderText> = {}): OrderText =>
  orderFacts(n, { quoteId: idOf('btcusd', n), lane: COLUMNS.lane, ...over });
const filled = (order: OrderText): Decision[] => [...permits(order), accepted(order)];

/** What the run did held against what its backtest did. */
function held(run: readonly Decision[], played: readonly Decision[]) {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit([...run]);
  journal.close();
  return against({ journal: path, run: RUN, decisions: played, wentOn: false, columns: [COLUMNS] });
}

/** A refusal at a second, or the end of a row of `repeated` that began with it. */
function refused(n: number, repeated?: number): Decision {
  const [intent] = permits(orderAt(n));
  if (intent?.kind !== 'intent') throw new Error('an intent');
  const detail = { intent: intent.detail, checks: [], ...(repeated !== undefined && { repeated }) };
  return { ...row('refused', detail, { order: orderAt(n), n, reason: 'REDUCING' }), orderId: null };
}

const causes = ({ others }: ReturnType<typeof held>) => others.flatMap(({ cause, order }) => (order === '29-1' ? [] : [cause]));

test('a run that a rotation moves to an archive while it is read is none to compare with', () => {
  const path = join(folder(), 'kairos.db');
  begun(path).commit(filled(orderAt(3)));
  const { decisions } = RunRows.prototype;
  vi.spyOn(RunRows.prototype, 'decisions').mockImplementationOnce(function* (this: RunRows) {
    moved(path);
    yield* decisions.call(this);
  });
  expect(() => against({ journal: path, run: RUN, decisions: [], wentOn: false, columns: [COLUMNS] })).toThrow('in the archive');
});

test('the same fills on the same quotes have no cause', () => {
  const both = filled(orderAt(3));
  expect(held(both, both)).toMatchObject({ fills: 1, played: 1, same: 1, others: [], acts: [] });
});

describe('a fill that only the backtest has is told and counted, with what the run recorded of it', () => {
  const order = orderAt(3);
  test.each([
    ['nothing', [], 'the strategy did not ask for it in the run'],
    ['a rejection', [...permits(order), rejected(order)], 'the service rejected order 3-1 of the run (HTTP_REFUSED)'],
    ['no answer', [...permits(order), unknown(order)], 'order 3-1 of the run was never answered (NO_ANSWER)'],
    ['its end', permits(order), 'the run ended before order 3-1 was answered'],
    ['a refusal', [refused(3)], 'refused in the run: REDUCING'],
    ['an order on the other side', filled(orderAt(3, { side: 'sell' })), 'follows from 3-1 of the run: the run used the quote to sell'],
  ] as const)('%s', (_, run, cause) => {
    const { others, same, played } = held(run, filled(order));
    expect(others.filter((one) => one.in === 'backtest')).toMatchObject([{ order: '3-1', side: 'buy', size: '0.01', cause }]);
    expect({ same, played }).toEqual({ same: 0, played: 1 });
  });

  test('that a temporary lane brought no quote, since its decision', () => {
    const wait = { check: 'LANE_WAIT', passed: false, figure: 'base:0.01', limit: 1500 } as const;
    const [asked] = permits(orderAt(5));
    if (asked?.kind !== 'intent') throw new Error('an intent');
    const waited: Decision = {
      ...row('refused', { intent: asked.detail, checks: [wait] }, { order: orderAt(5), n: 5, reason: 'LANE_WAIT' }),
      orderId: null,
    };
    expect(causes(held([waited], filled(orderAt(4))))).toEqual(['refused in the run: LANE_WAIT']);
    expect(causes(held([waited], filled(orderAt(3))))).toEqual(['the strategy did not ask for it in the run']);
  });
});

test('the same side at another size is another order, and what follows from a difference says so until both hold the same', () => {
  const run = [orderAt(3, { size: '0.2' }), orderAt(5, { side: 'sell', size: '0.2' }), orderAt(9)].flatMap((order) => filled(order));
  const played = [orderAt(3), orderAt(5, { side: 'sell' }), orderAt(10)].flatMap((order) => filled(order));
  expect(held(run, played).others.map(({ in: of, order, cause }) => [of, order, cause])).toEqual([
    ['both', '3-1', 'of 0.01 in the backtest'],
    ['both', '5-1', 'follows from 3-1 of the run: of 0.01 in the backtest'],
    ['both', '9-1', 'the backtest did the same 1000 ms after, on another quote'],
  ]);
});

test('orders that the service did not execute are counted with those that came to the same', () => {
  const [first, second] = [orderAt(3), orderAt(7)];
  const run = [...permits(first), rejected(first), ...permits(second), rejected(second)];
  const { unfilled } = held(run, [...permits(first), rejected(first), ...filled(second)]);
  expect(unfilled).toEqual({ run: 2, same: 1 });
});

describe('an unknown order that was resolved', () => {
  const order = orderAt(3);
  const run = (as: 'accepted' | 'rejected') => [
    ...permits(order),
    unknown(order),
    row(
      'resolved',
      { who: 'ann', why: 'seen', as, fill: as === 'accepted' ? fillOf(order) : null },
      { order, n: 600, reason: 'BY_PERSON' },
    ),
  ];

  test('as filled is a fill of the run', () => {
    expect(held(run('accepted'), filled(order))).toMatchObject({ fills: 1, same: 1, others: [], unfilled: { run: 0 } });
  });

  test('as not executed is no rejection by the service: it stays one without an answer', () => {
    expect(held(run('rejected'), [...permits(order), unknown(order)]).unfilled).toEqual({ run: 1, same: 1 });
    expect(held(run('rejected'), [...permits(order), rejected(order)]).unfilled).toEqual({ run: 1, same: 0 });
  });
});

describe('an order that the backtest refused in a row of refusals', () => {
  const played = [refused(5), refused(20, 15), ...filled(orderAt(29, { side: 'sell' }))];

  test('is told as refused, not as one that nobody asked for', () => {
    const told = `refused in the backtest: REDUCING, 15 times from ${isoTime(START + 5000)} to ${isoTime(START + 20_000)}`;
    expect(causes(held(filled(orderAt(12)), played))).toEqual([told]);
    expect(causes(held(filled(orderAt(20)), played))).toEqual(['refused in the backtest: REDUCING']);
  });

  test.each([
    ['before it', orderAt(4)],
    ['behind it', orderAt(21)],
    ['on the other side', orderAt(12, { side: 'sell', intentAt: START + 12_000 })],
    ['of another strategy', orderAt(12, { strategy: 'coin' })],
  ])('is none %s', (_, order) => {
    expect(causes(held(filled(order), played))).toEqual([expect.not.stringContaining('refused')]);
  });
});

test('what people did in the run is listed, and an order by hand has a person for its cause', () => {
  const by = { who: 'ann', why: 'seen' };
  const [intent, ...rest] = filled(orderAt(6));
  if (intent?.kind !== 'intent') throw new Error('an intent');
  const run: Decision[] = [
    row('resumed', { ...by, anew: true }, { n: 1, reason: 'BY_PERSON' }),
    row('paused', by, { n: 2, strategy: 'sma', reason: 'BY_PERSON' }),
    row('resumed', { who: 'schedule', why: 'morning' }, { n: 3, reason: 'BY_RULE' }),
    row('reducing', by, { n: 4, reason: 'MAX_DAY_LOSS' }),
    row('by_hand', { ...by, act: 'close', wants: { strategy: 'sma', product: null, pct: 100 }, held: [] }, { n: 5, reason: 'BY_PERSON' }),
    row('by_hand', { ...by, act: 'order', wants: { product: 'btcusd', side: 'buy' }, held: [] }, { n: 6, reason: 'BY_PERSON' }),
    row('by_hand', { ...by, act: 'flatten', wants: { resume: false }, held: [] }, { n: 7, reason: 'BY_PERSON' }),
    { ...intent, detail: { ...intent.detail, tag: 'by-hand' } },
    ...rest,
    row('paused', by, { n: 0, reason: 'BY_PERSON' }),
  ];
  const { acts, others } = held(run, []);
  expect(acts).toEqual([
    { at: isoTime(START + 1000), act: 'resume', strategy: null, ...by },
    { at: isoTime(START + 2000), act: 'pause', strategy: 'sma', ...by },
    { at: isoTime(START + 5000), act: 'close', strategy: 'sma', ...by },
    { at: isoTime(START + 6000), act: 'order', strategy: 'manual', ...by },
    { at: isoTime(START + 7000), act: 'flatten', strategy: null, ...by },
  ]);
  expect(others).toMatchObject([{ order: '6-1', cause: 'a manual order, which no backtest plays' }]);
});
