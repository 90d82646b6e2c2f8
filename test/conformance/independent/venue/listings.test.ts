/** Sections 1, 2.5, 2.6, 4.2, 4.3 and 5.3 of the specification: accounts and products. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type Headers, object, text } from './client.ts';
import { Venue } from './venue.ts';

const CODES = ['BIN', 'BYB', 'OKX', 'CRYPTO', 'IB', 'VB'];
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DECIMAL = /^\d+(\.\d+)?$/;

let venue: Venue;
let bearer: Headers;

const get = (path: string, headers: Headers = {}) => ask(venue.url, { method: 'GET', path, headers });
const plain = (value: unknown) => (typeof value === 'number' ? value.toFixed(10).replace(/0+$/, '').replace(/\.$/, '') : String(value));

beforeAll(async () => {
  venue = await Venue.start();
  bearer = await venue.bearer();
});
afterAll(() => venue?.stop());

test('1, 2.5 every field of an account has the type of the table', async () => {
  const answer = await get('/as/v3/accounts', bearer);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const accounts = answer.list();
  expect(accounts.length).toBeGreaterThan(0);
  for (const account of accounts) {
    for (const name of ['id', 'userId', 'name', 'exchangeCode', 'exchange', 'description', 'apiKey', 'accountType']) text(account, name);
    for (const name of ['createdAt', 'validatedAt', 'eventTime']) expect(text(account, name), name).toMatch(ISO);
    expect(text(account, 'id')).toMatch(/^\d+$/);
    expect(text(account, 'userId')).toMatch(/^\d+$/);
    expect(CODES).toContain(account.exchangeCode);
    expect(account.exchange, 'exchange code again').toBe(account.exchangeCode);
    expect(object(account.spot)).toEqual({ isActive: expect.any(Boolean) });
    expect(object(account.futures)).toEqual({ isActive: expect.any(Boolean), settings: expect.any(Object) });
    expect(account.isMain).toBeTypeOf('boolean');
    expect((account.whitelistedIps as unknown[]).every((ip) => typeof ip === 'string')).toBe(true);
    expect(Array.isArray(account.permissions)).toBe(true);
  }
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length);
});

test('2.6 every product has its code and its four limits, which make sense together', async () => {
  const products = (await get('/mms/v2/productDetails')).list();
  for (const product of products) {
    expect(text(product, 'productCode')).not.toBe('');
    const limits = ['minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'].map((name) => {
      expect(plain(product[name]), `${text(product, 'productCode')} ${name}`).toMatch(DECIMAL);
      return Number(product[name]);
    });
    expect(limits.every((limit) => limit > 0)).toBe(true);
  }
  expect(new Set(products.map(({ productCode }) => productCode)).size).toBe(products.length);
});

test('4.3 exchangeCode narrows the list to a venue, and without it products of all venues are listed', async () => {
  const all = (await get('/mms/v2/productDetails')).list().map((product) => text(product, 'productCode'));
  const each: string[] = [];
  for (const code of CODES) {
    const answer = await get(`/mms/v2/productDetails?exchangeCode=${code}`);
    expect(answer.status, code).toBe(200);
    each.push(...answer.list().map((product) => text(product, 'productCode')));
  }
  expect(each.sort()).toEqual(all.sort());
  expect(new Set(each).size, 'a product is of one venue').toBe(each.length);
});

test('4.3 an exchange code outside the table is refused', async () => {
  for (const code of ['nosuch', 'vb', '', 'VB,OKX', '%00']) {
    const answer = await get(`/mms/v2/productDetails?exchangeCode=${code}`);
    expect(answer.status, code).toBe(400);
    expect(answer.object().status).toBe(400);
  }
});

test('4.3 exchangeCode given twice is answered, and never with a fault of the service', async () => {
  const answer = await get('/mms/v2/productDetails?exchangeCode=VB&exchangeCode=OKX');
  expect([200, 400]).toContain(answer.status);
});

test('5.3 accounts are shown to nobody without a token, and products to everybody', async () => {
  expect((await get('/as/v3/accounts')).status).toBe(401);
  expect((await get('/as/v3/accounts', { Authorization: 'Bearer nonsense' })).status).toBe(401);
  expect((await get('/mms/v2/productDetails')).status).toBe(200);
  expect((await get('/mms/v2/productDetails', bearer)).status).toBe(200);
});
