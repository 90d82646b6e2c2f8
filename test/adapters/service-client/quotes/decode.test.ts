import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { serviceTimeMs } from '#adapters/service-client/clock/service-time.ts';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { decodeQuote, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { laneIdOf } from '#domain/names.ts';
import { fc, test as property } from '../../../support/property.ts';
import { millisOf, tradingQuoteSchema } from '../../../support/quote-schema.ts';
import { ack, err, TQ, tq } from '../support/frames.ts';

const ORIGIN = { lane: laneIdOf('btcusd@base:0.1'), epoch: 3 };
const decode = (text: string) => decodeFrame(text, ORIGIN);
const whyOf = (text: string) => {
  const frame = decode(text);
  return frame.kind === 'malformed' ? frame.why : `not refused: ${frame.kind}`;
};

test('a trading quote is decoded whole, frozen, and marked with its lane and epoch', () => {
  const frame = decode(tq());
  expect(frame).toEqual({
    kind: 'quote',
    quote: {
      id: TQ.id,
      product: 'btcusd',
      baseCcy: 'btc',
      quoteCcy: 'usd',
      buy: TQ.buyQuote,
      sell: TQ.sellQuote,
      feePercentage: 0.1,
      spread: 10,
      spreadPercentage: 0.02,
      dailyChangePercentage: -1.5,
      validUntil: Date.UTC(2026, 0, 1, 0, 0, 3, 123),
      lane: ORIGIN.lane,
      epoch: 3,
    },
  });
  if (frame.kind !== 'quote') return;
  expect([frame.quote, frame.quote.buy, frame.quote.sell].every(Object.isFrozen)).toBe(true);
});

test.each<[string, readonly [bought: number, sold: number], number, readonly [bought: number, sold: number]]>([
  ['the fee in both', [600.78018, 599.57982], 0.60018, [600.18, 600.18]],
  ['rounded to cents', [600.78, 599.58], 0.60018, [600.18, 600.18]],
  ['none of it', [600.18, 600.18], 0.60018, [600.18, 600.18]],
  ['none of it, rounded', [600.2, 600.2], 0.60018, [600.2, 600.2]],
  ['the fee in the purchase alone, as where its size is net of the fee', [600.78018, 600.18], 0.60018, [600.78018, 600.18]],
  ['the same for both sides', [600.78018, 600.78018], 0.60018, [600.78018, 600.78018]],
  ['no fee', [600.18, 600.18], 0, [600.18, 600.18]],
])('row 6: values of a quote that have the fee in them are size times price: %s', (_, [bought, sold], feeInQuoteCcy, [buy, sell]) => {
  const told = { price: 60018, size: 0.01, feeInQuoteCcy };
  const message = tq({ buyQuote: { ...told, value: bought }, sellQuote: { ...told, value: sold } });
  expect(decode(message)).toMatchObject({ kind: 'quote', quote: { buy: { value: buy, feeInQuoteCcy }, sell: { value: sell } } });
});

test('F32 an anonymous quote has no id and can still be shown', () => {
  expect(decode(tq({ id: undefined }))).toMatchObject({ kind: 'quote', quote: { id: null } });
});

test('B20 a quote id is kept as sent in either case, and refused when it is no UUID', () => {
  const upper = '5F1D7A52-0C4E-4B7E-9A57-2F0E6D3B8C11';
  expect(decode(tq({ id: upper }))).toMatchObject({ kind: 'quote', quote: { id: upper } });
  for (const id of ['', 'x', 7, {}, `${upper} `, `{${upper}}`, upper.replace('-', '_')])
    expect(whyOf(tq({ id }))).toBe('TQ: id is not a UUID');
});

describe('B01 B02 B03 B04 B05 B08 numbers', () => {
  const side = (changes: object) => tq({ buyQuote: { ...TQ.buyQuote, ...changes } });
  test.each(['price', 'size', 'value'])('%s must be a positive number', (name) => {
    for (const bad of [
      0,
      -1,
      '0',
      '-50000',
      '50,000',
      ' 1',
      '0x10',
      '1e400',
      ...(name === 'value' ? [] : [null, undefined]),
      [],
      {},
      true,
    ]) {
      expect(whyOf(side({ [name]: bad }))).toBe(`TQ: buyQuote.${name} is not a positive number`);
    }
    expect(whyOf(side({ [name]: 123456.789 }).replace('123456.789', '1e400'))).toBe(`TQ: buyQuote.${name} is not a positive number`);
    expect(whyOf(side({ [name]: 123456.789 }).replace('123456.789', '-0'))).toBe(`TQ: buyQuote.${name} is not a positive number`);
    expect(whyOf(side({ [name]: 123456.789 }).replace('123456.789', '0x10'))).toBe('not JSON');
  });
  test('big and tiny numbers are taken as JSON reads them', () => {
    expect(decode(side({ price: 1e-7, size: 9e22, value: 12.25 }).replace('12.25', '9007199254740993'))).toMatchObject({
      quote: { buy: { price: 1e-7, size: 9e22 } },
    });
  });
  test('a fee may be nothing, minus nothing becomes nothing, and below nothing is refused', () => {
    const frame = decode(side({ feeInQuoteCcy: 77.5 }).replace('77.5', '-0'));
    expect(frame.kind === 'quote' && Object.is(frame.quote.buy.feeInQuoteCcy, 0)).toBe(true);
    expect(whyOf(side({ feeInQuoteCcy: -0.01 }))).toBe('TQ: buyQuote.feeInQuoteCcy is not a number of at least 0');
    expect(whyOf(tq({ feePercentage: -1 }))).toMatch(/feePercentage/);
    expect(decode(tq({ spread: -5, dailyChangePercentage: -100 })).kind).toBe('quote');
  });
});

describe('what a decision does not rest on is indifferent, and what follows from the rest is worked out', () => {
  const quoteOf = (text: string) => {
    const frame = decode(text);
    if (frame.kind !== 'quote') throw new Error(frame.kind === 'malformed' ? frame.why : frame.kind);
    return frame.quote;
  };
  const DISPLAY = ['dailyChangePercentage', 'spread', 'spreadPercentage', 'avgQuote'];
  const SIDE_DISPLAY = ['slippage', 'slippagePercentage'];
  test.each([
    ['missing', undefined],
    ['null', null],
    ['a text', '0.12 %'],
    ['an object', { a: 1 }],
  ])('display fields: %s', (_what, value) => {
    const sides = Object.fromEntries(SIDE_DISPLAY.map((name) => [name, value]));
    const quote = quoteOf(
      tq({
        ...Object.fromEntries(DISPLAY.map((name) => [name, value])),
        buyQuote: { ...TQ.buyQuote, price: 50010, ...sides },
        sellQuote: { ...TQ.sellQuote, price: 49990, ...sides },
      }),
    );
    expect(quote).toMatchObject({
      spread: 20,
      spreadPercentage: 0.04,
      dailyChangePercentage: 0,
      buy: { slippage: 10, slippagePercentage: 0.02 },
    });
  });
  test.each([undefined, null, 'none'])('one fee gives the other, and the percentage gives both: %s', (none) => {
    const fees = (changes: object) => quoteOf(tq({ buyQuote: { ...TQ.buyQuote, price: 50000, size: 0.1, value: 5000, ...changes } })).buy;
    expect(fees({ feeInQuoteCcy: 5, feeInBaseCcy: none })).toMatchObject({ feeInQuoteCcy: 5, feeInBaseCcy: 0.0001 });
    expect(fees({ feeInQuoteCcy: none, feeInBaseCcy: 0.0001 })).toMatchObject({ feeInQuoteCcy: 5, feeInBaseCcy: 0.0001 });
    expect(fees({ feeInQuoteCcy: 0, feeInBaseCcy: 0 })).toMatchObject({ feeInQuoteCcy: 0, feeInBaseCcy: 0 });
    expect(whyOf(tq({ buyQuote: { ...TQ.buyQuote, feeInQuoteCcy: none, feeInBaseCcy: -1 } }))).toMatch(/feeInBaseCcy/);
    expect(fees({ feeInQuoteCcy: none, feeInBaseCcy: none })).toMatchObject({ feeInQuoteCcy: 5, feeInBaseCcy: 0.0001 });
    const nothing = { buyQuote: { ...TQ.buyQuote, feeInQuoteCcy: none, feeInBaseCcy: none }, feePercentage: none };
    expect(whyOf(tq(nothing))).toBe('TQ: buyQuote says no fee, and feePercentage none either');
  });
  test('figures as texts, with an exponent, or with the last digit of a double are the decimals that were meant', () => {
    const size = (value: unknown) => quoteOf(tq({ buyQuote: { ...TQ.buyQuote, size: value, value: null } })).buy.size;
    expect([size('0.1'), size('1e-3'), size('1.5E+2'), size(0.30000000000000004), size(0.010000000000000002)]).toEqual([
      0.1, 0.001, 150, 0.3, 0.01,
    ]);
    expect([size(0.123456789012), size(1e-9), size('0.00000000000000000012')]).toEqual([0.123456789012, 1e-9, 1.2e-19]);
    expect(quoteOf(tq({ buyQuote: { ...TQ.buyQuote, price: 50000, size: 0.1, value: null } })).buy.value).toBe(5000);
  });
  test('a value is price x size, with the fee or without it, to a percent; one that was asked for has a size that is rounded', () => {
    const worth = { price: 60_000, size: 0.01, feeInQuoteCcy: 0.6 };
    const side = (figures: object) => tq({ buyQuote: { ...TQ.buyQuote, ...figures } });
    for (const value of [600, 600.6, 599.4, 597, 603, 600.004]) expect(quoteOf(side({ ...worth, value })).buy.value).toBeGreaterThan(0);
    for (const value of [1, 100, 500, 590, 610, 1900, 6000])
      expect(whyOf(side({ ...worth, value })), String(value)).toBe('TQ: buyQuote.value is not price x size, with the fee or without it');
    const asked = decodeFrame(side({ ...worth, value: 1000 }), { ...ORIGIN, lane: laneIdOf('btcusd@quote:1000') });
    expect(asked.kind).toBe('quote');
  });
  test('an expiry may be Unix milliseconds as a number; seconds could be anything', () => {
    expect(quoteOf(tq({ validUntil: 1767225603250 })).validUntil).toBe(1767225603250);
    for (const validUntil of [1767225603, 1767225603250000, null, undefined, {}, '1767225603250'])
      expect(whyOf(tq({ validUntil }))).toMatch(/validUntil/);
  });
});

test('B35 a quote with a missing or strange side is refused by name', () => {
  for (const buyQuote of [undefined, null, 5, 'x', [], [TQ.buyQuote]]) expect(whyOf(tq({ buyQuote }))).toBe('TQ: buyQuote is missing');
  expect(whyOf(tq({ sellQuote: undefined }))).toBe('TQ: sellQuote is missing');
  expect(whyOf(tq({ sellQuote: { ...TQ.sellQuote, size: undefined } }))).toBe('TQ: sellQuote.size is not a positive number');
  expect(whyOf(tq({ sellQuote: { sellQuote: TQ.sellQuote } }))).toBe('TQ: sellQuote.price is not a positive number');
});

test('B22 product and currency codes with path characters or look-alikes are refused', () => {
  for (const code of [
    '',
    '../btcusd',
    'btc/../usd',
    'btc//usd',
    '/btcusd',
    'btcusd/',
    'btcusd?x',
    'btс',
    'btc\u0000usd',
    'btc usd',
    '\ud800',
    '.',
    'x'.repeat(65),
    5,
    null,
  ]) {
    expect(whyOf(tq({ productCode: code }))).toBe('TQ: productCode is not a code');
    expect(whyOf(tq({ baseCcy: code }))).toBe('TQ: baseCcy is not a code');
    expect(whyOf(tq({ quoteCcy: code }))).toBe('TQ: quoteCcy is not a code');
  }
  expect(whyOf(tq({ quoteCcy: 'us/d' }))).toBe('TQ: quoteCcy is not a code');
});

test('a name that comes for the first time is read as it is when it comes again', () => {
  const baseCcy = `x${randomUUID().slice(0, 8)}`;
  for (let n = 0; n < 2; n += 1) expect(decode(tq({ baseCcy }))).toMatchObject({ kind: 'quote', quote: { baseCcy } });
});

test('2.6.productCode: an internal product code may have a colon and a slash inside', () => {
  expect(decode(tq({ productCode: 'VB:BTC/USD' }))).toMatchObject({ kind: 'quote', quote: { product: 'vb:btc/usd' } });
});

test.each([
  ['B10 duplicate keys: the last one counts', tq().replace('{"msgType":"TQ"', '{"msgType":"XX","msgType":"TQ"'), 'quote'],
  ['F35 an unknown field', tq({ novelty: { deep: [1] } }), 'quote'],
  ['F35 an unknown kind', '{"msgType":"NEWS","text":"hello"}', 'ignored'],
  ['B13 megabytes of objects', '{},'.repeat(2 << 20), 'malformed'],
  ['B13 a megabyte of objects', '{},'.repeat(300_000), 'malformed'],
  ['B14 a byte order mark', `\ufeff${tq()}`, 'malformed'],
  ['B14 a NUL', `${tq()}\u0000`, 'malformed'],
  ['B14 a lone surrogate as kind', '{"msgType":"\\ud800"}', 'ignored'],
  ['B15 two objects', `${tq()}${tq()}`, 'malformed'],
  ['B15 trailing bytes', `${tq()};`, 'malformed'],
  ['B16 a list', '[1]', 'malformed'],
  ['B16 a string', '"TQ"', 'malformed'],
  ['B16 a number', '5', 'malformed'],
  ['B16 null', 'null', 'malformed'],
  ['an empty frame', '', 'malformed'],
  ['a message without kind', '{}', 'malformed'],
  ['a kind that is no string', '{"msgType":["TQ"]}', 'malformed'],
  ['B35 an ACK without query', '{"msgType":"ACK"}', 'malformed'],
  ['B35 an ACK with a query of another type', '{"msgType":"ACK","query":[]}', 'malformed'],
  ['B35 an ACK with an amount in words', ack({ inputSize: 'one' }), 'malformed'],
  ['B35 an ERR without words', '{"msgType":"ERR","errorMsg":{}}', 'malformed'],
])('%s', (_name, text, kind) => {
  expect(decode(text).kind).toBe(kind);
});

test('B12 twenty thousand levels deep neither throw nor overflow the stack', () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  expect(decode(deep).kind).toBe('malformed');
  expect(decode(tq({ extra: 0 }).replace('"extra":0', `"extra":${deep}`)).kind).toBe('quote');
  expect(decode('['.repeat(20_000)).kind).toBe('malformed');
});

