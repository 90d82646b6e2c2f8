import { describe, expect, test } from 'vitest';
import { Decimal, decimalOf, isMultipleOf } from '#domain/decimal.ts';
import type { Amount } from '#domain/lane.ts';
import { amountFault } from '#paper-venue/core/amount-check.ts';
import { applyBooking, bookingOf } from '#paper-venue/core/booking.ts';
import { drawLogUniform, drawUniform } from '#paper-venue/core/draws.ts';
import { match } from '#paper-venue/core/matching.ts';
import { QuoteBook } from '#paper-venue/core/quote-book.ts';
import { bookOf, midOnGrid, type QuoteFigures, quoteFigures, type Top } from '#paper-venue/core/quote-making.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#paper-venue/products.ts';
import { fc, test as property } from '../support/property.ts';

const btc = productOf('btcusd');

function productOf(code: string): QuotedProduct {
  const product = VB_PRODUCTS.find((candidate) => candidate.code === code);
  if (!product) throw new Error(`no product ${code}`);
  return product;
}

function figuresOf(product: QuotedProduct, amount: Amount, mid = product.anchor): QuoteFigures {
  const inputs = { product, amount, top: { bid: mid, ask: mid }, feePercentage: 0.1, referenceMid: mid };
  const figures = quoteFigures(inputs);
  if (!figures) throw new Error('no quote');
  return figures;
}

const anyProduct = fc.constantFrom(...VB_PRODUCTS);
/** A market around the product's anchor, with or without a spread of its own. */
const anyMarket = fc.record({ share: fc.double({ min: 0.2, max: 5, noNaN: true }), gap: fc.double({ min: 0, max: 0.01, noNaN: true }) });
const steps = fc.integer({ min: 1, max: 5_000_000 });

function marketOf(product: QuotedProduct, { share, gap }: { share: number; gap: number }) {
  return { bid: product.anchor * share, ask: product.anchor * share * (1 + gap) };
}

/** A size on the product's grid, from its smallest to its largest. */
function sizeOf(product: QuotedProduct, count: number): Decimal {
  const size = product.minSize.plus(product.sizeIncrement.times(count));
  return Decimal.min(size, product.maxSize);
}

function pricesOf(product: QuotedProduct, top: Top, base: Decimal): { readonly buy: Decimal; readonly sell: Decimal } {
  const figures = quoteFigures({ product, top, amount: { base }, feePercentage: 0.1, referenceMid: 1 });
  if (!figures) throw new Error('no quote');
  return { buy: decimalOf(figures.buyQuote.price), sell: decimalOf(figures.sellQuote.price) };
}

