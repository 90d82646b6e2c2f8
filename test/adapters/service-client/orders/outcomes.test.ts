import { describe, expect, test } from 'vitest';
import { classifyAnswer, type OrderAnswer, type OutcomeRules } from '#adapters/service-client/orders/outcomes.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, quoteId } from '#domain/names.ts';
import { order } from '../support/orders.ts';
import { serviceSettings } from '../support/service-settings.ts';

const rules = serviceSettings();
const QUOTE = '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11';
/** 0.01 BTC at 60,018: worth 600.18, the fee a tenth of a percent. */
const asked = order({
  quoteId: quoteId(QUOTE),
  figures: {
    price: decimalOf(60_018),
    size: decimalOf('0.01'),
    value: decimalOf('600.18'),
    fee: decimalOf('0.60018'),
    feeCcy: currency('usd'),
  },
});
const read = (status: number, body = '', more: Partial<OrderAnswer & OutcomeRules> = {}, of = asked) =>
  classifyAnswer({ status, body, complete: true, retryAfter: null, ...more }, { ...rules, ...more }, of);

test('the answer of another order is none to this one, whatever it says; without an id it may be the same', () => {
  const filled = '{"orderId":"1","status":"FILLED"}';
  expect(read(201, filled, { isRepeated: true })).toMatchObject({ outcome: 'unknown', why: expect.stringContaining('another order') });
  expect(read(201, filled).outcome).toBe('accepted');
  expect(read(201, '{"status":"FILLED"}', { isRepeated: true }).outcome).toBe('accepted');
  expect(read(201, `{"quoteId":"${QUOTE}","status":"FILLED"}`, { isRepeated: true }).outcome).toBe('accepted');
});