test('B11 __proto__ and constructor in a message touch no prototype and lend no field', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  expect(decode(`{"__proto__":${tq()}}`).kind).toBe('malformed');
  expect(decode('{"msgType":"constructor"}')).toEqual({ kind: 'ignored', msgType: 'constructor' });
  const lent = tq({ buyQuote: undefined }).replace(/}$/, `,"__proto__":{"buyQuote":${JSON.stringify(TQ.buyQuote)}}}`);
  expect(whyOf(lent)).toBe('TQ: buyQuote is missing');
  const frame = decode(tq().replace(/}$/, ',"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
  expect(frame.kind).toBe('quote');
  expect('polluted' in {}).toBe(false);
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
});

test('2.8.ACK.msgType, 2.8.ACK.userId, 2.8.ACK.query, 2.8.ERR.msgType, 2.8.ERR.errorMsg: an ACK is read with its echo, and an ERR with its words made printable', () => {
  expect(decode(ack())).toEqual({ kind: 'ack', echo: { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.1, inputValue: null } });
  expect(decode(ack({ productCode: null, inputSize: undefined, inputValue: 500 }))).toMatchObject({
    echo: { productCode: null, inputSize: null },
  });
  expect(decode(err('bad\r\n\u001b[31msize'))).toEqual({ kind: 'err', text: 'bad [31msize' });
});