describe('quotes', () => {
  test('up to the zero-spread size both sides are one price, above it they part (spec 2.8)', () => {
    const at = figuresOf(btc, { base: decimalOf('0.5') });
    expect(at.buyQuote).toEqual(at.sellQuote);
    expect(at).toMatchObject({ spread: 0, spreadPercentage: 0 });
    expect(at.buyQuote).toMatchObject({ slippage: 0, slippagePercentage: 0 });
    const above = figuresOf(btc, { base: decimalOf('0.50001') });
    expect(above.spread).toBeGreaterThan(0);
    expect(above.buyQuote.price).toBeGreaterThan(above.sellQuote.price);
  });

  test('the figures of one quote, to the last digit', () => {
    const figures = figuresOf(btc, { base: decimalOf('1.5') }, 60_000);
    // Two multiples above the threshold of 0.5: 4 basis points to each side.
    expect(figures).toMatchObject({
      productCode: 'btcusd',
      baseCcy: 'btc',
      quoteCcy: 'usd',
      spread: 48,
      spreadPercentage: 0.08,
      feePercentage: 0.1,
      dailyChangePercentage: 0,
    });
    expect(figures.buyQuote).toEqual({
      price: 60_024,
      size: 1.5,
      value: 90_036,
      feeInBaseCcy: 0.0015,
      feeInQuoteCcy: 90.036,
      slippage: 24,
      slippagePercentage: 0.04,
    });
    expect(figures.sellQuote).toMatchObject({ price: 59_976, size: 1.5, value: 89_964, feeInQuoteCcy: 89.964, slippage: 24 });
    expect(figures.avgQuote).toEqual({ size: 1.5, value: 90_000, feeInBaseCcy: 0.0015, feeInQuoteCcy: 90 });
  });

  test('fees are rounded half up at 8 decimals', () => {
    const product = { ...btc, sizeIncrement: decimalOf('0.00000001'), minSize: decimalOf('0.00000001') };
    const inputs = { product, top: { bid: 1, ask: 1 }, amount: { base: decimalOf('0.00000500') }, referenceMid: 1 };
    expect(quoteFigures({ ...inputs, feePercentage: 0.1 })?.buyQuote.feeInQuoteCcy).toBe(1e-8);
    expect(quoteFigures({ ...inputs, feePercentage: 0.0999 })?.buyQuote.feeInQuoteCcy).toBe(0);
  });

  property.prop([anyProduct, anyMarket, steps, steps])('spread and slippage never shrink as size grows', (product, market, a, b) => {
    const top = marketOf(product, market);
    const [smaller, larger] = [sizeOf(product, Math.min(a, b)), sizeOf(product, Math.max(a, b))].map((size) =>
      pricesOf(product, top, size),
    );
    expect(larger?.buy.gte(smaller?.buy ?? 0)).toBe(true);
    expect(smaller?.sell.gte(larger?.sell ?? 0)).toBe(true);
  });

  property.prop([anyProduct, anyMarket, steps])(
    'prices stand on the grid, buys not below and sells not above the mid (I11)',
    (product, market, count) => {
      const top = marketOf(product, market);
      const { buy, sell } = pricesOf(product, top, sizeOf(product, count));
      const mid = midOnGrid(product, top);
      expect([buy, sell, mid].every((price) => isMultipleOf(price, product.priceIncrement) && price.gt(0))).toBe(true);
      expect(buy.gte(mid) && sell.lte(mid)).toBe(true);
    },
  );

  property.prop([anyProduct, anyMarket, fc.integer({ min: 1000, max: 400_000 })])(
    'a value buys whole steps worth no more than itself, and less than a step is lost',
    (product, market, value) => {
      const top = marketOf(product, market);
      const figures = quoteFigures({ product, top, amount: { quote: decimalOf(value) }, feePercentage: 0.1, referenceMid: 1 });
      for (const side of figures ? [figures.buyQuote, figures.sellQuote] : []) {
        expect(isMultipleOf(decimalOf(side.size), product.sizeIncrement)).toBe(true);
        expect(side.value).toBeLessThanOrEqual(value);
        expect(decimalOf(side.size).plus(product.sizeIncrement).times(side.price).gt(value)).toBe(true);
      }
    },
  );

  property.prop([anyProduct, anyMarket])('a book is best first and never crossed', (product, market) => {
    const { bids, asks } = bookOf(product, marketOf(product, market));
    for (const [index, bid] of bids.slice(1).entries()) expect(bid.price).toBeLessThan(bids[index]?.price ?? 0);
    for (const [index, ask] of asks.slice(1).entries()) expect(ask.price).toBeGreaterThan(asks[index]?.price ?? 0);
    expect(bids[0]?.price).toBeLessThan(asks[0]?.price ?? 0);
  });

  test("small sizes trade at a file's two sides, or at the mid of a made-up market; large ones pay more at both", () => {
    const eur = productOf('eurusd');
    const top = { bid: 1.38676, ask: 1.38686 };
    const sides = (of: Top, size: string) => {
      const { buy, sell } = pricesOf(eur, of, decimalOf(size));
      return [buy.toNumber(), sell.toNumber()];
    };
    for (const size of ['1', '1000', '50000']) {
      expect(sides(top, size)).toEqual([1.38681, 1.38681]);
      expect(sides({ ...top, hasSpread: true }, size)).toEqual([1.38686, 1.38676]);
    }
    for (const quote of [top, { ...top, hasSpread: true as const }]) expect(sides(quote, '50000.01')).toEqual([1.38687, 1.38675]);
  });
});

