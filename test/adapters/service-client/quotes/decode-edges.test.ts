import { expect, test } from 'vitest';
import { decodeFrame, printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { isCode } from '#adapters/service-client/quotes/decode-quote.ts';
import { laneIdOf } from '#domain/names.ts';
import { TQ, tq } from '../support/frames.ts';

const decode = (text: string) => decodeFrame(text, { lane: laneIdOf('btcusd@base:0.1'), epoch: 3 });
const of = (message: object) => decode(JSON.stringify(message));

test('a frame of more than a mebibyte is not parsed', () => {
  const MIB = 1024 * 1024;
  expect(decode(`"${'x'.repeat(MIB - 1)}"`)).toEqual({ kind: 'malformed', why: 'longer than 1 MiB' });
  expect(decode(`"${'x'.repeat(MIB - 2)}"`)).toEqual({ kind: 'malformed', why: 'not a JSON object' });
});

test('what the service says is shown in part', () => {
  expect(printable('x'.repeat(400))).toHaveLength(300);
  expect(of({ msgType: 'Y'.repeat(40) })).toEqual({ kind: 'ignored', msgType: 'Y'.repeat(32) });
});

test.each<[query: object, why: string]>([
  [{ quoteType: 7, productCode: 'btcusd' }, 'ACK: query.quoteType is not a string'],
  [{ quoteType: 'TRADING', productCode: 7 }, 'ACK: query.productCode is not a string'],
  [{ quoteType: 'TRADING', inputSize: 'much' }, 'ACK: query.inputSize is not a number'],
  [{ quoteType: 'TRADING', inputValue: {} }, 'ACK: query.inputValue is not a number'],
])('an echo that cannot be held against the request acknowledges nothing: %j', (query, why) => {
  expect(of({ msgType: 'ACK', query })).toEqual({ kind: 'malformed', why });
});

test('2.8 an amount that is not echoed is null, however it is left out', () => {
  const none = { productCode: null, inputSize: null, inputValue: null };
  expect(of({ msgType: 'ACK', query: { quoteType: 'FULL', inputSize: '' } })).toEqual({
    kind: 'ack',
    echo: { quoteType: 'FULL', ...none },
  });
  expect(of({ msgType: 'ACK', query: { quoteType: 'FULL', ...none } })).toEqual({ kind: 'ack', echo: { quoteType: 'FULL', ...none } });
});

test.each(['BQ', 'FQ'])('%s: a code that is none is refused, and what is only shown may be anything', (msgType) => {
  for (const productCode of [7, null, '../x']) {
    expect(of({ msgType, productCode, bids: [], asks: [] })).toEqual({ kind: 'malformed', why: `${msgType}: productCode is not a code` });
  }
  const shown = { productCode: 'BTCUSD', price: 1, bids: [], asks: [], baseCcy: 'BTC', quoteCcy: 7, time: 'noon\n' };
  expect(of({ msgType, ...shown })).toMatchObject({
    [msgType === 'BQ' ? 'basic' : 'full']: { product: 'btcusd', baseCcy: 'btc', quoteCcy: null, time: 'noon ' },
  });
});

test('2.8.FQ: the best levels are the first, in whatever order they come', () => {
  const [bids, asks] = [[98, 99, 97].map((price) => [price, 1]), Array.from({ length: 1500 }, (_, n) => [2000 - n, 1])];
  const found = of({ msgType: 'FQ', productCode: 'btcusd', bids, asks });
  if (found.kind !== 'full') expect.fail(found.kind);
  expect(found.full.bids.map(({ price }) => price)).toEqual([99, 98, 97]);
  expect(found.full.asks.map(({ price }) => price)).toEqual(Array.from({ length: 1000 }, (_, n) => 501 + n));
});

test('a full quote shows a thousand levels of each side, by the first name that has a figure', () => {
  const asks = Array.from({ length: 1001 }, () => ({ price: null, px: 5, qty: 0 }));
  const frame = of({ msgType: 'FQ', productCode: 'btcusd', bids: [[4, '0.5']], asks });
  if (frame.kind !== 'full') throw new Error(frame.kind);
  expect(frame.full.bids).toEqual([{ price: 4, size: 0.5 }]);
  expect(frame.full.asks).toHaveLength(1000);
  expect(frame.full.asks[0]).toEqual({ price: 5, size: 0 });
  expect(of({ msgType: 'FQ', productCode: 'btcusd', bids: [[4, -1]], asks: [] }).kind).toBe('malformed');
});

test('an anonymous quote may say so by null, a fee of nothing is a fee, and what a side leaves out follows from the rest', () => {
  expect(decode(tq({ id: null }))).toMatchObject({ quote: { id: null } });
  const side = { ...TQ.buyQuote, price: 50_000, size: 0.1, feeInQuoteCcy: 5 };
  expect(decode(tq({ feePercentage: 0, buyQuote: { ...side, value: null } }))).toMatchObject({
    quote: { feePercentage: 0, buy: { value: 5000 } },
  });
  expect(decode(tq({ feePercentage: null, buyQuote: { ...side, value: undefined } }))).toMatchObject({
    quote: { feePercentage: 0.1, buy: { value: 5000 } },
  });
});

test.each<[validUntil: unknown, ms: number | undefined]>([
  [Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1)],
  [Date.UTC(2000, 0, 1) - 1, undefined],
  [Date.UTC(2201, 0, 1) - 1, Date.UTC(2201, 0, 1) - 1],
  [Date.UTC(2201, 0, 1), undefined],
  [1_767_225_603_123.9, 1_767_225_603_123],
  [[1_767_225_603_123], undefined],
  [true, undefined],
])('an expiry in milliseconds is a number between 2000 and 2200, or the quote is refused: %j', (validUntil, ms) => {
  expect(decode(tq({ validUntil }))).toMatchObject(ms === undefined ? { kind: 'malformed' } : { quote: { validUntil: ms } });
});

test('a currency may have a name of one letter or of 64, and ends as it begins', () => {
  expect(['x', 'b.t-c_1', 'x'.repeat(64)].filter((code) => !isCode(code))).toEqual([]);
  expect(['', 'x'.repeat(65), '.x', 'x-', 'b/c', 'b c'].filter(isCode)).toEqual([]);
});
