import { expect, test } from 'vitest';
import { fc } from '../../support/property.ts';
import { AI, type Bench, bench, type Message } from './harness.ts';

/** A number of at most eight decimals as a whole number of its eighth, so that sums are exact. */
function units(value: unknown): bigint {
  const text = typeof value === 'number' ? value.toFixed(8) : String(value);
  expect(text).toMatch(/^-?\d+(\.\d{1,8})?$/);
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}

const ONE = units('1');

async function limits(there: Bench): Promise<Message[]> {
  return JSON.parse((await there.send({ path: '/mms/v2/productDetails?exchangeCode=VB' })).text);
}

/** Holds a quote against the figures of the notes, to the last decimal. */
function addsUp(quote: Message, product: Message, asked: { readonly size?: bigint; readonly value?: bigint }): void {
  const [step, fee] = [units(product.sizeIncrement), units(quote.feePercentage)];
  const feeOf = (amount: bigint) => (amount * fee * 2n + 100n * ONE) / (200n * ONE);
  for (const side of [Object(quote.buyQuote), Object(quote.sellQuote)]) {
    const [price, size, value] = [units(side.price), units(side.size), units(side.value)];
    expect([price % units(product.priceIncrement), size % step, value * ONE]).toEqual([0n, 0n, price * size]);
    expect([units(side.feeInBaseCcy), units(side.feeInQuoteCcy)]).toEqual([feeOf(size), feeOf(value)]);
    if (asked.size !== undefined) expect(size).toBe(asked.size);
    // No more than was asked for, and less than a step below it.
    if (asked.value !== undefined) expect([value <= asked.value, (size + step) * price > asked.value * ONE]).toEqual([true, true]);
  }
  const [buy, sell] = [Object(quote.buyQuote).price, Object(quote.sellQuote).price];
  expect(units(quote.spread)).toBe(units(buy) - units(sell));
  expect(quote.spread).toBeGreaterThanOrEqual(0);
  expect(quote.spreadPercentage).toBeCloseTo(((buy - sell) / ((buy + sell) / 2)) * 100, 4);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('2.7, 8.8 any size of any product: ACK exactly where its limits are kept, and the quote is for that size and adds up', async () => {
  const there = await bench();
  const [feed, products] = [await there.feed(), await limits(there)];
  const steps = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 0, max: 400 }));
  const request = fc.tuple(fc.constantFrom(...products), steps, fc.constantFrom(0n, 0n, 1n), fc.boolean());
  await fc.assert(
    fc.asyncProperty(request, async ([product, above, off, asText]) => {
      const { productCode, minNotionalValue } = product;
      const size = units(product.minSize) + units(product.sizeIncrement) * BigInt(above) + off;
      const decimal = (Number(size) / 1e8).toFixed(8);
      await feed.ask({ quoteType: 'BASIC', productCode });
      const value = units((await feed.next()).price) * size;
      const isGood = off === 0n && above >= 0 && value >= units(minNotionalValue) * ONE;
      const answer = await feed.ask({ quoteType: 'TRADING', productCode, inputSize: asText ? decimal : Number(decimal) });
      expect([decimal, answer.msgType]).toEqual([decimal, isGood ? 'ACK' : 'ERR']);
      if (isGood) addsUp(await feed.next(), product, { size });
    }),
    { numRuns: 150 },
  );
});

test('2.8 any value of any product: the quote adds up, and no two share an id', async () => {
  const there = await bench();
  const [feed, products] = [await there.feed(), await limits(there)];
  const ids = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...products), share, fc.constantFrom(0, 2, 8), async (product, large, decimals) => {
      const value = (Number(product.minNotionalValue) * 3 * 10 ** (large * 4.5)).toFixed(decimals);
      const asked = { quoteType: 'TRADING', productCode: product.productCode, inputValue: Number(value) };
      expect(await feed.ask(asked)).toMatchObject({ msgType: 'ACK' });
      const quote = await feed.next();
      addsUp(quote, product, { value: units(Number(value)) });
      expect(ids.has(quote.id)).toBe(false);
      ids.add(quote.id);
    }),
    { numRuns: 100 },
  );
});

test('2.8.1, 2.8.2 each product has one threshold: no spread below it, a spread above', async () => {
  const there = await bench();
  for (const { productCode, minNotionalValue } of await limits(there)) {
    const feed = await there.feed();
    const spreads: number[] = [];
    for (let inputValue = Number(minNotionalValue) * 2; spreads.length < 19; inputValue *= 2) {
      if ((await feed.ask({ quoteType: 'TRADING', productCode, inputValue })).msgType === 'ERR') break;
      const { spread, spreadPercentage, buyQuote, sellQuote } = await feed.next();
      if (spread === 0) expect([buyQuote, spreadPercentage]).toEqual([sellQuote, 0]);
      spreads.push(Number(spread));
    }
    const first = spreads.findIndex((spread) => spread > 0);
    expect([productCode, first > 0]).toEqual([productCode, true]);
    expect(spreads.slice(first).every((spread) => spread > 0)).toBe(true);
  }
});