describe('the table of outcomes, 7.1, 7.2, 7.3, 7.4 and 7.5 among it', () => {
  test.each<[string, number, string, string, string]>([
    ['F06 success with an order id and no status', 200, '{"orderId":"1"}', 'accepted', 'HTTP_OK'],
    ['F06 success that says filled', 201, '{"status":"FILLED"}', 'accepted', 'HTTP_OK'],
    ['F06 success that says filled in small letters', 201, '{"state":"executed"}', 'accepted', 'HTTP_OK'],
    ['F06 success with empty error fields', 201, '{"status":"OK","error":null,"errorCode":""}', 'accepted', 'HTTP_OK'],
    ['F06 no content', 204, '', 'accepted', 'HTTP_OK'],
    ['F06 a 201 without a body', 201, '', 'accepted', 'HTTP_OK'],
    ['F06 an empty object', 201, ' {} ', 'accepted', 'HTTP_OK'],
    ['F06 a part of a content', 206, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F06 several statuses', 207, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an order that waits', 200, '{"orderId":"1","message":"Order is pending"}', 'unknown', 'HTTP_AMBIGUOUS'],
    [
      'a filled order that speaks of waiting',
      200,
      '{"orderId":"1","status":"FILLED","message":"settlement pending"}',
      'accepted',
      'HTTP_OK',
    ],
    ['a refusal that says filled', 422, `{"status":"FILLED","quoteId":"${QUOTE}"}`, 'unknown', 'HTTP_AMBIGUOUS'],
    ['a refusal with a filled size', 400, '{"order":{"filledSize":"0.01"}}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a refusal that says filled in part', 403, '{"status":"PARTIALLY_FILLED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a refusal that says filled of another order', 422, '{"error":"limit","last":{"status":"FILLED"}}', 'rejected', 'HTTP_REFUSED'],
    ['a refusal without a filled size', 422, '{"status":"REJECTED","filledSize":0}', 'rejected', 'HTTP_REFUSED'],
    ['F06 a bare word', 200, 'OK', 'accepted', 'HTTP_OK'],
    ['F06 a bare word of JSON', 200, '"FILLED"', 'accepted', 'HTTP_OK'],
    ['F06 HTML', 200, '<html>', 'unknown', 'HTTP_UNREADABLE'],
    ['F06 a list', 200, '[]', 'unknown', 'HTTP_UNREADABLE'],
    ['F06 a list of one order', 200, '[{"status":"FILLED","orderId":"1"}]', 'accepted', 'HTTP_OK'],
    ['F06 a list of one refusal', 200, '[{"status":"REJECTED","orderId":"1"}]', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F06 a list of one order to another quote', 200, '[{"status":"FILLED","quoteId":"another"}]', 'unknown', 'HTTP_AMBIGUOUS'],
    [
      'F06 a list of two orders',
      200,
      '[{"status":"FILLED","orderId":"1"},{"status":"FILLED","orderId":"2"}]',
      'unknown',
      'HTTP_UNREADABLE',
    ],
    ['F06 half a body', 200, '{"status":"REJEC', 'unknown', 'HTTP_UNREADABLE'],
    ['F06 an error text', 200, 'Error: quote expired', 'unknown', 'HTTP_UNREADABLE'],
    ['F06 a word of refusal', 200, 'REJECTED', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F06 JSON that says nothing', 200, '{"hello":"world"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a request that was accepted, and no order', 200, '{"requestId":"r-1","accepted":true}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an order that was accepted', 200, '{"orderId":"1","accepted":true}', 'accepted', 'HTTP_OK'],
    ['an order that was not accepted', 200, '{"orderId":"1","accepted":false}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a time under the name of a flag', 200, '{"orderId":"1","received":"2026-01-01T00:00:00Z"}', 'accepted', 'HTTP_OK'],
    ['a decision inside the order', 200, '{"status":"OK","order":{"decision":"DECLINED"}}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a success without a trade', 200, '{"status":"OK","trades":[]}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a success whose trade is null', 200, '{"status":"OK","trade":null}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a success whose data is null', 200, '{"success":true,"data":null}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an order without a fill', 200, '{"orderId":"1","status":"ACCEPTED","fillState":"NONE"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an order that is wholly left', 200, '{"orderId":"1","size":0.01,"remainingSize":0.01}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an order with a quantity left', 200, '{"orderId":"1","leavesQty":0.01}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a type of refusal', 200, '{"status":"SUCCESS","execution":{"type":"REJECT"}}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a refusal under a name of its own', 200, '{"id":"1","execType":"REJECTED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a warning of refusal', 200, '{"id":"1","warning":"low funds, order not placed"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['an executed order with nothing beside it', 200, '{"status":"FILLED","data":null,"trades":[]}', 'accepted', 'HTTP_OK'],
    ['an order with an id and nothing beside it', 200, '{"orderId":"1","status":"OK","data":null}', 'accepted', 'HTTP_OK'],
    ['an order with nothing left', 200, '{"orderId":"1","status":"OK","leavesQty":0}', 'accepted', 'HTTP_OK'],
    ['an order that says how it was to be handled', 200, '{"orderId":"1","timeInForce":"IMMEDIATE_OR_CANCEL"}', 'accepted', 'HTTP_OK'],
    ['success that says pending', 202, '{"status":"PENDING"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success that says rejected', 200, '{"state":"REJECTED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success where one of two says no', 200, '{"status":"OK","state":"CANCELLED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success with an error', 200, '{"status":"OK","error":"no funds"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success with an error code', 200, '{"errorCode":17}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F07', 401, '{"error":"signature"}', 'rejected', 'HTTP_UNAUTHORIZED'],
    ['F08', 403, '', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 names the header', 400, '{"errors":[{"fields":["X-API-User-ID"]}]}', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 names the user id', 400, 'unknown user id', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 names it by a code', 400, '{"errorCode":"INVALID_USER_ID"}', 'rejected', 'HTTP_FORBIDDEN'],
    ['a body that merely carries a user id', 400, '{"userId":1205,"error":"quote expired"}', 'rejected', 'HTTP_REFUSED'],
    ['a body that merely carries a user id as text', 400, '{"userId":"1205","path":"/orders?userId=1205"}', 'rejected', 'HTTP_REFUSED'],
    ['F08 any other', 400, '{"error":"malformed"}', 'rejected', 'HTTP_REFUSED'],
    ['F09 not found', 404, '', 'rejected', 'HTTP_REFUSED'],
    ['F09 media type', 415, '', 'rejected', 'HTTP_REFUSED'],
    ['F09 refused', 422, '{"error":"quote expired"}', 'rejected', 'HTTP_REFUSED'],
    ['a dead quote', 422, '{"error":"Quote has already expired"}', 'rejected', 'HTTP_REFUSED'],
    ['a dead quote in other words', 400, 'this quote can no longer be used', 'rejected', 'HTTP_REFUSED'],
    ['a dead quote in more words', 410, 'quote is already invalid and cannot be used', 'rejected', 'HTTP_REFUSED'],
    ['F09 conflict', 409, '{"error":"quote expired"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F09 too many', 429, 'already too many', 'rejected', 'HTTP_REFUSED'],
    ['a used quote', 422, '{"error":"Quote has been USED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a quote used already', 400, 'order already exists', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a quote used twice', 400, 'a quote cannot be used twice', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a quote that was used and expired', 400, 'can no longer be used: it was used or has already expired', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a duplicate', 404, 'duplicate order', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a word that only looks like it', 422, '{"error":"unused margin, reused"}', 'rejected', 'HTTP_REFUSED'],
    ['time-out by the service', 408, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['too early', 425, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F10', 500, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F10', 502, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F10', 503, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F10', 504, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F11', 301, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F11', 307, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F11', 308, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['not modified', 304, '', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a number beyond HTTP', 799, '', 'unknown', 'HTTP_AMBIGUOUS'],
  ])('%s: %i %s is %s', (_name, status, body, outcome, reason) => {
    expect(read(status, body)).toMatchObject({ outcome, reason });
  });
});

describe('an order counts as executed on positive evidence alone', () => {
  const ID = '"orderId":"a-1"';
  test.each([
    `{"success":false,${ID}}`,
    `{"ok":false,${ID}}`,
    `{"success":"false",${ID}}`,
    `{"success":0,${ID}}`,
    `{"code":1001,${ID}}`,
    `{"code":"QUOTE_EXPIRED",${ID}}`,
    `{"status":400,${ID}}`,
    `{"orderStatus":"REJECTED",${ID}}`,
    `{"order_status":"rejected",${ID}}`,
    `{"result":"REJECTED",${ID}}`,
    `{"data":{"status":"REJECTED",${ID}}}`,
    `{"data":{"order":{"state":"CANCELLED",${ID}}}}`,
    `{"status":{"value":"REJECTED"},${ID}}`,
    `{"status":"FILLED","meta":{"code":17}}`,
    `{"user":{"orderStatus":"REJECTED"},${ID}}`,
    `{"errors":["no funds"],${ID}}`,
    `{"errors":[{"description":"x"}],${ID}}`,
    `{"errorMsg":"no funds",${ID}}`,
    `{"error":{"code":5},${ID}}`,
    `{"rejectReason":"LIMIT",${ID}}`,
    `{"rejected":true,${ID}}`,
    `{"message":"Order rejected: price moved",${ID}}`,
    `{"status":"FILLED","size":0}`,
    `{"status":"FILLED","filledSize":"0.000"}`,
    `{"status":"FILLED","quoteId":"00000000-0000-4000-8000-000000000001"}`,
    `{"status":"FILLED","side":"SELL"}`,
    `{"status":"NEW",${ID}}`,
    `{"status":"PARTIALLY_FILLED",${ID}}`,
    `{"id":"${QUOTE}"}`,
    `{"userId":1205}`,
    `{"user":{"id":1205}}`,
    `{"data":[{"status":"FILLED",${ID}},{"status":"FILLED"}]}`,
    `{"price":60018,"size":0.01}`,
  ])('200 %s is unknown, and says by which field', (body) => {
    const { outcome, why } = read(200, body);
    expect(outcome).toBe('unknown');
    expect(why).toMatch(/service\.(filledStatuses|rejectedStatuses|ignoredFields|outcomes)/);
  });

  test.each([
    `{${ID},"errorCode":0}`,
    `{${ID},"errorCode":"0","errors":[],"error":false,"errorMsg":""}`,
    `{${ID},"error":{"code":0,"message":"OK"}}`,
    `{${ID},"code":0,"msg":"success"}`,
    `{${ID},"code":200}`,
    `{${ID},"rejected":false,"rejectReason":null}`,
    `{${ID},"message":"executed without errors"}`,
    '{"status":201,"message":"Created"}',
    '{"status":"COMPLETE"}',
    '{"status":"CONFIRMED"}',
    '{"status":"CREATED"}',
    '{"status":"CLOSED"}',
    '{"status":"SETTLED"}',
    '{"status":"fully-filled"}',
    '{"status":{"value":"FILLED"}}',
    '{"success":true}',
    '{"success":true,"data":{"order":{"id":17}}}',
    '{"data":[{"status":"FILLED"}]}',
    '{"filledSize":0.01,"avgPrice":"60018"}',
    `{"user":{"status":"ACTIVE","id":5},"product":{"code":"BTCUSD"},${ID}}`,
    `{"result":{"symbol":"BTCUSD","type":"MARKET",${ID}}}`,
    `{"quoteId":"${QUOTE.toUpperCase()}","side":"BUY","executed":"2026-01-01T00:00:00Z",${ID}}`,
  ])('200 %s executes', (body) => {
    expect(read(200, body)).toMatchObject({ outcome: 'accepted', reason: 'HTTP_OK' });
  });

  test.each([
    ['', 'unknown'],
    [`{${ID}}`, 'unknown'],
    ['{"status":"ACCEPTED"}', 'unknown'],
    ['{"success":true}', 'unknown'],
    ['{"status":"FILLED"}', 'accepted'],
    ['{"executedQty":"0.01"}', 'accepted'],
  ])('202 says that an order was taken: %j is %s', (body, outcome) => {
    expect(read(202, body)).toMatchObject({ outcome });
    expect(read(202, body, { outcomes: { 202: 'accepted' } })).toMatchObject({ outcome: 'accepted' });
  });

  test('what the answer does not say is said by the settings', () => {
    expect(read(201, '', { emptyAnswer: 'unknown' })).toMatchObject({ outcome: 'unknown' });
    expect(read(200, '{"status":"QUEUED","orderId":"1"}', { filledStatuses: ['queued'] })).toMatchObject({ outcome: 'accepted' });
    expect(read(200, '{"status":"DEAD","orderId":"1"}', { rejectedStatuses: ['DEAD'] })).toMatchObject({
      outcome: 'rejected',
      reason: 'HTTP_REFUSED',
      why: expect.stringMatching(/200.*status "DEAD".*service\.rejectedStatuses/),
    });
    expect(read(200, '{"warningCode":1,"code":7,"orderId":"1"}', { ignoredFields: ['code'] })).toMatchObject({ outcome: 'accepted' });
    expect(read(200, '<html>', { outcomes: { 200: 'accepted' } })).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    [400, '', 'check service.sides'],
    [400, '{}', 'check service.sides'],
    [400, '{"error":"unknown side"}', 'check service.sides'],
    [404, '', 'check service.brand and service.paths.orders'],
  ])('a refusal by %s with %j names the setting that may be at fault', (status, body, mend) => {
    expect(read(status, body)).toMatchObject({ outcome: 'rejected', why: expect.stringContaining(mend) });
  });

  test('a word of refusal beside a filled size is no rejection', () => {
    const own = { rejectedStatuses: ['CANCELED'] };
    expect(read(200, '{"status":"CANCELED","executedQty":0.004}', own)).toMatchObject({ outcome: 'unknown' });
    expect(read(200, '{"status":"CANCELED","executedQty":0}', own)).toMatchObject({ outcome: 'rejected' });
  });

  test('the line names the word, its field and both settings', () => {
    const { why } = read(200, '{"data":{"orderStatus":"QUEUED"}}');
    const facts = [
      '200',
      'data.orderStatus "QUEUED"',
      'service.filledStatuses',
      'service.rejectedStatuses',
      'add orderStatus to service.ignoredFields',
    ];
    expect(facts.filter((fact) => !why.includes(fact))).toEqual([]);
    expect(read(202).why).toMatch(/202.*service\.outcomes: \{"202": accepted\}/);
  });

  test('a body that never ends in depth is not followed', () => {
    expect(read(200, `${'{"error":'.repeat(7000)}1${'}'.repeat(7000)}`)).toMatchObject({ outcome: 'unknown' });
    expect(read(400, `${'{"error":'.repeat(7000)}1${'}'.repeat(7000)}`)).toMatchObject({ outcome: 'rejected' });
    expect(read(200, `${'{"data":'.repeat(5000)}{"status":"FILLED"}${'}'.repeat(5000)}`)).toMatchObject({ outcome: 'unknown' });
  });
});

test.each(['{"status":"FILLED"}', '{"status":"FILLED","size":', ''])(
  'F12 a success whose body did not end is unknown, whatever its beginning and the settings say: %s',
  (body) => {
    for (const outcomes of [{}, { 200: 'accepted' } as const]) {
      expect(read(200, body, { complete: false, outcomes })).toMatchObject({ outcome: 'unknown', reason: 'HTTP_UNREADABLE', figures: {} });
    }
  },
);

test.each([
  ['a text', 'error', 'Error: the quote has expired'],
  ['a page of HTML or XML', 'not executed', '<!doctype html><p>Your order was not executed: the quote has expired.'],
  ['a list', 'error', '[{"error":"the quote has expired"},{}]'],
  ['a list', 'error', '[{"id":"1","error":null},{"id":"2","error":"late"}]'],
  ['a list', 'rejected', '["rejected", null]'],
  ['a list', 'failed', '[{"failed":true,"errors":[]},{}]'],
])('service.outcomes makes no refusal executed, and %s with "%s" is told: %s', (what, word, body) => {
  const { outcome, why } = read(201, body, { outcomes: { 201: 'accepted' } });
  expect(outcome).toBe('unknown');
  expect(['201', what, `"${word}"`, body, 'service.outcomes'].filter((fact) => !why.includes(fact))).toEqual([]);
});

test.each([
  '[{"id":"1","error":null},{"id":"2","error":null}]',
  '[{"id":"1","errors":[]}, {"id":"2","errors": {}}]',
  '[{"failure_reason" : "" , "rejectedSize":0,"cancelled":false},{"status":"FILLED"}]',
  '[{"message":"0 errors"},{}]',
])('a field of trouble that is empty is no trouble, where service.outcomes makes the status executed: %s', (body) => {
  expect(read(201, body, { outcomes: { 201: 'accepted' } })).toMatchObject({ outcome: 'accepted' });
  expect(read(201, body)).toMatchObject({ outcome: 'unknown' });
});

test('service.outcomes wins over the table, status by status, but not over a word against it', () => {
  const own = { outcomes: { 409: 'rejected', 204: 'unknown', 500: 'accepted', 200: 'accepted' } } as const;
  expect(read(409, '', own)).toMatchObject({ outcome: 'rejected' });
  expect(read(204, '', own)).toMatchObject({ outcome: 'unknown' });
  expect(read(500, '{"price":60018.5}', own)).toMatchObject({ outcome: 'accepted', figures: { price: '60018.5' } });
  expect(read(200, '{"hello":"world"}', own)).toMatchObject({ outcome: 'accepted' });
  expect(read(200, '{"status":"REJECTED"}', own)).toMatchObject({ outcome: 'unknown' });
  expect(read(503, '', own)).toMatchObject({ outcome: 'unknown' });
  expect(read(404, '', own)).toMatchObject({ outcome: 'rejected', reason: 'HTTP_REFUSED' });
});

describe("the figures of an answer replace the quote's only where they fit it", () => {
  const told = (fields: string, more = {}) => read(201, `{"status":"FILLED",${fields}}`, more);

  test.each<[string, Record<string, string>]>([
    ['"orderId":"1"', {}],
    [
      '"price":60018,"size":0.01,"value":600.18,"fee":0.60018,"feeCcy":"usd"',
      { price: '60018', size: '0.01', value: '600.18', fee: '0.60018', feeCcy: 'usd' },
    ],
    ['"avgPrice":"60018.5","executedQty":"1e-2","cumQuote":"600.185"', { price: '60018.5', size: '0.01', value: '600.185' }],
    [
      '"filledSize":0.01,"averagePrice":60018,"commission":"-0.60018","commissionAsset":"USD"',
      { price: '60018', size: '0.01', value: '600.18', fee: '0.60018', feeCcy: 'usd' },
    ],
    ['"filledValue":600.2', { value: '600.2' }],
    ['"price":"0.00","size":0.01', { size: '0.01' }],
    ['"price":null,"size":"","value":null', {}],
    // Parts, with what they cost.
    ['"filledSize":0.004', { size: '0.004', value: '240.072', fee: '0.240072' }],
    [
      '"size":0.01,"filledSize":0.004,"avgPrice":60018,"fee":0.24,"feeCurrency":"USD"',
      { price: '60018', size: '0.004', value: '240.072', fee: '0.24', feeCcy: 'usd' },
    ],
    ['"fills":[{"price":60018,"qty":0.004},{"price":60018,"qty":0.003}]', { size: '0.007', value: '420.126', fee: '0.420126' }],
    // The fee in base, told by its currency or by its size; a size net of it.
    ['"fee":0.00001,"feeCcy":"BTC"', { fee: '0.00001', feeCcy: 'btc' }],
    ['"fee":{"amount":"0.00001","currency":"BTC"}', { fee: '0.00001', feeCcy: 'btc' }],
    ['"fee":0.00001', { fee: '0.00001', feeCcy: 'btc' }],
    ['"size":0.00999,"fee":0.00001,"feeAsset":"btc"', { size: '0.01', fee: '0.00001', feeCcy: 'btc' }],
    // A rate is no amount: the fee is the quote's.
    ['"fee":0.1', {}],
    ['"fee":"0.001"', {}],
    ['"fee":0.6,"feeCcy":"usd"', { fee: '0.6', feeCcy: 'usd' }],
    ['"__proto__":{"price":5}', {}],
  ])('%s', (fields, figures) => {
    expect(told(fields)).toMatchObject({ outcome: 'accepted', figures });
    expect(Object.keys(told(fields).figures).sort()).toEqual(Object.keys(figures).sort());
  });

  test('they are found where the order stands', () => {
    expect(read(200, '{"success":true,"data":{"order":{"executedQty":"0.01","avgPrice":"60018"}}}').figures).toMatchObject({
      size: '0.01',
    });
    expect(read(200, '{"result":[{"orderId":"1","price":60018.2}]}').figures).toMatchObject({ price: '60018.2' });
  });

  test.each([
    // A size that is the value: what was bought would be sold 60,000 times over.
    ['size', '"size":600.18'],
    ['size', '"size":600.18,"price":60018'],
    ['executedQty', '"executedQty":0.0100001'],
    ['filledSize', '"filledSize":1e400'],
    ['size', '"size":-0.01'],
    ['size', '"size":"0x10"'],
    ['size', '"size":0.004'],
    ['price', '"price":61000'],
    ['price', '"price":"60,018.00"'],
    ['avgPrice', '"avgPrice":0'],
    ['value', '"value":660'],
    ['value', '"price":60018,"size":0.01,"value":601.18'],
    ['value', '"size":0.004,"value":600.18'],
    ['fee', '"fee":6.0018,"feeCcy":"usd"'],
    ['fee', '"fee":0'],
    ['fee', '"fee":0.00001,"feeCcy":"usd"'],
    ['feeCurrency', '"fee":0.001,"feeCurrency":"BNB"'],
    ['feeCcy', '"fee":0.6,"feeCcy":"../x"'],
    ['executedQty', '"filledSize":0.01,"executedQty":0.005'],
  ])('%s does not fit in %s: unknown, by its name', (field, fields) => {
    const { outcome, why, figures } = told(fields);
    expect({ outcome, figures }).toEqual({ outcome: 'unknown', figures: {} });
    expect(why).toContain(`its figures do not fit the quote: ${field} `);
    // Who ignores what was paid or had would book another amount than the account has.
    expect(why).toContain(
      `settle the order by what the account shows; only where that is what was quoted, set service.ignoredFields: [${field}]`,
    );
    expect(told(fields, { ignoredFields: ['price', 'size', 'value', 'fee', 'feeCurrency', 'feeCcy', field, 'filledSize'] })).toMatchObject({
      outcome: 'accepted',
    });
  });

  test('a value in place of a size is seen where a unit is cheap as well', () => {
    const cheap = order({
      quoteId: quoteId(QUOTE),
      figures: { price: decimalOf('0.1'), size: decimalOf(100), value: decimalOf(10), fee: decimalOf('0.01'), feeCcy: currency('usd') },
    });
    expect(read(200, '{"status":"FILLED","filledSize":10}', {}, cheap)).toMatchObject({ outcome: 'unknown' });
    expect(read(200, '{"status":"FILLED","filledSize":40}', {}, cheap)).toMatchObject({
      outcome: 'accepted',
      figures: { size: '40', value: '4' },
    });
  });
});

test('each end of a range of statuses is read as its middle is', () => {
  expect([200, 299].map((status) => read(status, '{"status":"FILLED"}').outcome)).toEqual(['accepted', 'accepted']);
  expect([199, 300, 600].map((status) => read(status, '{"status":"FILLED"}').outcome)).toEqual(['unknown', 'unknown', 'unknown']);
  expect([400, 499, 500].map((status) => read(status).outcome)).toEqual(['rejected', 'rejected', 'unknown']);
  // The id of a user is wrong in a request, not where a quote is refused.
  expect(read(422, 'unknown user id')).toMatchObject({ reason: 'HTTP_REFUSED' });
});

test('a status that service.outcomes makes executed is not searched for words, unless it is one of success', () => {
  const own = { outcomes: { 500: 'accepted', 199: 'accepted', 300: 'accepted', 299: 'accepted' } } as const;
  for (const status of [199, 300, 500]) expect(read(status, '{"status":"REJECTED"}', own)).toMatchObject({ outcome: 'accepted' });
  expect(read(299, '{"status":"REJECTED"}', own)).toMatchObject({ outcome: 'unknown' });
});

test('service.outcomes gives its verdict with the reason that goes with it', () => {
  const own = { outcomes: { 409: 'rejected', 204: 'unknown' } } as const;
  expect(read(409, '', own)).toMatchObject({ reason: 'HTTP_REFUSED' });
  expect(read(204, '', own)).toMatchObject({ reason: 'HTTP_AMBIGUOUS' });
});

test.each<[status: number, body: string, more: object, why: RegExp]>([
  [200, '', { emptyAnswer: 'unknown' }, /nothing else; .*, or service\.emptyAnswer: accepted$/],
  [202, '', {}, /nothing else; .*"202": accepted\}$/],
  [200, 'PENDING', {}, /the body "PENDING"; add "PENDING" to service\.filledStatuses .* if not$/],
  [200, '{"code":17,"orderId":"1"}', {}, /code 17; add code to service\.ignoredFields if it says nothing about the order$/],
  [200, '{"data":{"status":"x!y"}}', {}, /data\.status "x!y"; add status to service\.ignoredFields/],
  [200, '{"status":"!x"}', {}, /"!x"; add status to service\.ignoredFields/],
  [200, '{"status":"x!"}', {}, /"x!"; add status to service\.ignoredFields/],
  [200, '{"orderId":"1","status":2}', {}, /status 2; add status to service\.ignoredFields/],
  [200, '{"status":"FILLED","baseAmount":0.01,"quoteAmount":-600.18}', {}, /set service\.ignoredFields: \[quoteAmount\]/],
  [200, '{"status":"FILLED","errorCode":"NO_ERROR"}', {}, /errorCode "NO_ERROR"; add .*service\.ignoredFields/],
  [200, '<order id="1" status="FILLED"/>', {}, /service\.outcomes/],
  [201, '{"orderId":"1","state":"CREATED","filledSize":0}', {}, /filledSize says 0, so nothing was executed/],
  [422, '', {}, /^the service answered 422$/],
  [422, ' late ', {}, /^the service answered 422: late$/],
  [422, '{}', {}, /^the service answered 422: \{\}$/],
  [422, 'already used', {}, /if this service means not executed by it, set service\.outcomes: \{"422": rejected\}$/],
  [400, '{} x', {}, /^the service answered 400: \{\} x$/],
  [400, 'x {}', {}, /^the service answered 400: x \{\}$/],
])('%d with %j names what a person can do about it, and nothing that does not help', (status, body, more, why) => {
  expect(read(status, body, more).why).toMatch(why);
});

test('a part that is told by a word alone is no part: how much was executed is not known', () => {
  expect(read(200, 'PARTIAL').outcome).toBe('unknown');
  expect(read(200, '"--"')).toMatchObject({ outcome: 'unknown' });
});

test('what the service says is shown on one line, and Retry-After with it', () => {
  expect(read(422, 'a\r\nb\u001b[0m').why).toBe('the service answered 422: a b [0m');
  expect(read(429, '', { retryAfter: '7' }).why).toContain('asks to wait: 7');
});
