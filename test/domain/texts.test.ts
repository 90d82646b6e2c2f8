import { describe, expect, test } from 'vitest';
import { decimalOf, pointed } from '#domain/decimal.ts';
import { Cadence, freshnessFrom, USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Intent, IntentSize } from '#domain/intent.ts';
import { amountText, isLaneOfValue, laneFor, sameAmount, shownInput } from '#domain/lane.ts';
import { currency, isoTime, isProductCode, laneIdOf, productCode } from '#domain/names.ts';
import { leftText } from '#domain/no-order-words.ts';
import { figuresText, fillAsQuoted, fillOf, fillText, orderOf as orderOfText, orderText } from '#domain/order.ts';
import { midOf, percentOf, spreadPctOf } from '#domain/quote.ts';
import { dealtWith, isNeverLate, type ScheduleLine } from '#domain/schedule.ts';
import { isBlocked } from '#domain/strategy-state.ts';
import { dayEnd, dayOf, dayStart } from '#domain/utc-day.ts';
import { intentOf, legName, legText } from '#domain/work-text.ts';
import { BTC, quote } from '../support/market-data.ts';
import { orderOf } from '../support/orders.ts';

describe('what is written is read back', () => {
  test('an order and its fill, to the last digit', () => {
    const order = orderOf({ size: '0.0100', price: '60000.50' });
    const read = orderOfText(JSON.parse(JSON.stringify(orderText(order))));
    expect(JSON.parse(JSON.stringify(orderText(read)))).toEqual(JSON.parse(JSON.stringify(orderText(order))));
    const fill = fillAsQuoted(order);
    expect(fillText(fillOf(fillText(fill)))).toEqual(fillText(fill));
    for (const name of ['price', 'size', 'value', 'fee'] as const)
      expect(figuresText({ ...order.figures, [name]: decimalOf(7) })).toEqual({ ...figuresText(order.figures), [name]: '7' });
    expect(figuresText({ ...order.figures, feeCcy: currency('btc') }).feeCcy).toBe('btc');
  });

  test.each<IntentSize>([
    { kind: 'amount', amount: { base: decimalOf('0.10') } },
    { kind: 'amount', amount: { quote: decimalOf(250) } },
    { kind: 'position' },
    { kind: 'percent', percent: 50 },
    { kind: 'part', base: decimalOf('0.03') },
    { kind: 'target', size: decimalOf('-0.03') },
  ])('a leg that wants $kind', (size) => {
    const intent: Intent = { kind: 'intent', side: 'buy', size, reason: 'r', tag: 't', limit: 5, within: 1000, on: 'x' };
    const text = legText({ intent, lane: 'btcusd@base:0.1', product: 'btcusd' });
    expect(text).toMatchObject({ lane: 'btcusd@base:0.1', product: 'btcusd', side: 'buy', reason: 'r', tag: 't', limit: 5, within: 1000 });
    const read = intentOf(JSON.parse(JSON.stringify(text)));
    expect(JSON.stringify(read)).toBe(JSON.stringify(intent));
    expect(legName('w', 2)).toBe('w/2');
  });
});

describe('names', () => {
  test.each(['btcusd', 'BTC/USD', 'x', 'a:b', 'A1', 'x'.repeat(64)])('%s may name a product', (text) => {
    expect(isProductCode(text)).toBe(true);
  });
  test.each(['', 'a..b', 'a//b', 'a/.b', 'a./b', '/a', 'a/', '-a', 'a b', 'bтc', 'x'.repeat(65), 'a\n'])('%j may not', (text) => {
    expect(isProductCode(text)).toBe(false);
  });
  test('a lane has its product in small letters, and its amount as it is', () => {
    expect([laneIdOf('BTCusd@base:1E2'), laneIdOf('NONE'), laneIdOf('@X')]).toEqual(['btcusd@base:1E2', 'NONE', '@X']);
    expect([productCode('BTCUSD'), currency('USD')]).toEqual(['btcusd', 'usd']);
  });
  test('times are written to the millisecond, whichever minute was written before', () => {
    for (const ms of [0, 9, 10, 99, 100, 999, 1000, 59_999, 60_000, 3_599_999, Date.UTC(2026, 11, 31, 23, 59, 59, 999), 5])
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  });
});

test('amounts are the same by number and kind, and name their lane', () => {
  const [one, same, value] = [{ base: decimalOf(1) }, { base: decimalOf('1.0') }, { quote: decimalOf(1) }];
  expect([sameAmount(one, one), sameAmount(one, same), sameAmount(one, value), sameAmount(value, one)]).toEqual([true, true, false, false]);
  expect([sameAmount(value, { quote: decimalOf('1.0') }), sameAmount(value, { quote: decimalOf(2) })]).toEqual([true, false]);
  expect(sameAmount(one, { base: decimalOf(2) })).toBe(false);
  expect([amountText(same), amountText(value), laneFor(BTC, value).id]).toEqual(['base:1', 'quote:1', 'btcusd@quote:1']);
  expect([isLaneOfValue(laneFor(BTC, value).id), isLaneOfValue(laneFor(BTC, one).id)]).toEqual([true, false]);
  expect(shownInput(BTC, 'FULL')).toEqual({ id: 'btcusd@FULL', product: BTC, quoteType: 'FULL' });
});