describe('amounts that may be quoted', () => {
  const top = { bid: 60_000, ask: 60_000 };
  test.each([
    ['B02 zero', { base: decimalOf(0) }, /greater than zero/],
    ['B02 negative', { base: decimalOf(-1) }, /greater than zero/],
    ['B06 a step under the minimum', { base: decimalOf('0.00009') }, /below the minSize/],
    ['B06 off the step', { base: decimalOf('0.000105') }, /multiple of the sizeIncrement/],
    ['B09 more than is on offer', { base: decimalOf('50.00001') }, /on offer/],
    ['B07 a value just under the minimum', { quote: decimalOf('4.99') }, /below the minNotionalValue/],
    ['B06 a value that buys less than the smallest size', { quote: decimalOf('5.9') }, /less than the minSize/],
    ['B03 a value beyond all there is', { quote: decimalOf('9007199254740993') }, /on offer/],
    ['B02 a negative value', { quote: decimalOf(-5) }, /greater than zero/],
  ])('%s is refused with its reason', (_name, amount: Amount, reason) => {
    expect(amountFault(btc, top, amount)).toMatch(reason);
  });

  test('the smallest and the largest pass, exactly', () => {
    for (const size of ['0.0001', '50']) expect(amountFault(btc, top, { base: decimalOf(size) })).toBeUndefined();
    expect(amountFault(btc, top, { quote: decimalOf(6) })).toBeUndefined();
    expect(amountFault(btc, { bid: 1000, ask: 1000 }, { base: decimalOf('0.0001') })).toMatch(/worth less/);
  });
});

describe('booking', () => {
  property.prop([fc.array(fc.tuple(anyProduct, anyMarket, steps, fc.boolean()), { maxLength: 40 })])(
    'money is conserved: opening plus executions is the balance, in every currency, to the last decimal',
    (orders) => {
      const opening = new Map(['btc', 'eth', 'eur', 'usd', 'sek'].map((currency) => [currency, decimalOf(1_000_000)]));
      const balances = new Map(opening);
      const moved = new Map<string, Decimal>();
      for (const [product, market, count, buys] of orders) {
        const inputs = {
          product,
          top: marketOf(product, market),
          amount: { base: sizeOf(product, count) },
          feePercentage: 0.1,
          referenceMid: 1,
        };
        const figures = quoteFigures(inputs);
        if (!figures) continue;
        const booking = bookingOf(figures, buys ? 'buy' : 'sell');
        const outcome = applyBooking(booking, (currency) => balances.get(currency) ?? decimalOf(0));
        if (outcome.kind === 'insufficient') continue;
        for (const { currency, amount } of outcome.after) balances.set(currency, amount);
        for (const { currency, amount } of booking.movements) moved.set(currency, (moved.get(currency) ?? decimalOf(0)).plus(amount));
      }
      for (const [currency, balance] of balances) {
        expect(balance.toString()).toBe((opening.get(currency) ?? decimalOf(0)).plus(moved.get(currency) ?? 0).toString());
        expect(balance.gte(0)).toBe(true);
      }
    },
  );

  test('a buy pays value and fee, a sale gets value less fee, with the very figures that were sent', () => {
    const figures = figuresOf(btc, { base: decimalOf('0.01') }, 61_837.63);
    const [got, paid] = bookingOf(figures, 'buy').movements;
    expect([got.currency, got.amount.toString(), paid.currency, paid.amount.toString()]).toEqual(['btc', '0.01', 'usd', '-618.9946763']);
    const [gave, received] = bookingOf(figures, 'sell').movements;
    expect([gave.amount.toString(), received.amount.toString()]).toEqual(['-0.01', '617.7579237']);
  });

  test('a balance may be spent to zero and not a hair below', () => {
    const booking = bookingOf(figuresOf(btc, { base: decimalOf('0.01') }), 'sell');
    expect(applyBooking(booking, () => decimalOf('0.01')).kind).toBe('applied');
    expect(applyBooking(booking, (currency) => decimalOf(currency === 'btc' ? '0.00999999' : 0))).toEqual({
      kind: 'insufficient',
      currency: 'btc',
    });
  });
});

