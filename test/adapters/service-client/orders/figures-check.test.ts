import { describe, expect, test } from 'vitest';
import { figuresTold, isMisfit } from '#adapters/service-client/orders/answer-figures.ts';
import { heldAgainst } from '#adapters/service-client/orders/figures-check.ts';
import type { Fields } from '#adapters/service-client/quotes/decode-quote.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency } from '#domain/names.ts';

interface Figures {
  readonly price: string;
  readonly size: string;
  readonly fee: string;
  readonly feeCcy?: string;
  readonly side?: 'buy' | 'sell';
}

const QUOTED: Figures = { price: '60018', size: '0.01', fee: '0.60018' };

/** What is booked of an answer to an order at such a quote, or the field that does not fit with what is wrong with it. */
function held(body: Fields, { price, size, fee, feeCcy = 'usd', side = 'buy' }: Figures = QUOTED) {
  const figures = {
    ...{ price: decimalOf(price), size: decimalOf(size), value: decimalOf(price).times(size), fee: decimalOf(fee) },
    feeCcy: currency(feeCcy),
  };
  const told = figuresTold(body, []);
  if (isMisfit(told)) throw new Error(told.why);
  const quoted = { figures, side, baseCcy: currency('btc'), quoteCcy: currency('usd') };
  const read = heldAgainst(quoted, told, { figureTolerancePct: 1, partial: false });
  return 'why' in read ? `${read.field} ${read.why}` : read;
}

const booked = (...given: Parameters<typeof held>) => {
  const read = held(...given);
  return typeof read === 'string' ? read : read.figures;
};

test('a size is net of the fee only where a fee in base was told', () => {
  expect(booked({ size: 0.00999, fee: 0.00001, feeCcy: 'BTC' })).toMatchObject({ size: '0.01' });
  expect(booked({ size: 0.00999, feeCcy: 'BTC' })).toMatch(/^size says 0.00999, less than the 0.01 that was quoted/);
  expect(booked({ size: 0.005, fee: 0.005, feeCcy: 'USD' })).toMatch(/^size says 0.005, less than/);
});

test('a value and a price times a size may differ by what their last digits round, and no more', () => {
  expect(booked({ filledValue: 601 })).toEqual({ value: '601' });
  expect(booked({ filledValue: 603 })).toBe('filledValue says 603, and price x size is 600.18');
  expect(booked({ filledSize: 0.004, filledValue: 240.1 })).toMatchObject({ size: '0.004', value: '240.1' });
  expect(booked({ filledSize: 0.004, filledValue: 240.5 })).toBe('filledValue says 240.5, and price x size is 240.072');
  expect(booked({ price: 60018, size: 0.01, value: 600.188 })).toMatchObject({ value: '600.188' });
  expect(booked({ price: 60018, size: 0.01, value: 600.195 })).toBe('value says 600.195, and price x size is 600.18');
});

test('a fee that fits both currencies is in that of the quote', () => {
  const near1 = { price: '1', size: '10', fee: '0.01' };
  expect(booked({ fee: 0.01 }, { ...near1, feeCcy: 'btc' })).toEqual({ fee: '0.01', feeCcy: 'btc' });
  expect(booked({ fee: 0.01 }, { ...near1, feeCcy: 'usd' })).toEqual({ fee: '0.01', feeCcy: 'usd' });
});

test('a fee may have been rounded up to a cent, not to a whole unit', () => {
  expect(booked({ fee: 0.01, feeCcy: 'usd' }, { price: '7', size: '1', fee: '0.007' })).toMatchObject({ fee: '0.01' });
  expect(booked({ fee: 0.01, feeCcy: 'usd' }, { price: '4', size: '1', fee: '0.0045' })).toMatch(/^fee says 0.01/);
  expect(booked({ fee: 1, feeCcy: 'usd' })).toBe("fee says 1, and the quote's fee is 0.60018 usd");
  expect(booked({ fee: 6 })).toBe("fee says 6, and the quote's fee is 0.60018 usd or 0.00001 btc");
});

test('where the quote has no fee, none may be told', () => {
  const free = { price: '7', size: '1', fee: '0' };
  expect(booked({ fee: 0 }, free)).toMatchObject({ fee: '0' });
  expect(booked({ fee: 0.01 }, free)).toMatch(/^fee says 0.01/);
});

describe('row 6: a value that differs from size times price by exactly the fee is what was paid or received', () => {
  const with_ = (value: string) => ({ figures: expect.objectContaining({ value }), reading: 'value-with-fee' });
  const plain = (value: string) => ({ figures: expect.objectContaining({ value }), reading: 'value-plain' });
  const SELL: Figures = { ...QUOTED, side: 'sell' };
  const WHOLE: Figures = { price: '500', size: '2', fee: '1' };

  test.each<[string, Fields, Figures, ReturnType<typeof plain> | string]>([
    ['a purchase, no price told', { value: 600.78018, fee: 0.60018, feeCcy: 'usd' }, QUOTED, with_('600.18')],
    ['and a size', { size: 0.01, value: '600.78018' }, QUOTED, with_('600.18')],
    ['and a price', { size: 0.01, price: 60018, value: 600.78018 }, QUOTED, with_('600.18')],
    ['rounded to cents', { size: 0.01, price: 60018, value: 600.78 }, QUOTED, with_('600.18')],
    ['a sale', { size: 0.01, price: 60018, value: 599.57982 }, SELL, with_('600.18')],
    ['a sale with what a purchase would have paid', { value: 600.78018 }, SELL, 'value says 600.78018, and price x size is 600.18'],
    ['a discount of the fee', { value: 600.48009, fee: 0.30009 }, QUOTED, with_('600.18')],
    ['a fee in base', { value: 600.78018, fee: 0.00001, feeCcy: 'btc' }, { ...QUOTED, fee: '0.00001', feeCcy: 'btc' }, with_('600.18')],
    ['a part of the order', { filledSize: 0.004, filledPrice: 60018, filledValue: 240.312072 }, QUOTED, with_('240.072')],
    ['a fee of a whole unit, beside whole figures', { price: 500, size: 2, value: 1001 }, WHOLE, with_('1000')],
    ['none of it', { size: 0.01, price: 60018, value: 600.18 }, QUOTED, plain('600.18')],
    ['half of the fee', { value: 600.48009 }, QUOTED, 'value says 600.48009, and price x size is 600.18'],
    ['twice the fee', { price: 60018, value: 601.38036 }, QUOTED, 'value says 601.38036, and price x size is 600.18'],
  ])('%s', (_, body, quote, read) => expect(held(body, quote)).toEqual(read));
});