test('2.8.BQ, 2.8.FQ: basic and full quotes are read for display, with what is missing left out', () => {
  expect(decode('{"msgType":"BQ","productCode":"btcusd","price":50000,"time":"2026-01-01T00:00:00Z"}')).toMatchObject({
    kind: 'basic',
    basic: { product: 'btcusd', price: 50000, baseCcy: null },
  });
  const full = { msgType: 'FQ', productCode: 'btcusd', bids: [{ price: 1, size: 2 }], asks: [] };
  expect(decode(JSON.stringify(full))).toMatchObject({ kind: 'full', full: { bids: [{ price: 1, size: 2 }], asks: [] } });
  for (const level of [
    { price: '1', size: '2' },
    [1, 2],
    ['1', '2e0', 3],
    { p: 1, q: 2 },
    { px: 1, qty: '2' },
    { rate: 1, amount: 2, orders: 5 },
  ]) {
    expect(decode(JSON.stringify({ ...full, asks: [level] })), JSON.stringify(level)).toMatchObject({
      full: { asks: [{ price: 1, size: 2 }] },
    });
  }
  for (const level of [{ price: 'high', size: 2 }, [1], { price: 1 }, '1@2', null, { price: 0, size: 1 }, { price: 1, size: -1 }]) {
    expect(decode(JSON.stringify({ ...full, asks: [level] })).kind, JSON.stringify(level)).toBe('malformed');
  }
  expect(decode(JSON.stringify({ ...full, bids: 5 })).kind).toBe('malformed');
});

