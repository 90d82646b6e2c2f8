import { describe, expect, test } from 'vitest';
import { evidenceIn, refusalIn } from '#adapters/service-client/orders/answer-evidence.ts';
import type { Fields } from '#adapters/service-client/quotes/decode-quote.ts';

const QUOTE = 'Q-1f';
const RULES = { filledStatuses: ['FILLED', 'OK'], rejectedStatuses: ['DEAD'], ignoredFields: ['traceCode'] };

/** What an answer says of a buy order, each sign by the field that gave it. */
const ASKED = { quoteId: QUOTE, product: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', side: 'buy' } as const;
const signs = (body: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(evidenceIn(body, RULES, ASKED)).map(([sign, said]) => [sign, said?.field ?? '']));

describe('a word of status', () => {
  test.each<[value: unknown, sign: string | undefined]>([
    ['FILLED', 'done'],
    ['ok', 'begun'],
    ['DEAD', 'rejected'],
    ['PARTIALLY_FILLED', 'partial'],
    ['order not placed', 'against'],
    ['QUEUED', 'unclear'],
    ['', undefined],
    [null, undefined],
    [true, 'begun'],
    [false, 'against'],
    // A status of HTTP: 202 promises nothing, and what stands outside HTTP's own range is nobody's word.
    [200, 'begun'],
    ['299', 'begun'],
    [' 201 ', 'begun'],
    [202, 'unclear'],
    [199, 'unclear'],
    [300, 'unclear'],
    [399, 'unclear'],
    [400, 'against'],
    [599, 'against'],
    [600, 'unclear'],
    // A number that has words beside it is none.
    ['x200', 'unclear'],
    ['200x', 'unclear'],
  ])('%j says %s', (value, sign) => {
    expect(signs({ status: value })).toEqual(sign === undefined ? {} : { [sign]: 'status' });
  });
});

describe('a flag', () => {
  test.each<[field: string, value: unknown, sign: string | undefined]>([
    ['success', true, 'begun'],
    ['success', 1, 'begun'],
    ['success', ' True ', 'begun'],
    ['success', 'yes', 'begun'],
    ['success', false, 'against'],
    ['success', 0, 'against'],
    ['success', 'no', 'against'],
    ['success', 'FILLED', 'done'],
    ['success', 'QUEUED', undefined],
    ['success', 17, undefined],
    // That a request was taken says nothing of its execution: only a no counts.
    ['accepted', true, undefined],
    ['accepted', 'FILLED', undefined],
    ['accepted', 'QUEUED', undefined],
    ['accepted', 'DEAD', 'rejected'],
    ['accepted', 'declined', 'against'],
    ['accepted', 'false', 'against'],
    ['rejected', 'no', undefined],
    ['rejected', 'false', undefined],
    ['rejected', 'n/a', undefined],
    ['rejected', 'FILLED', undefined],
    ['rejected', 'yes', 'against'],
    ['rejected', 1, 'against'],
  ])('%s: %j says %s', (field, value, sign) => {
    expect(signs({ [field]: value })).toEqual(sign === undefined ? {} : { [sign]: field });
  });
});

describe('a code, or an error', () => {
  test.each<[field: string, value: unknown, sign: string | undefined]>([
    ['code', 0, undefined],
    ['code', '000', undefined],
    ['code', null, undefined],
    ['code', { code: 5 }, undefined],
    ['code', 200, 'begun'],
    ['code', '200', 'begun'],
    ['code', 202, 'against'],
    ['code', 17, 'against'],
    ['code', 'OK', undefined],
    ['code', 'DEAD', 'rejected'],
    ['code', 'E_LIMIT', 'against'],
    ['error', '00', undefined],
    ['error', ' none ', undefined],
    ['error', 'noerror', undefined],
    ['error', 'na', undefined],
    ['error', '-', undefined],
    ['error', [], undefined],
    ['error', { code: 200, message: 'OK' }, undefined],
    ['error', true, 'against'],
    ['error', 1, 'against'],
    ['error', 'low funds', 'against'],
    ['error', ['low funds', null], 'against'],
  ])('%s: %j says %s', (field, value, sign) => {
    expect(signs({ [field]: value })).toEqual(sign === undefined ? {} : { [sign]: field });
  });
});

describe('an id proves an order, where it is one of the service', () => {
  test.each<[value: unknown, isId: boolean]>([
    ['a-1', true],
    ['a00', true],
    ['00a', true],
    [17, true],
    [0, false],
    [-1, false],
    ['', false],
    ['0', false],
    ['000', false],
    [null, false],
    [true, false],
    [QUOTE, false],
    [QUOTE.toUpperCase(), false],
  ])('%j: %s', (value, isId) => {
    expect(signs({ orderId: value })).toEqual(isId ? { id: 'orderId' } : {});
  });
});

describe('an echo of the request', () => {
  test.each<[body: Fields, sign: string | undefined]>([
    [{ quoteId: QUOTE.toLowerCase() }, undefined],
    [{ quoteId: 'another' }, 'against'],
    [{ quoteId: 7 }, undefined],
    [{ side: 'BID' }, undefined],
    [{ side: 'Sell' }, 'against'],
    [{ side: 'offer' }, 'against'],
    [{ side: 'LONG' }, undefined],
    [{ side: 1 }, undefined],
  ])('%j says %s', (body, sign) => {
    expect(signs(body)).toEqual(sign === undefined ? {} : { [sign]: Object.keys(body)[0] });
  });

  test('an order to sell is not bought', () => {
    expect(evidenceIn({ side: 'B' }, RULES, { ...ASKED, side: 'sell' })).toEqual({ against: { field: 'side', value: 'B' } });
    expect(evidenceIn({ side: 'ask' }, RULES, { ...ASKED, side: 'sell' })).toEqual({});
  });

  test.each([
    ['its product', { productCode: 'BTC-USD' }, {}],
    ['another product', { productCode: 'ethusd' }, { against: 'productCode' }],
    ['its currencies', { baseCcy: 'BTC', quoteCcy: 'USD' }, {}],
    ['another base currency', { baseCcy: 'eth' }, { against: 'baseCcy' }],
    ['another quote currency', { quoteCcy: 'eur' }, { against: 'quoteCcy' }],
    ['the other side in another word', { orderSide: 'SELL_SHORT' }, { against: 'orderSide' }],
  ])('%s', (_what, echo, against) => {
    expect(signs({ orderId: 'a', status: 'FILLED', ...echo })).toMatchObject({ id: 'orderId', done: 'status', ...against });
    expect('against' in signs({ orderId: 'a', ...echo })).toBe('against' in against);
  });
});

describe('where a field stands decides what it may say', () => {
  test.each<[what: string, body: Fields, said: Record<string, string>]>([
    ['the order inside', { data: { orderId: 'a' } }, { id: 'data.orderId' }],
    ['a list of one', { data: [{ orderId: 'a' }] }, { id: 'data.orderId' }],
    ['one of several is not this order', { data: [{ orderId: 'a' }, { status: 'DEAD' }] }, { rejected: 'data.status' }],
    ['beside the order a success is none', { user: { success: true, status: 'FILLED', id: 'a', code: 17 } }, {}],
    ['beside the order a refusal counts', { user: { status: 'cancelled' } }, { against: 'user.status' }],
    ['round the order a code counts', { meta: { code: 17 } }, { against: 'meta.code' }],
    ['round the order a success does not', { meta: { code: 200 } }, {}],
    ['beside what is round it nothing does', { meta: { page: { code: 17, message: 'failed' } } }, {}],
    ['the order inside what is beside it', { user: { data: { orderId: 'a' } } }, {}],
    ['a status that is an object', { status: { name: 'FILLED' } }, { done: 'status.name' }],
    ['an error says itself what it holds', { error: { status: 'FILLED' } }, {}],
    ['a text of refusal', { message: 'order not placed' }, { against: 'message' }],
    ['a text in a list', { message: ['failed'] }, { against: 'message' }],
    ['a text of waiting', { message: 'order is pending' }, { none: 'message' }],
    ['one of what is to come', { message: 'it will be executed at the open' }, { none: 'message' }],
    ['one of a market that is closed', { message: 'The market is closed' }, { none: 'message' }],
    ['a position that is closed waits for nothing', { message: 'position closed' }, {}],
    ['and a receipt that is to come', { message: 'a receipt will be mailed' }, {}],
    ['a list of words', { status: ['REJECTED'] }, { against: 'status' }],
    ['for it a list says nothing', { status: ['FILLED'], orderId: ['a'] }, {}],
    ['texts in a list without a row', { violations: ['quote expired'] }, { against: 'violations' }],
    ['a text beside the order', { user: { message: 'login failed' } }, {}],
    ['a field that has no row', { remark: 'price expired' }, { against: 'remark' }],
    ['a long text in such a field', { terms: `expired ${'x'.repeat(192)}` }, { against: 'terms' }],
    ['one that is too long to be said of an order', { terms: `expired ${'x'.repeat(193)}` }, {}],
    ['an address', { link: '/errors/expired' }, {}],
    ['how it is to be handled', { timeInForce: 'CANCEL_REST' }, {}],
    ['beside the order such a field says nothing', { user: { remark: 'expired' } }, {}],
    ['nothing where the order would stand', { order: {} }, { empty: 'order' }],
    ['no list where it would stand', { data: [] }, { empty: 'data' }],
    ['nothing elsewhere', { page: {} }, {}],
    ['no fill', { fills: [] }, { none: 'fills' }],
    ['no fills at all', { fills: null }, { none: 'fills' }],
    ['a fill', { fills: [{ price: 1 }] }, {}],
    ['fills by their number', { fills: 0 }, {}],
    ['all is left', { leavesQty: '0.1' }, { none: 'leavesQty' }],
    ['nothing is left', { leavesQty: '0' }, {}],
    ['a field of the settings is not read', { traceCode: 17, data: { trace_code: 17 } }, {}],
    ['the first of two is told', { state: 'QUEUED', status: 'NEW' }, { unclear: 'state' }],
  ])('%s: %j', (_, body, said) => {
    expect(signs(body)).toEqual(said);
  });
});

test('what is too deep or too much to read is said to be, and not taken for a success', () => {
  const deep = (levels: number): Fields => Array.from({ length: levels }).reduce<Fields>((inside) => ({ data: inside }), { orderId: 'a' });
  expect(signs(deep(11))).toEqual({ id: `${'data.'.repeat(11)}orderId` });
  expect(evidenceIn(deep(12), RULES, ASKED)).toEqual({
    unclear: { field: 'data.data', value: 'too much to read' },
  });
  const wide = (fields: number): Fields =>
    Object.fromEntries([...Array.from({ length: fields }, (_, at) => [`f${at}`, at] as const), ['orderId', 'a'] as const]);
  expect(signs(wide(1999))).toEqual({ id: 'orderId' });
  expect(signs(wide(2000))).toEqual({ unclear: 'orderId' });
});

test('a word of refusal in a text is shown, and one that denies trouble or an empty field is none', () => {
  expect(refusalIn('executed without errors')).toBeUndefined();
  expect(refusalIn('{"error":null,"cancelled":false}')).toBeUndefined();
  expect(refusalIn('order NOT_PLACED today')).toBe('NOT PLACED');
  expect(refusalIn('it was rejected')).toBe('rejected');
});
