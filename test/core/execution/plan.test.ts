import { describe, expect, test } from 'vitest';
import { atWorkOf } from '#core/execution/at-work.ts';
import {
  exitOrder,
  type Leg,
  leftOf,
  type ManualOrder,
  type ManualTerms,
  manualOrder,
  outlivesItsQuote,
  prolongs,
  type StrategyOrder,
  strategyOrder,
  undoing,
  type Work,
  withinMsOf,
} from '#core/execution/plan.ts';
import { describe as describeIntent } from '#core/execution/sizing.ts';
import { isOver, isTriedOnce } from '#core/execution/work.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { laneFor } from '#domain/lane.ts';
import { orderId, productCode, strategyId } from '#domain/names.ts';
import type { Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { BTC, btcLane, btcProduct } from '../../support/market-data.ts';
import { base, legOf, planOf, wants } from './working.ts';

const patient = wants('buy', { within: 5000, limit: 60_000, tag: 't' });
const other = laneFor(BTC, base('0.02'));
const lone = (intent: Intent): StrategyOrder => strategyOrder(planOf([intent]));
const closing = (intent: Intent) => exitOrder(planOf([intent]));
const size = (of: Intent['size']): Intent => ({ ...patient, size: of });
const target = (text: string) => size({ kind: 'target', size: decimalOf(text) });

const once = wants('buy');

const terms = (lasting: boolean): ManualTerms => ({
  ...{ product: BTC, side: 'buy' as Side, want: () => expect.fail('no price'), lasting, failed() {}, ended() {} },
});

const byHand = (lasting: boolean): ManualOrder => manualOrder({ ...planOf([]), manual: terms(lasting) });

describe('an intent that asks for what is at work only begins its time anew', () => {
  test.each<[string, Intent, Intent, boolean]>([
    ['the same', patient, patient, true],
    ['for another reason, for longer', { ...patient, reason: 'more', within: 9000 }, patient, true],
    ['in other digits', size({ kind: 'amount', amount: base('0.0100') }), patient, true],
    ['in quote currency', size({ kind: 'amount', amount: { quote: decimalOf('0.01') } }), patient, false],
    ['another amount', size({ kind: 'amount', amount: base('0.02') }), patient, false],
    ['now or never', { ...patient, within: null }, patient, false],
    ['the other side', { ...patient, side: 'sell' }, patient, false],
    ['another limit', { ...patient, limit: 59_000 }, patient, false],
    ['another tag', { ...patient, tag: null }, patient, false],
    ['the same target', target('0.5'), target('0.50'), true],
    ['another target', target('0.5'), target('0.6'), false],
    ['a target that has the figure of the amount', target('0.01'), patient, false],
    ['the position', size({ kind: 'position' }), size({ kind: 'position' }), true],
    ['another share', size({ kind: 'percent', percent: 50 }), size({ kind: 'percent', percent: 51 }), false],
  ])('%s', (_, asked, present, expected) => {
    expect(prolongs(planOf([asked]), lone(present))).toBe(expected);
  });

  test.each<[string, Parameters<typeof planOf>, Partial<StrategyOrder>]>([
    ['of another strategy', [[patient], { strategy: strategyId('other') }], {}],
    ['on another lane', [[legOf(patient, other)]], {}],
    ['with a leg after it', [[patient, patient]], {}],
    ['where a leg comes after the one at work', [[patient]], { legs: planOf([patient, patient]).legs }],
    ['of nothing', [[]], {}],
    ['where an order is on its way', [[patient]], { order: orderId('1-1') }],
    ['with its legs in another order', [[target('0.5'), patient]], { legs: planOf([patient, target('0.5')]).legs }],
    ['with another later leg', [[patient, target('0.5')]], { legs: planOf([patient, target('0.6')]).legs }],
    ['with another time for a later leg', [[patient, { ...patient, within: 1 }]], { legs: planOf([patient, patient]).legs }],
    ['where the first leg is done', [[patient, once]], { legs: planOf([patient, once]).legs, index: 1 }],
    ['with another end of a failed leg', [[patient, once], { onLegFailure: 'unwind' }], { legs: planOf([patient, once]).legs }],
  ])('not %s', (_, plan, work) => {
    expect(prolongs(planOf(...plan), { ...lone(patient), ...work })).toBe(false);
  });

  test('with all its legs', () => {
    const asked = planOf([{ ...patient, reason: 'more', within: 9000 }, once]);
    expect(prolongs(asked, strategyOrder(planOf([patient, once])))).toBe(true);
  });

  test('not what closes a position, nor an order of a person', () => {
    expect(prolongs(planOf([patient]), closing(patient))).toBe(false);
    expect(prolongs(planOf([patient]), { ...byHand(true), legs: planOf([patient]).legs })).toBe(false);
  });
});

test('a plan outlives its quote where it may wait: a restart goes on with it, and people see it', () => {
  expect(outlivesItsQuote(lone(once))).toBe(false);
  expect(outlivesItsQuote(lone(patient))).toBe(true);
  expect(outlivesItsQuote(closing(once))).toBe(true);
  expect(outlivesItsQuote({ ...lone(once), legs: planOf([once, once]).legs })).toBe(true);
  expect(atWorkOf(lone(once))).toEqual([]);
  const [leg] = planOf([patient]).legs;
  const seen = { strategy: 's', leg: 1, of: 1, product: 'btcusd', why: 'go', attempts: 0, last: null, order: null };
  expect(atWorkOf(lone(patient))).toEqual([{ ...seen, wants: 'buy 0.01 base', limit: 60_000, until: null }]);
  const legs = leg ? [leg, legOf(target('0.5'))] : [];
  const sideless = legs.map((one) => ({ ...one, intent: { ...one.intent, side: null } }));
  const going = { legs: sideless, index: 1, until: 7000, attempts: 2, last: 'rejected', order: orderId('1-2') };
  expect(atWorkOf({ ...lone(patient), ...going })).toEqual([
    { ...seen, leg: 2, of: 2, wants: 'target 0.5', limit: 60_000, until: 7000, attempts: 2, last: 'rejected', order: '1-2' },
  ]);
  expect(atWorkOf({ ...lone(patient), legs: [] })).toEqual([]);
});

test.each<[string, Partial<StrategyOrder>, lasts: number | null]>([
  ['the first leg: until its quote is over', { index: 0 }, null],
  ['a later one: for the next quote, two and a half times as long as its lane may be silent', { index: 1 }, 7500],
  ['one whose lane nobody has any more: as if quotes came twice a second', { index: 2 }, 5000],
  ['one that says how long itself', { index: 3 }, 5000],
  ['none', { index: 4 }, null],
])('how long a leg is worked: %s', (_, at, lasts) => {
  const legs = planOf([once, once, legOf(once, other), patient]).legs;
  const market = { stateOf: (lane: string) => (lane === btcLane.id ? ({ staleMs: 3000 } as never) : undefined) };
  expect(withinMsOf({ ...lone(once), legs, ...at }, market)).toBe(lasts);
});

test('what was executed is undone, the last first, in whole steps', () => {
  const eth = laneFor(productCode('ethusd'), base('0.1'));
  const changes: readonly (readonly [lane: typeof btcLane, change: string])[] = [
    [btcLane, '0.01'],
    [btcLane, '-0.00999'],
    [btcLane, '0.00009'],
    [eth, '0.012345'],
  ];
  const done = changes.map(([lane, change]) => ({ leg: legOf(patient, lane), change: decimalOf(change) }));
  const undone = (held: string, reopens = true) => {
    const known = { products: new Map([[BTC, btcProduct]]), feeShare: () => 0, reopens, held: () => decimalOf(held) };
    return undoing({ ...lone(patient), done }, known);
  };
  const shown = (legs: readonly Leg[]) => legs.map(({ product, intent }) => `${product} ${intent.side} ${describeIntent(intent)}`);
  const legs = undone('0.02');
  expect(shown(legs), 'what was opened, as far as it is held').toEqual([
    'ethusd sell 0.012345 of the position',
    'btcusd buy 0.0099 base',
    'btcusd sell 0.01 of the position',
  ]);
  expect(shown(undone('-0.02'))).toEqual(['ethusd sell 0.012345 base', 'btcusd buy 0.0099 of the position', 'btcusd sell 0.01 base']);
  expect(shown(undone('0.02', false)), 'without what would be opened again').toEqual(
    [legs[0], legs[2]].flatMap((leg) => shown(leg ? [leg] : [])),
  );
  expect(shown(undone('0'))).toEqual(['ethusd sell 0.012345 base', 'btcusd buy 0.0099 base', 'btcusd sell 0.01 base']);
  expect(legs.at(-1)).toMatchObject({ lane: btcLane.id, intent: { tag: 'unwind', limit: null, within: null, on: null } });
});

test.each<[string, Work, passing: boolean, nothingLeft: boolean, other: boolean]>([
  ['without a time it is over', lone(once), true, true, true],
  ['with one it waits, unless there is nothing left', { ...lone(patient), withinMs: 5000 }, false, true, false],
  ['what closes a position waits as well', closing(once), false, true, false],
  ["a person's order waits for a better quote alone", byHand(false), false, true, true],
  ["a person's closing waits for whatever comes", byHand(true), false, false, false],
])('a refused leg: %s', (_, work, passing, nothingLeft, rest) => {
  const leg = legOf(work.legs[0]?.intent ?? once);
  const over = (...reasons: readonly Reason[]) => [...new Set(reasons.map((reason) => isOver(work, leg, reason)))];
  expect(over('TIME_LEFT', 'LANE_STALE', 'LANE_DOWN', 'QUOTE_TAKEN', 'QUOTE_REPEATED')).toEqual([passing]);
  expect(over('NO_POSITION', 'DUST')).toEqual([nothingLeft]);
  expect(over('LIMIT_PRICE', 'MAX_ORDER_VALUE')).toEqual([rest]);
  expect(isTriedOnce(work)).toBe(rest);
});

test('undoing a leg waits as an exit where it closes a part, and as a later leg where it opens again', () => {
  const over = (of: Intent['size'], ...reasons: readonly Reason[]) => {
    const intent: Intent = { ...once, tag: 'unwind', size: of };
    return reasons.map((reason) => isOver(closing(intent), legOf(intent), reason));
  };
  const reasons = ['QUOTE_TAKEN', 'HALTED', 'REDUCING', 'SIZE_LIMITS', 'NO_POSITION'] as const;
  expect(over({ kind: 'part', base: decimalOf('0.01') }, ...reasons)).toEqual([false, false, false, true, true]);
  expect(over({ kind: 'amount', amount: btcLane.amount }, ...reasons)).toEqual([false, true, true, true, true]);
});

test('undoing goes on with what its order left; a fee that was taken from what is opened again is none of that', () => {
  const left = (of: Intent['size'], change: string) => `${leftOf(legOf({ ...once, tag: 'unwind', size: of }), decimalOf(change))}`;
  const part = { kind: 'part', base: decimalOf('0.01') } as const;
  const again = { kind: 'amount', amount: { base: decimalOf('0.01') } } as const;
  expect(['-0.004', '-0.00999', '-0.01', '-0.02'].map((change) => left(part, change))).toEqual(['0.006', '0.00001', '0', '0']);
  expect(['0.004', '0.00979', '0.0098', '0.01', '0.02'].map((change) => left(again, change))).toEqual(['0.006', '0.00021', '0', '0', '0']);
  expect(`${leftOf(legOf(once), decimalOf('0.001'))}`, 'a leg of a strategy is executed').toBe('0');
});

test('a later leg without `within` waits for whatever another quote may bring, and not for a person, a limit of value or its own price', () => {
  const work = { ...lone(once), withinMs: 5000 };
  const waits = (['QUOTE_TAKEN', 'QUOTE_WITHOUT_ID', 'LANE_STALE', 'LANE_POOL_EMPTY', 'IN_FLIGHT', 'COLLAR', 'MAX_SPREAD'] as const).map(
    (reason) => isOver(work, legOf(once), reason),
  );
  const ends = (['NO_POSITION', 'HALTED', 'PAUSED', 'SHORT_NOT_ALLOWED', 'BUDGET', 'MAX_ORDER_VALUE', 'LIMIT_PRICE'] as const).map(
    (reason) => isOver(work, legOf(once), reason),
  );
  expect([new Set(waits), new Set(ends), isTriedOnce(work)]).toEqual([new Set([false]), new Set([true]), false]);
});