describe('B23 validUntil', () => {
  test.each([
    ['2026-01-01T00:00:03Z', Date.UTC(2026, 0, 1, 0, 0, 3)],
    ['2026-01-01T00:00:03.9Z', Date.UTC(2026, 0, 1, 0, 0, 3, 900)],
    ['2026-01-01T00:00:03.1239Z', Date.UTC(2026, 0, 1, 0, 0, 3, 123)],
    ['2026-01-01T00:00:03.999999999Z', Date.UTC(2026, 0, 1, 0, 0, 3, 999)],
    ['2026-01-01T02:00:03.5+02:00', Date.UTC(2026, 0, 1, 0, 0, 3, 500)],
    ['2025-12-31T18:30:03-05:30', Date.UTC(2026, 0, 1, 0, 0, 3)],
    ['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
    ['2000-02-29T12:00:00Z', Date.UTC(2000, 1, 29, 12)],
    ['2200-12-31T23:59:59Z', Date.UTC(2200, 11, 31, 23, 59, 59)],
    ['2020-01-01T00:00:00Z', Date.UTC(2020, 0, 1)],
  ])('%s is read to the millisecond, rounded down', (text, ms) => {
    expect(serviceTimeMs(text)).toBe(ms);
    expect(decode(tq({ validUntil: text }))).toMatchObject({ quote: { validUntil: ms } });
  });
  test.each([
    '2026-01-01T00:00:03',
    '2026-01-01T00:00:03.123',
    '2026-01-01 00:00:03Z',
    '2026-01-01T00:00:03z',
    '2026-01-01T00:00:03.Z',
    '2026-01-01T00:00:03.1234567890Z',
    '2026-01-01T00:00:03,5Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T24:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-01-01T00:00:00+2:00',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00ZZ',
    ' 2026-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
    '2201-01-01T00:00:00Z',
    '1999-12-31T23:59:59Z',
    '-026-01-01T00:00:00Z',
    '1767225600000',
    'tomorrow',
    '',
  ])('%s is refused', (text) => {
    expect(serviceTimeMs(text)).toBeNaN();
    expect(millisOf(text)).toBeNull();
    expect(whyOf(tq({ validUntil: text }))).toMatch(/validUntil/);
  });
  test('seconds or nothing are refused', () => {
    for (const validUntil of [1767225600, null, undefined, {}]) expect(whyOf(tq({ validUntil }))).toMatch(/validUntil/);
  });
});

const digitsOf = (n: number, width: number) => String(n).padStart(width, '0');
const times = fc
  .record({
    year: fc.integer({ min: 1990, max: 2210 }),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 }),
    hour: fc.integer({ min: 0, max: 24 }),
    minute: fc.integer({ min: 0, max: 60 }),
    second: fc.integer({ min: 0, max: 60 }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{0,10}$/)),
    zone: fc.oneof(fc.constantFrom('Z', '', '+02:00', '-11:30', '+23:59', '+24:00', '+02', 'z'), fc.stringMatching(/^[+-]\d\d:\d\d$/)),
  })
  .map(
    (t) =>
      `${t.year}-${digitsOf(t.month, 2)}-${digitsOf(t.day, 2)}T${digitsOf(t.hour, 2)}:${digitsOf(t.minute, 2)}:${digitsOf(t.second, 2)}${t.fraction}${t.zone}`,
  );

