import { describe, expect, test } from 'vitest';
import { durationText } from '#domain/duration-text.ts';
import type { WaitingView } from '#server/page/view.ts';
import { describeDecision } from '../../web/words/decision-text.ts';
import { direction, exact, fixed, signed, signedShare } from '../../web/words/numbers.ts';
import { said } from '../../web/words/said.ts';
import { awayText, clockText, lastedText, lostText, momentText } from '../../web/words/times.ts';
import { waitingText } from '../../web/words/waiting.ts';

describe('figures on the page', () => {
  test.each([
    [1234567.891, 2, '1,234,567.89'],
    ['-0.001', 2, '0.00'],
    [-4.5, 2, '\u22124.50'],
    [999.999, 2, '1,000.00'],
    [null, 2, '\u2013'],
    ['', 2, '\u2013'],
    [7, 0, '7'],
  ])('%s to %s places is %s', (value, places, text) => expect(fixed(value, places)).toBe(text));

  test.each([
    [12.3, '+12.30'],
    [-12.3, '\u221212.30'],
    [0.001, '0.00'],
    [null, '\u2013'],
  ])('a profit of %s is %s: its sign never depends on colour', (value, text) => expect(signed(value, 2)).toBe(text));

  test.each([
    [-0.0000083, '\u2212<0.01 %'],
    [0.0000083, '+<0.01 %'],
    [0.0123, '+1.23 %'],
    [0, '0.00 %'],
  ])('a share of %s is %s: less than the least place is not nothing', (share, text) => expect(signedShare(share)).toBe(text));

  test.each([
    ['0.00000001', '0.00000001'],
    ['-61804.99', '\u221261,804.99'],
    ['921.65', '921.65'],
    [1e21, '1e+21'],
  ])('%s as it is: %s, no place is lost', (value, text) => expect(exact(value)).toBe(text));

  test.each([
    ['0.1', 'up'],
    [-2, 'down'],
    [null, 'even'],
  ])('%s points %s', (value, way) => expect(direction(value)).toBe(way));
});