test('2.8.3, 4.4 after any 60 orders of two users the balances are what the quotes add up to, to the last decimal', async () => {
  const there = await bench();
  const users = ['1205', '1206'];
  const feeds = await Promise.all(users.map((user) => there.feed(`?userId=${user}`)));
  const held = users.map((user) => new Map(Object.entries(there.venue.balances(user)).map(([code, amount]) => [code, units(amount)])));
  const code = fc.constantFrom('btcusd', 'ethusd', 'ethsek', 'eurusd');
  await fc.assert(
    fc.asyncProperty(fc.nat(1), code, share, fc.nat(6), fc.boolean(), async (who, productCode, large, decimals, isBuy) => {
      const [user = '', feed, book] = [users[who], feeds[who], held[who]];
      const move = (currency: unknown, by: bigint) => book?.set(String(currency), (book.get(String(currency)) ?? 0n) + by);
      there.timers.advance(700);
      const inputValue = Number((100 * 10 ** (large * 2.5)).toFixed(decimals));
      await feed?.ask({ quoteType: 'TRADING', productCode, inputValue });
      const quote: Message = (await feed?.next()) ?? {};
      const body = JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side: isBuy ? 'BUY' : 'SELL' });
      expect((await there.order(body, {}, user)).status).toBe(201);
      const shown = Object(isBuy ? quote.buyQuote : quote.sellQuote);
      const [size, value, fee] = [units(shown.size), units(shown.value), units(shown.feeInQuoteCcy)];
      move(quote.baseCcy, isBuy ? size : -size);
      move(quote.quoteCcy, (isBuy ? -value : value) - fee);
    }),
    { numRuns: 60, endOnFailure: true },
  );
  for (const [who, user] of users.entries()) {
    const now = Object.entries(there.venue.balances(user)).map(([currency, amount]) => [currency, units(amount)] as const);
    expect([...(held[who] ?? [])].toSorted()).toEqual(now.toSorted());
  }
});

test('1.flow.4 any initial size: created exactly where minSize and sizeIncrement are kept', async () => {
  const there = await bench();
  const product = (await limits(there)).find(({ productCode }) => productCode === AI.productCode);
  const [least, step] = [units(product?.minSize), units(product?.sizeIncrement)];
  const size = fc.tuple(
    fc.oneof(fc.bigInt(1n, least / step + 1n), fc.bigInt(1n, 3000n)).map((steps) => steps * step),
    fc.constantFrom(0n, 0n, step / 10n, step / 2n),
  );
  await fc.assert(
    fc.asyncProperty(size, async ([whole, off]) => {
      const initialBaseCurrencySize = Number(whole + off) / 1e8;
      const { status, json } = await there.strategy('POST', '/action/create', { ...AI, initialBaseCurrencySize });
      const isGood = whole >= least && off === 0n;
      expect([initialBaseCurrencySize, status]).toEqual([initialBaseCurrencySize, isGood ? 201 : 422]);
      if (!isGood) expect(json.errors).toMatchObject([{ fields: ['initialBaseCurrencySize'] }]);
    }),
    { numRuns: 60 },
  );
});

test('4.1.modify.1, 4.1.modify.2 after any 40 changes each field is what was last said of it, and of another strategy nothing is', async () => {
  const there = await bench();
  const made = async () => String((await there.strategy('POST', '/action/create', { ...AI, ignoreWarnings: true })).json.strategyId);
  const [id, other] = [await made(), await made()];
  const kept = async (one: string) => {
    const all: Message[] = JSON.parse((await there.strategy('POST', '/find')).text);
    const params: Record<string, Message> = Object(all.find(({ strategyId }) => strategyId === one)?.uiParams);
    return Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
  };
  const [model, untouched] = [await kept(id), await kept(other)];
  const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((whole) => whole / 100);
  const change = fc.record(
    {
      priceLimit: fc.option(hundredths(5_900_000, 6_300_000)),
      alwaysPassive: fc.option(fc.boolean()),
      desiredNetProfitPercentage: fc.option(hundredths(0, 500)),
      ignoreWarnings: fc.constant(true),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(change, async (changed) => {
      expect((await there.strategy('PATCH', `/${id}/action/modify`, changed)).status).toBe(202);
      Object.assign(model, changed);
      expect(await kept(id)).toEqual(model);
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(await kept(other)).toEqual(untouched);
});
