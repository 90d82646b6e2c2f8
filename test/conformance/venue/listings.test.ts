import { describe, expect, test } from 'vitest';
import { bench, errorBody } from './harness.ts';

const PRODUCTS = '/mms/v2/productDetails';

async function accounts(): Promise<Record<string, unknown>[]> {
  const there = await bench();
  return JSON.parse((await there.send({ path: '/as/v3/accounts', headers: [await there.bearer()] })).text);
}

async function products(query = ''): Promise<Record<string, unknown>[]> {
  return JSON.parse((await (await bench()).send({ path: `${PRODUCTS}${query}` })).text);
}

describe('2.5 exchange account record', () => {
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  test.each([
    ['id', expect.stringMatching(/^\d+$/)],
    ['createdAt', date],
    ['userId', expect.stringMatching(/^\d+$/)],
    ['name', expect.any(String)],
    ['exchangeCode', expect.stringMatching(/^(BIN|BYB|OKX|CRYPTO|IB|VB)$/)],
    ['description', expect.any(String)],
    ['apiKey', expect.any(String)],
    ['validatedAt', date],
    ['spot', { isActive: expect.any(Boolean) }],
    ['futures', { isActive: expect.any(Boolean), settings: expect.any(Object) }],
    ['isMain', expect.any(Boolean)],
    ['eventTime', date],
    ['accountType', 'SUB_ACCOUNT'],
    ['whitelistedIps', expect.any(Array)],
    ['permissions', expect.any(Array)],
  ])('2.5.%s', async (field, type) => {
    const all = await accounts();
    expect(all.length).toBeGreaterThan(0);
    for (const account of all) expect(account[field]).toEqual(type);
  });

  test('2.5.exchange is the exchange code again, 2.5.id names one account, 2.5.whitelistedIps are texts', async () => {
    const all = await accounts();
    for (const { exchange, exchangeCode } of all) expect(exchange).toBe(exchangeCode);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.flatMap(({ whitelistedIps }) => whitelistedIps).every((ip) => typeof ip === 'string')).toBe(true);
  });
});

describe('2.6 product record', () => {
  test.each(['productCode', 'minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'])('2.6.%s', async (field) => {
    const all = await products();
    for (const product of all) {
      if (field === 'productCode') expect(product[field]).toMatch(/^[a-z0-9-]+$/);
      else expect(Number(product[field])).toBeGreaterThan(0);
    }
    expect(new Set(all.map((product) => product.productCode)).size).toBe(all.length);
  });
});

describe('1 exchange codes', () => {
  test.each(['BIN', 'BYB', 'OKX', 'CRYPTO', 'IB', 'VB'])('1.%s is a filter of the products', async (code) => {
    const some = await products(`?exchangeCode=${code}`);
    expect(some.every(({ exchangeCode }) => exchangeCode === code)).toBe(true);
  });
});

test('4.2 accounts: 200 with a list; without a token 401', async () => {
  const there = await bench();
  const answer = await there.send({ path: '/as/v3/accounts', headers: [await there.bearer()] });
  expect([answer.status, Array.isArray(JSON.parse(answer.text))]).toEqual([200, true]);
  expect(await there.send({ path: '/as/v3/accounts' })).toMatchObject({ status: 401, json: errorBody(401, '/as/v3/accounts') });
});

test('4.3 products: without exchangeCode those of all venues', async () => {
  const every = await products();
  const each = await Promise.all(['BIN', 'BYB', 'OKX', 'CRYPTO', 'IB', 'VB'].map((code) => products(`?exchangeCode=${code}`)));
  expect(every.map(({ productCode }) => productCode).sort()).toEqual(
    each
      .flat()
      .map(({ productCode }) => productCode)
      .sort(),
  );
});

test('4.3 exchangeCode=VB gives the codes usable in the quotes feed, and no other is', async () => {
  const there = await bench();
  const vb = new Set((await products('?exchangeCode=VB')).map(({ productCode }) => productCode));
  const feed = await there.feed();
  for (const { productCode } of await products()) {
    const answer = await feed.ask({ quoteType: 'BASIC', productCode });
    expect([productCode, answer.msgType]).toEqual([productCode, vb.has(productCode) ? 'ACK' : 'ERR']);
  }
});

test.each(['XX', '', 'vb', 'VB%00', '%F0%9F%98%80', '../VB', 'VB&exchangeCode=OKX'])('note: exchangeCode=%s: 400', async (code) => {
  const answer = await (await bench()).send({ path: `${PRODUCTS}?exchangeCode=${code}` });
  expect(answer).toMatchObject({
    status: 400,
    json: { ...errorBody(400, `${PRODUCTS}?exchangeCode=${code}`), errors: [{ fields: ['exchangeCode'] }] },
  });
});

test('1.flow.1, 1.flow.2, 1.flow.3: each account, each of its products, create', async () => {
  const there = await bench();
  const listed: Record<string, unknown>[] = JSON.parse(
    (await there.send({ path: '/as/v3/accounts', headers: [await there.bearer()] })).text,
  );
  for (const { id: accountId, exchangeCode } of listed) {
    for (const { productCode, minSize } of await products(`?exchangeCode=${exchangeCode}`)) {
      const body = { strategyType: 'AI', accountId, productCode, initialBaseCurrencySize: Number(minSize) };
      expect([productCode, (await there.strategy('POST', '/action/create', body)).status]).toEqual([productCode, 201]);
    }
  }
});

test('9.2 the version is a segment of the path: another one is not there', async () => {
  const there = await bench();
  for (const path of ['/as/v2/accounts', '/mms/v1/productDetails', '/mms/productDetails'])
    expect((await there.send({ path })).status).toBe(404);
});