describe('times on the page', () => {
  const now = Date.parse('2026-04-06T10:00:00.000Z');

  test.each([
    ['2026-04-06T09:59:58.123Z', '09:59:58'],
    ['2026-04-05T23:59:58.123Z', '04-05 23:59'],
  ])('%s is %s: the date stands there where it is not today', (at, text) => expect(clockText(at, now)).toBe(text));

  test.each([
    [999, '999 ms'],
    [1_000, '1 s'],
    [2_345, '2.3 s'],
    [9_960, '10 s'],
    [10_000, '10 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [90_000_000, '1 d 1 h'],
    [-5, '0 s'],
    [12_514, '13 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [3_599_700, '1 h'],
    [86_399_000, '1 d'],
  ])('%s ms is %s', (ms, text) => expect(durationText(ms)).toBe(text));

  test('a time that lasts is whole seconds, rounded as any', () => {
    expect([12_514, 2_345, 59_700, 302_000].map(lastedText)).toEqual(['13 s', '2 s', '1 min', '5 min 2 s']);
    expect(lostText(26_000)).toBe('lost 26 s ago');
  });

  test.each([
    ['2026-04-06T09:59:30.000Z', '30 s ago'],
    ['2026-04-06T10:02:00.000Z', 'in 2 min'],
    ['nonsense', ''],
  ])('%s is %s', (at, text) => expect(awayText(at, now)).toBe(text));

  test('a moment says that it is UTC', () => expect(momentText('2026-04-06T10:00:00.123Z')).toBe('2026-04-06 10:00:00 UTC'));
});

const at = '2026-04-06T10:00:00.123Z';

test.each([
  ['a time of the day', 'until 2026-04-06T14:05:52.894Z', 'until 14:05:52'],
  ['a time of another day', 'until 2026-04-07T14:05:52.894Z', 'until 04-07 14:05'],
  ['a wait', '3000 ms left, 344 ms needed, 12.5 ms', '3.0 s left, 344 ms needed, 13 ms'],
  ['money', 'worth 110023.0950989 usd, at most 20000000 usd (risk.maxDayValue)', 'worth 110,023.10 usd, at most 20,000,000 usd'],
  ['a fee below a cent', 'fee 0.00001234 btc', 'fee 0.00001234 btc'],
  ['a share', 'price 0.003054006 %, at most 3 % (risk.collarPct, of an exit risk.reducing.collarPct)', 'price 0.003054 %, at most 3 %'],
  ['a rate', 'buy 921.63 at 1.08503', 'buy 921.63 at 1.08503'],
  [
    'named values',
    'fast above slow | fast=61897.5855 slow=61896.43467 signal=above',
    'fast above slow | fast 61,897.59, slow 61,896.43, signal above',
  ],
  ['names', 'order 23295-1 on ethusd@base:0.25, 2026-04-06, 61,804.12345', 'order 23295-1 on ethusd@base:0.25, 2026-04-06, 61,804.12345'],
  ['a quote', 'on quote 42e8bd1d-9735-4921-8000-000000000366', 'on quote 42e8bd1d'],
  ['a loss below a cent', 'profit -0.004 usd', 'profit \u2212<0.01 usd'],
  [
    "a strategy's own words",
    'buy 0.01 base: x=1, <a b=c> 1.08517 usd is below 1.09 usd at -0.004 | x=1.23456789 | 3000 ms left',
    'buy 0.01 base: x=1, <a b=c> 1.08517 usd is below 1.09 usd at -0.004 | x 1.23457 | 3.0 s left',
  ],
  [
    'its reason for no order',
    'the strategy itself gives the reason: 1.08517 usd, x=1',
    'the strategy itself gives the reason: 1.08517 usd, x=1',
  ],
  [
    'its words of an intent that was refused',
    'it wanted to buy 0.01 base (1.08517 usd (x=1)) and was refused: worth 110023.0950989 usd',
    'it wanted to buy 0.01 base (1.08517 usd (x=1)) and was refused: worth 110,023.10 usd',
  ],
])('words of the daemon for a person: %s', (_, words, text) => expect(said(words, Date.parse(at))).toBe(text));

test('a refusal is told by its figures, with what was wanted beneath and its code last; another code by what it means, and a fill by its figures', () => {
  const refused = {
    kind: 'refused',
    reason: 'MAX_SPREAD',
    meaning: 'the spread is wider than risk.maxSpreadPct',
    words: 'buy 0.01: dip | fast=1 | spread 0.31 % over 0.2 % | 3 times',
    fill: null,
  };
  expect(describeDecision({ ...refused, at })).toEqual({
    says: 'spread 0.31 % over 0.2 %',
    figures: 'buy 0.01: dip | fast 1',
    code: 'MAX_SPREAD',
  });
  const late = { kind: 'expired', reason: 'EXPIRED', meaning: 'the quote expired', words: '-20 ms left', fill: null };
  expect(describeDecision({ ...late, at })).toEqual({ says: late.meaning, figures: '\u221220 ms left', code: 'EXPIRED' });
  const halted = {
    kind: 'refused',
    reason: 'HALTED',
    meaning: 'trading is halted',
    words: 'buy 0.01 base: in | trading is halted',
    fill: null,
  };
  expect(describeDecision({ ...halted, at })).toEqual({ says: 'trading is halted', figures: 'buy 0.01 base: in', code: 'HALTED' });
  const hold = { kind: 'hold', reason: 'HOLD', meaning: null, words: '1.08517 usd, x=1 | fast=1.23456789 | 3 times', fill: null };
  expect(describeDecision({ ...hold, at })).toEqual({ says: '1.08517 usd, x=1 | fast 1.23457', figures: null, code: null });
  const threw = {
    kind: 'threw',
    reason: 'STRATEGY_THREW',
    meaning: 'the strategy threw an error',
    words: 'strategies/dip.ts:9:43: no (2 in a row)',
    fill: null,
  };
  expect(describeDecision({ ...threw, at })).toEqual({ says: threw.words, figures: null, code: null });
  const fill = {
    side: 'buy',
    baseCcy: 'btc',
    quoteCcy: 'usd',
    price: '61804.9',
    size: '0.01',
    value: '618.049',
    fee: '0.618049',
    feeCcy: 'usd',
  } as const;
  const accepted = {
    kind: 'accepted',
    reason: 'HTTP_OK',
    meaning: null,
    words: 'buy 0.01 at 61804.9 = 618.049 | answered 201 in 9 ms',
    fill,
  };
  expect(describeDecision({ ...accepted, at })).toEqual({
    says: 'bought 0.01 at 61,804.9 for 618.05\u00a0usd, fee 0.62\u00a0usd',
    figures: 'answered 201 in 9 ms',
    code: null,
  });
  const inBase = { ...accepted, fill: { ...fill, side: 'sell', fee: '0.00001', feeCcy: 'btc' } } as const;
  expect(describeDecision({ ...inBase, at }).says).toBe('sold 0.01 at 61,804.9 for 618.05\u00a0usd, fee 0.00001000\u00a0btc');
});

test.each<[string, Partial<WaitingView>, string]>([
  ['a lone intent', {}, 'waiting: buy 0.01 base of btcusd: go'],
  [
    'a leg that was refused',
    { leg: 2, of: 3, limit: 59_000, until: '2026-01-01T00:00:05.000Z', attempts: 2, last: 'LIMIT_PRICE', lastWords: 'the price is worse' },
    'waiting: leg 2 of 3, buy 0.01 base of btcusd at 59,000 at worst: go; lapses in 5 s; tried 2 times, last: the price is worse',
  ],
  ['one whose order did not leave', { attempts: 1, last: 'not_sent' }, 'waiting: buy 0.01 base of btcusd: go; tried once, last: not sent'],
  ['one on its way', { attempts: 1, last: 'sent', order: '7-1' }, 'order 7-1 on its way: buy 0.01 base of btcusd: go; tried once'],
])('what a strategy waits for: %s', (_what, more, text) => {
  const one = { leg: 1, of: 1, product: 'btcusd', wants: 'buy 0.01 base', why: 'go', limit: null, until: null, attempts: 0 } as const;
  expect(waitingText({ ...one, last: null, lastWords: null, order: null, ...more }, Date.UTC(2026, 0, 1))).toBe(text);
});