property.prop([fc.oneof(times, fc.string())])('a time is read as the slow way reads it, or refused as there', (text) => {
  const slow = millisOf(text);
  expect(serviceTimeMs(text)).toEqual(slow === null ? Number.NaN : slow);
});

const strange = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^[0-9a-gA-G]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-fA-G]{12}$/),
  fc.constantFrom<unknown>(null, true, '', 'x', '1', 0, -0, -1, 1e-7, 1e21, Number.MAX_SAFE_INTEGER + 2),
  fc.double(),
  fc.jsonValue(),
);
const fieldNames = Object.keys(TQ);
const sideNames = Object.keys(TQ.buyQuote);
const mutated = fc
  .record({
    fields: fc.dictionary(fc.constantFrom(...fieldNames), strange, { maxKeys: 2 }),
    buy: fc.dictionary(fc.constantFrom(...sideNames), strange, { maxKeys: 2 }),
    sell: fc.dictionary(fc.constantFrom(...sideNames), strange, { maxKeys: 2 }),
    gone: fc.option(fc.constantFrom(...fieldNames.filter((name) => name !== 'msgType'))),
  })
  .map(({ fields, buy, sell, gone }) => {
    const message: Record<string, unknown> = {
      ...TQ,
      buyQuote: { ...TQ.buyQuote, ...buy },
      sellQuote: { ...TQ.sellQuote, ...sell },
      ...fields,
    };
    if (gone !== null) delete message[gone];
    return JSON.stringify({ ...message, msgType: 'TQ' });
  });