describe('matching', () => {
  const nonce = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const figures = figuresOf(btc, { base: decimalOf('0.01') });
  const bookWithQuote = () => {
    const book = new QuoteBook(nonce, { keepMs: 8000, maxQuotes: 3 });
    return { book, quote: book.issue(figures, '1205', { nowMs: 1000, validityMs: 3000 }) };
  };
  const outcome = (book: QuoteBook, id: string, at: { nowMs: number; userId?: string; usedBy?: string }) => {
    const matched = match(
      { quoteId: id, side: 'buy', userId: at.userId ?? '1205' },
      { lookup: book.find(id), usedBy: at.usedBy },
      at.nowMs,
    );
    return matched.kind === 'filled' ? 'filled' : matched.code;
  };

  test('a quote serves up to its last millisecond and not one longer (F15)', () => {
    const { book, quote } = bookWithQuote();
    expect(outcome(book, quote.id, { nowMs: 4000 })).toBe('filled');
    expect(outcome(book, quote.id, { nowMs: 4001 })).toBe('QUOTE_EXPIRED');
  });

  test('B20 unknown, used, and foreign quotes are refused, each by its name', () => {
    const { book, quote } = bookWithQuote();
    expect(outcome(book, '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', { nowMs: 1000 })).toBe('QUOTE_UNKNOWN');
    expect(outcome(book, quote.id, { nowMs: 1000, usedBy: '1205' })).toBe('QUOTE_USED');
    expect(outcome(book, quote.id, { nowMs: 1000, userId: '1206' })).toBe('QUOTE_OTHER_USER');
    expect(outcome(book, quote.id, { nowMs: 1000, userId: '1206', usedBy: '1205' })).toBe('QUOTE_OTHER_USER');
  });

  test('a second order on a quote never passes for a late one, however late it comes (I02)', () => {
    const { book, quote } = bookWithQuote();
    expect(outcome(book, quote.id, { nowMs: 9000, usedBy: '1205' })).toBe('QUOTE_USED');
  });

  test('a quote forgotten for its age is still known to have expired; one never issued is not', () => {
    const { book, quote } = bookWithQuote();
    book.forget(9001);
    expect(book.size).toBe(0);
    expect(outcome(book, quote.id, { nowMs: 9001 })).toBe('QUOTE_EXPIRED');
    expect(outcome(book, quote.id.replace(/1$/, '2'), { nowMs: 9001 })).toBe('QUOTE_UNKNOWN');
    expect(outcome(book, 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', { nowMs: 9001 })).toBe('QUOTE_UNKNOWN');
  });

  test('the memory of quotes is bounded: the oldest go first (I21)', () => {
    const { book, quote } = bookWithQuote();
    const later = [1, 2, 3].map(() => book.issue(figures, '1205', { nowMs: 1000, validityMs: 3000 }));
    book.forget(1000);
    expect(book.size).toBe(3);
    expect(book.find(quote.id).kind).toBe('forgotten');
    expect(later.map(({ id }) => book.find(id).kind)).toEqual(['known', 'known', 'known']);
  });

  test('ids are UUIDs that differ between two starts', () => {
    const ids = [nonce, 'aaaaaaaa-bbbb-4ccd-8ddd-eeeeeeeeeeee'].map(
      (start) => new QuoteBook(start, { keepMs: 1, maxQuotes: 1 }).issue(figures, '1', { nowMs: 0, validityMs: 1 }).id,
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('draws', () => {
  test('validity is drawn so that short ones are common: the middle is the geometric mean', () => {
    expect([0, 0.5, 1].map((unit) => drawLogUniform([20, 3000], unit))).toEqual([20, 245, 3000]);
    expect(drawLogUniform(3000, 0.3)).toBe(3000);
    expect(drawLogUniform([5, 5], 0.3)).toBe(5);
  });

  test('delays are drawn evenly', () => {
    expect([0, 0.5, 1].map((unit) => drawUniform([0, 300], unit))).toEqual([0, 150, 300]);
    expect(drawUniform(7, 0.9)).toBe(7);
  });
});
