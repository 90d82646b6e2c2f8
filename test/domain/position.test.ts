import { describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { currency } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import {
  closeResult,
  FLAT,
  type Position,
  type PositionText,
  positionAfter,
  positionCorrected,
  positionOf,
  positionText,
} from '#domain/position.ts';

/** A fill of so much at a price, with a fee of one in quote currency unless another is named. */
function fill(side: Fill['side'], size: string, price: string, { fee = '1', feeCcy = 'usd', baseCcy = 'btc' } = {}): Fill {
  const value = decimalOf(size).times(price);
  const names = { baseCcy: currency(baseCcy), quoteCcy: currency('usd'), feeCcy: currency(feeCcy) };
  return { side, size: decimalOf(size), price: decimalOf(price), value, fee: decimalOf(fee), ...names };
}

/** The position after fills, one a second. */
const after = (...fills: readonly Fill[]): Position => fills.reduce((held, one, n) => positionAfter(held, one, n), FLAT);
const buy = (size: string, price: string) => fill('buy', size, price);
const sell = (size: string, price: string) => fill('sell', size, price);

describe('a position', () => {
  test.each<[what: string, fills: readonly Fill[], is: PositionText]>([
    ['is opened by a purchase', [buy('2', '100')], { size: '2', average: '100', cash: '-201', openedAt: 0, entries: 1 }],
    ['or by a sale', [sell('2', '100')], { size: '-2', average: '100', cash: '199', openedAt: 0, entries: 1 }],
    [
      'a fee in a third currency takes of neither',
      [fill('buy', '2', '100', { fee: '9', feeCcy: 'bnb' })],
      { size: '2', average: '100', cash: '-200', openedAt: 0, entries: 1 },
    ],
    ['averages what is added', [buy('2', '100'), buy('1', '130')], { size: '3', average: '110', cash: '-332', openedAt: 0, entries: 2 }],
    ['short as well', [sell('2', '100'), sell('1', '130')], { size: '-3', average: '110', cash: '328', openedAt: 0, entries: 2 }],
    [
      'keeps its average where it is reduced',
      [buy('2', '100'), sell('1', '130')],
      { size: '1', average: '100', cash: '-72', openedAt: 0, entries: 1, closed: '28.5' },
    ],
    [
      'short as well',
      [sell('2', '100'), buy('1', '70')],
      { size: '-1', average: '100', cash: '128', openedAt: 0, entries: 1, closed: '28.5' },
    ],
    [
      'is flat when all of it is sold',
      [buy('2', '100'), sell('2', '130')],
      { size: '0', average: '0', cash: '58', openedAt: null, entries: 0 },
    ],
    [
      'begins anew where it turns over',
      [buy('2', '100'), sell('3', '130')],
      { size: '-1', average: '130', cash: '188', openedAt: 1, entries: 1 },
    ],
    [
      'and after it was flat',
      [buy('1', '100'), sell('1', '130'), buy('1', '90')],
      { size: '1', average: '90', cash: '-63', openedAt: 2, entries: 1 },
    ],
    [
      'and over dust',
      [buy('1', '100'), sell('0.9', '130'), buy('0.6', '93')],
      { size: '0.7', average: '94', cash: '-41.8', openedAt: 2, entries: 1 },
    ],
    [
      'but not over a fifth of the fill',
      [buy('1', '100'), sell('0.9', '130'), buy('0.5', '88')],
      { size: '0.6', average: '90', cash: '-30', openedAt: 0, entries: 2 },
    ],
  ])('%s', (_, fills, is) => {
    const { lots, ...text } = positionText(after(...fills));
    expect(text).toEqual(is);
    expect(lots?.length === 0).toBe(is.entries === 0);
  });

  test('takes a fee in base currency from its size, and of a currency against itself from its cash', () => {
    const inBase = { fee: '0.1', feeCcy: 'btc' };
    expect(positionText(after(fill('buy', '2', '100', inBase)))).toMatchObject({ size: '1.9', average: '100', cash: '-200' });
    expect(positionText(after(fill('sell', '2', '100', inBase)))).toMatchObject({ size: '-2.1', cash: '200' });
    const against = { fee: '0.1', feeCcy: 'usd', baseCcy: 'usd' };
    expect(positionText(after(fill('buy', '2', '1', against)))).toMatchObject({ size: '2', cash: '-2.1' });
  });

  test('is read back as it was written', () => {
    for (const held of [FLAT, after(buy('2', '100')), after(sell('2', '100'), sell('1', '90'), buy('1', '80'))])
      expect(positionOf(positionText(held))).toEqual(held);
  });

  test('of a recording without lots is one, at its average entry', () => {
    const text = { size: '-2', average: '100', cash: '500', openedAt: 0, entries: 3, fees: '0.5' };
    expect(positionText(positionOf(text)).lots).toEqual([{ price: '100', size: '2', cash: '199.5', fees: '0.5' }]);
    expect(positionOf({ ...text, size: '0', fees: '0' }).lots).toEqual([]);
  });
});

describe('a correction to what the account holds', () => {
  const long = after(buy('2', '100'));
  const short = after(sell('2', '100'));

  test.each<[what: string, before: Position, amount: string, is: Partial<PositionText>]>([
    ['adds to it', long, '1', { size: '3', average: '100', openedAt: 0 }],
    ['takes from it', short, '1', { size: '-1', average: '100', openedAt: 0 }],
    ['closes it', long, '-2', { size: '0', average: '0', cash: '-201', openedAt: null, entries: 0 }],
    ['never turns it over', long, '-3', { size: '0', average: '0', cash: '-201', openedAt: null, entries: 0 }],
    ['nor a short one', short, '3', { size: '0', cash: '199', entries: 0 }],
    ['never opens one', FLAT, '3', { size: '0', entries: 0, openedAt: null }],
  ])('%s', (_, before, amount, is) => {
    expect(positionText(positionCorrected(before, decimalOf(amount), false))).toMatchObject(is);
  });

  test('in money changes the cash alone', () => {
    expect(positionText(positionCorrected(long, decimalOf('5'), true))).toEqual({
      ...{ ...positionText(long), cash: '-196' },
      lots: [{ price: '100', size: '2', cash: '-196', fees: '1' }],
    });
    expect(positionText(positionCorrected(FLAT, decimalOf('5'), true))).toEqual({ ...positionText(FLAT), cash: '5' });
  });
});

test.each<[what: string, held: readonly Fill[], of: Fill, result: string | undefined]>([
  ['a sale above the average earns', [buy('2', '100')], sell('2', '130'), '58'],
  ['a sale below it loses', [buy('2', '100')], sell('2', '90'), '-22'],
  ['a purchase below it earns for who is short', [sell('2', '100')], buy('2', '70'), '58'],
  ['a purchase above it loses', [sell('2', '100')], buy('2', '110'), '-22'],
  ['what the fees of both ends eat is lost', [buy('2', '100')], sell('2', '100.75'), '-0.5'],
  ['fees of entries add up', [buy('1', '100'), buy('1', '100')], sell('2', '101'), '-1'],
  ['a sale that turns over pays its share of the fee', [buy('1', '100')], sell('4', '102'), '0.75'],
  ['a fee in base currency is closed with it', [buy('1.1', '100')], fill('sell', '1', '130', { fee: '0.1', feeCcy: 'btc' }), '19'],
  ['at the entry too', [fill('buy', '2', '100', { fee: '0.5', feeCcy: 'btc' })], sell('1.5', '130'), '-6'],
  ['one in a third currency is not', [fill('buy', '2', '100', { fee: '9', feeCcy: 'bnb' })], sell('2', '130'), '59'],
  ['a sale by who is short closes nothing', [sell('2', '100')], sell('1', '130'), undefined],
  ['a purchase by who is long closes nothing', [buy('2', '100')], buy('1', '130'), undefined],
  ['nor does any by who is flat', [], sell('1', '130'), undefined],
  ['or this', [], buy('1', '130'), undefined],
  ['a left-over that a new position turns over is none', [buy('0.01', '100')], sell('1', '102'), undefined],
  ['what is more than that is one', [buy('0.03', '100')], sell('1', '104'), '-0.91'],
  ['a part is not all', [buy('2', '100')], sell('1', '90'), undefined],
  ['all parts are counted with the last', [buy('2', '100'), sell('1', '90'), sell('0.5', '90')], sell('0.5', '150'), '6'],
  ['or with what turns it', [buy('2', '100'), sell('1', '90')], sell('4', '110'), '-2.25'],
  ['or with an entry, the oldest lot first', [buy('1', '100'), buy('1', '200'), sell('1', '150')], buy('1', '150'), '48'],
  ['whatever they cost on average', [buy('1', '200'), buy('1', '100'), sell('1', '150')], buy('1', '150'), '-52'],
  ['once', [buy('2', '100'), sell('1', '90'), buy('1', '90')], buy('1', '90'), undefined],
  ['not again with what is closed later', [buy('2', '100'), sell('1', '90'), buy('1', '90')], sell('2', '95'), '-2.5'],
  ['or after it was turned', [buy('2', '100'), sell('1', '90'), sell('2', '90')], buy('1', '80'), '8.5'],
  ['what rounding leaves over is as good as nothing', [buy('1', '100')], sell('0.99', '90'), '-11.89'],
  ['and no part of the next', [buy('1', '100'), sell('0.99', '90')], buy('1', '90'), undefined],
  [
    'what turns over a left-over ends what was closed before',
    [buy('1', '100'), sell('0.9', '90'), sell('0.08', '90')],
    sell('4', '90'),
    '-12.78',
  ],
])('what a position made: %s', (_, held, of, result) => {
  expect(closeResult(after(...held), of)?.toString()).toBe(result);
});

test('parts that were closed are kept with the position, and where the account has nothing of the rest', () => {
  const held = after(buy('2', '100'), sell('1', '90'));
  const kept = positionOf(JSON.parse(JSON.stringify(positionText(held))) as PositionText);
  for (const one of [held, kept, positionCorrected(kept, decimalOf('-1'), false)])
    expect(`${closeResult(one, buy('1', '90'))}`).toBe('-11.5');
});
