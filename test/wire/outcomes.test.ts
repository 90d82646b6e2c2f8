import { describe, expect, test } from 'vitest';
import { classifyAnswer, type OrderAnswer } from '../../src/wire/outcomes.ts';
import { serviceSettings } from './support/service-settings.ts';

const rules = serviceSettings();
const read = (status: number, body = '', more: Partial<OrderAnswer> = {}) =>
  classifyAnswer({ status, body, complete: true, retryAfter: null, ...more }, rules);

describe('the table of outcomes, 7.1, 7.2, 7.3, 7.4 and 7.5 among it', () => {
  test.each<[string, number, string, string, string]>([
    ['F06 success without status', 200, '{"orderId":"1"}', 'accepted', 'HTTP_OK'],
    ['F06 success that says filled', 201, '{"status":"FILLED"}', 'accepted', 'HTTP_OK'],
    ['F06 success that says filled in small letters', 201, '{"state":"executed"}', 'accepted', 'HTTP_OK'],
    ['F06 success with empty error fields', 201, '{"status":"OK","error":null,"errorCode":""}', 'accepted', 'HTTP_OK'],
    ['F06 no content', 204, '', 'accepted', 'HTTP_UNREADABLE'],
    ['F06 HTML', 200, '<html>', 'accepted', 'HTTP_UNREADABLE'],
    ['F06 a list', 200, '[]', 'accepted', 'HTTP_UNREADABLE'],
    ['F06 half a body', 200, '{"status":"REJEC', 'accepted', 'HTTP_UNREADABLE'],
    ['success that says pending', 202, '{"status":"PENDING"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success that says rejected', 200, '{"state":"REJECTED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success with a status of another type', 200, '{"status":{"a":1}}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success where one of two says no', 200, '{"status":"OK","state":"CANCELLED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success with an error', 200, '{"status":"OK","error":"no funds"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['success with an error code', 200, '{"errorCode":17}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F07', 401, '{"error":"signature"}', 'rejected', 'HTTP_UNAUTHORIZED'],
    ['F08', 403, '', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 names the header', 400, '{"errors":[{"fields":["X-API-User-ID"]}]}', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 names the user id', 400, 'unknown user id', 'rejected', 'HTTP_FORBIDDEN'],
    ['F08 any other', 400, '{"error":"malformed"}', 'rejected', 'HTTP_REFUSED'],
    ['F09 not found', 404, '', 'rejected', 'HTTP_REFUSED'],
    ['F09 media type', 415, '', 'rejected', 'HTTP_REFUSED'],
    ['F09 refused', 422, '{"error":"quote expired"}', 'rejected', 'HTTP_REFUSED'],
    ['F09 conflict', 409, '{"error":"quote expired"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['F09 too many', 429, 'already too many', 'rejected', 'HTTP_REFUSED'],
    ['a used quote', 422, '{"error":"Quote has been USED"}', 'unknown', 'HTTP_AMBIGUOUS'],
    ['a quote used already', 400, 'order already exists', 'unknown', 'HTTP_AMBIGUOUS'],
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

test('F12 a success whose body did not end counts as executed, whatever its beginning says', () => {
  expect(read(200, '{"status":"PENDING"}', { complete: false })).toMatchObject({
    outcome: 'accepted',
    reason: 'HTTP_UNREADABLE',
    figures: {},
  });
});

test('service.outcomes wins over the table, status by status', () => {
  const own = { ...rules, outcomes: { 409: 'rejected', 202: 'unknown', 500: 'accepted' } } as const;
  const ask = (status: number, body = '') => classifyAnswer({ status, body, complete: true, retryAfter: null }, own);
  expect(ask(409)).toMatchObject({ outcome: 'rejected' });
  expect(ask(202, '{"status":"OK"}')).toMatchObject({ outcome: 'unknown' });
  expect(ask(500, '{"price":2}')).toMatchObject({ outcome: 'accepted', figures: { price: '2' } });
  expect(ask(503)).toMatchObject({ outcome: 'unknown' });
  expect(ask(404)).toMatchObject({ outcome: 'rejected', reason: 'HTTP_REFUSED' });
});

test("the figures of an answer replace the quote's only where they are real ones (B01 B02 B04 B05)", () => {
  const figures = (fields: string) => read(201, `{"status":"FILLED",${fields}}`).figures;
  expect(figures('"price":50001.5,"size":0.3,"value":"15000.45","fee":1e-7,"feeCcy":"usd"')).toEqual({
    price: '50001.5',
    size: '0.3',
    value: '15000.45',
    fee: '0.0000001',
    feeCcy: 'usd',
  });
  expect(figures('"price":1e400,"size":-1,"value":0')).toEqual({});
  expect(figures('"price":"1,000.50","size":"0x10","value":" 12 "')).toEqual({});
  expect(figures('"price":"1e5","size":"NaN","value":null')).toEqual({});
  expect(figures('"price":1e300,"size":1e-300,"value":[5]')).toEqual({});
  expect(figures('"fee":0,"feeCcy":"btc"')).toEqual({ fee: '0', feeCcy: 'btc' });
  expect(figures('"fee":-0')).toEqual({ fee: '0' });
  expect(figures('"fee":-1,"feeCcy":"btc"')).toEqual({});
  expect(figures('"feeCcy":"btc"')).toEqual({});
  expect(figures('"fee":1,"feeCcy":"../x"')).toEqual({ fee: '1' });
  expect(figures('"__proto__":{"price":5}')).toEqual({});
});

test('what the service says is shown on one line, and Retry-After with it', () => {
  expect(read(422, 'a\r\nb\u001b[0m').why).toBe('the service answered 422: a b [0m');
  expect(read(429, '', { retryAfter: '7' }).why).toContain('asks to wait: 7');
});