property.prop([mutated], { numRuns: 2000 })('the decoder takes and refuses exactly what the schema does', (text) => {
  const message: unknown = JSON.parse(text);
  const bySchema = tradingQuoteSchema.safeParse(message);
  const byHand = isFields(message) ? decodeQuote(message, ORIGIN) : 'not an object';
  expect({ text, accepted: typeof byHand !== 'string' }).toEqual({ text, accepted: bySchema.success });
  if (typeof byHand === 'string' || !bySchema.success) return;
  const { data } = bySchema;
  for (const side of ['buy', 'sell'] as const) {
    const given = data[`${side}Quote`];
    for (const name of ['price', 'size'] as const) expect(Math.abs(byHand[side][name] / given[name] - 1)).toBeLessThan(1e-15);
    for (const figure of Object.values(byHand[side])) expect(Number.isFinite(figure)).toBe(true);
  }
  expect(byHand.id).toBe(data.id ?? null);
  const { validUntil } = data;
  expect(byHand.validUntil).toBe(typeof validUntil === 'string' ? millisOf(validUntil) : Math.floor(validUntil));
});

property.prop([
  fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"msgType":"TQ","buyQuote":${json}}`),
  ),
])('no text at all makes the decoder throw', (text) => {
  expect(['quote', 'ack', 'err', 'basic', 'full', 'ignored', 'malformed']).toContain(decode(text).kind);
});