test('a quote’s prices give its mid and its spread; without a price there is no share of one', () => {
  const made = quote({ buy: 60_010, sell: 59_990 });
  expect([midOf(made), spreadPctOf(made)]).toEqual([60_000, 0.033333333]);
  expect(spreadPctOf({ ...made, buy: { ...made.buy, price: 0 }, sell: { ...made.sell, price: 0 } })).toBe(0);
  // 0.1 + 0.2 of 1 is 30 percent, not a last digit more.
  expect(percentOf(0.1 + 0.2, 1)).toBe(30);
});

test.each<[digits: string, places: number, text: string]>([
  ['123', 0, '123'],
  ['123', 2, '1.23'],
  ['5', 3, '0.005'],
  ['-5', 1, '-0.5'],
  ['-1234', 3, '-1.234'],
])('%s with %d places is %s', (digits, places, text) => {
  expect(pointed(digits, places)).toBe(text);
});

test('the pause that is unusual follows the median of ten or more, and is never shorter than the usual one', () => {
  const cadence = new Cadence();
  for (let n = 0; n < 9; n++) cadence.add(10_000);
  cadence.add(0);
  cadence.add(-1);
  expect(cadence.silenceMs).toBe(USUAL_FRESHNESS.staleMs);
  cadence.add(10_000);
  expect(cadence.silenceMs).toBe(3 * 16_384);
  for (let n = 0; n < 10; n++) cadence.add(100);
  expect(cadence.silenceMs).toBe(USUAL_FRESHNESS.staleMs);
  const of = freshnessFrom({ btcusd: 5000 });
  expect([of(BTC), of(productCode('ethusd'))]).toEqual([{ staleMs: 5000, revivedBy: 2 }, USUAL_FRESHNESS]);
});

const line = (name: string, changes: Partial<ScheduleLine> = {}): ScheduleLine => ({
  ...{ name, cron: '0 * * * *', timezone: 'UTC', action: 'bot.backup', arguments: {}, missed: 'alert', missedWithinMs: 0, deadlineMs: 1 },
  ...changes,
});

test('a line goes on from where an earlier run left it, unless it is new, another, or of a clock that was wrong', () => {
  const DAY = 86_400_000;
  const past = (name: string, upTo: number) => ({ ...line(name), upTo });
  const of = (one: ScheduleLine, upTo: number) => dealtWith([one], [past('a', upTo)], 1000 + DAY).get(one.name);
  const now = 1000 + DAY;
  expect(of(line('a'), 500)).toBe(500);
  expect(of(line('b'), 500)).toBe(now);
  expect(of(line('a', { cron: '1 * * * *' }), 500)).toBe(now);
  expect(of(line('a', { timezone: 'Europe/Oslo' }), 500)).toBe(now);
  expect(of(line('a', { action: 'bot.halt' }), 500)).toBe(now);
  expect(of(line('a'), now + DAY)).toBe(now + DAY);
  expect(of(line('a'), now + DAY + 1)).toBe(now);
  expect((['bot.flatten', 'remote.flush', 'remote.deleteAll', 'bot.halt'] as const).map(isNeverLate)).toEqual([true, true, true, false]);
});

test.each<[ms: number, text: string]>([
  [-5, '0 s left'],
  [1, '1 ms left'],
  [59_000, '59 s left'],
  [59_501, '1 min left'],
  [245_000, '4 min 5 s left'],
  [3_600_000, '1 h left'],
  [47 * 3_600_000 + 59 * 60_000, '2 d left'],
  [50 * 3_600_000, '2 d 2 h left'],
])('%d ms: %s', (ms, text) => {
  expect(leftText(ms)).toBe(text);
});

test('what nobody in the strategy can end is told as blocked', () => {
  expect((['DISARMED', 'NO_TIME', 'NO_FUNDS', 'REFUSED'] as const).every((state) => isBlocked({ state }))).toBe(true);
  expect((['RUNNING', 'PAUSED', 'HALTED', 'WARMING_UP'] as const).some((state) => isBlocked({ state }))).toBe(false);
});

test('a day is one of UTC, from its first millisecond to its last', () => {
  const DAY = 86_400_000;
  expect([dayOf(0), dayOf(DAY - 1), dayOf(DAY), dayOf(-1)]).toEqual([0, 0, 1, -1]);
  expect([dayStart(DAY + 5), dayEnd(DAY + 5), dayEnd(DAY - 1)]).toEqual([DAY, 2 * DAY, DAY]);
});
