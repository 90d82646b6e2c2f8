import { expect, test } from 'vitest';
import { loadConfig } from '#config/load.ts';
import type { ExecutedOrder } from '#daemon/operations/manual-requests.ts';
import { answersRead, feeBySale, feeInOf, flatness, learnedFrom, sideOf, trueFee } from '#daemon/operations/rehearsal.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';

const BUY: ExecutedOrder = {
  orderId: '1-1',
  side: 'buy',
  state: 'accepted',
  price: '60000',
  size: '0.01',
  value: '600',
  fee: '0.6',
  feeCcy: 'usd',
  baseCcy: 'btc',
  quoteCcy: 'usd',
  body: '{"orderId":"a"}',
  quoted: '60000',
  httpStatus: 201,
  asked: null,
  toBytesMs: 1,
  answerMs: 2,
};
const SELL: ExecutedOrder = { ...BUY, side: 'sell' };
const asked = {
  ...{ id: '1-1', strategy: 'manual', product: 'btcusd', quoteId: 'q', lane: 'l', validUntil: 0, intentAt: 0 },
  ...{ baseCcy: 'btc', quoteCcy: 'usd', price: '60000', size: '0.01', value: '600', fee: '0.6', feeCcy: 'usd' },
} as const;
const has = (btc: string, usd: string) =>
  new Map([
    ['btc', btc],
    ['usd', usd],
  ]);

test('the true fee is what the account lacks', () => {
  expect(trueFee(BUY, has('0', '1000'), has('0.00999', '400'))).toEqual({ by: 'account', fee: '0.00001', currency: 'btc' });
  expect(trueFee(BUY, has('0', '1000'), has('0.01', '399.4'))).toEqual({ by: 'account', fee: '0.6', currency: 'usd' });
  expect(trueFee(SELL, has('0.01', '0'), has('0', '599.4'))).toEqual({ by: 'account', fee: '0.6', currency: 'usd' });
  expect(trueFee(SELL, has('0.02', '0'), has('0.00999', '600'))).toEqual({ by: 'account', fee: '0.00001', currency: 'btc' });
});

test('what something else moved, and an answer that does not say it, are named as unknown', () => {
  expect(trueFee(BUY, has('0', '1000'), has('0.5', '400'))).toMatchObject({
    by: 'unknown',
    why: expect.stringContaining('something else'),
  });
  expect(trueFee(BUY, null, null)).toMatchObject({ by: 'unknown', why: expect.stringContaining('balances cannot be asked') });
  expect(trueFee({ ...BUY, body: '{"fee":"0.6"}' }, null, null)).toMatchObject({ by: 'unknown' });
});

test.each([
  '{"fee":"0.00001","feeCcy":"BTC"}',
  '{"order":{"fee":{"amount":0.00001,"currency":"btc"}}}',
  '{"commission":"0.00001","commissionAsset":"BTC"}',
])('without balances the answer has it: %s', (body) =>
  expect(trueFee({ ...BUY, body }, null, null)).toEqual({ by: 'answer', fee: '0.00001', currency: 'btc' }),
);

test('both sides say what service.feeIn is', () => {
  const side = (fee: string, currency: string) => sideOf({ by: 'account', fee, currency }, BUY);
  expect(feeInOf(side('0.1', 'btc'), side('1', 'usd'))).toBe('received');
  expect(feeInOf(side('0.1', 'btc'), side('0.1', 'btc'))).toBe('base');
  expect(feeInOf(side('1', 'usd'), side('1', 'usd'))).toBe('quote');
  expect(feeInOf(side('0', 'usd'), undefined)).toBeUndefined();
});

test('nothing is flat without evidence', () => {
  const [before, same, less] = [has('1', '1000'), has('1', '998'), has('0.99999', '998')];
  expect(flatness(BUY, { left: ZERO, before, after: same })).toMatchObject({ flat: true, line: expect.stringMatching(/^flat again/) });
  expect(flatness(BUY, { left: ZERO, before, after: less })).toMatchObject({
    flat: false,
    line: expect.stringMatching(/^not flat: .* -0.00001 btc/),
  });
  expect(flatness(BUY, { left: decimalOf('0.1'), before, after: same })).toMatchObject({ flat: false });
  const unseen = flatness(BUY, { left: ZERO, before: null, after: null });
  expect(unseen.flat).toBeNull();
  expect(unseen.line).not.toMatch(/\bflat\b/);
  expect(unseen.line).toContain('kairos reconcile --check --actual btc=...,usd=...');
});

test('row 6: where the books held less of the coin than the fee, what could be sold shows the currency of the fee', () => {
  const sold = (state: string, size = '0.01') => ({ ...SELL, state, asked: { ...asked, side: 'sell' as const, size } });
  const by = (held: string, of: ExecutedOrder | undefined) => feeBySale(BUY, { held: decimalOf(held), sold: of });
  expect(by('0', sold('accepted'))).toEqual({ by: 'sale', fee: '0.6', currency: 'usd' });
  expect(by('0.000009', sold('rejected'))).toEqual({ by: 'sale', fee: '0.00001', currency: 'btc' });
  expect(by('0.00001', sold('rejected'))).toBeUndefined();
  expect(by('0', sold('unknown'))).toBeUndefined();
  expect(by('0', sold('accepted', '0.009'))).toBeUndefined();
  expect(by('0', undefined)).toBeUndefined();
});

test.each<[string, string, [string, string], unknown]>([
  ['executed, its fee in usd', '', ['0.01', '399.4'], { as: 'accepted', settings: { 'service.outcomes': '{"202":"accepted"}' } }],
  ['executed, its fee in btc', '{}', ['0.00999', '400'], { as: 'accepted', settings: { 'service.outcomes': '{"202":"accepted"}' } }],
  ['not executed', '', ['0', '1000'], { as: 'rejected', settings: { 'service.outcomes': '{"202":"rejected"}' } }],
  ['executed by an answer that says REJECTED', '{"status":"REJECTED"}', ['0.01', '399.4'], { as: 'accepted', settings: {} }],
  ['moved by something else', '', ['5', '1000'], { as: null, settings: {} }],
])('row 8: an order of unknown outcome teaches how its answer is read: %s', (_, body, [btc, usd], learned) => {
  const { service } = loadConfig({ files: null, env: {}, cwd: '/' }).settings;
  const order: ExecutedOrder = { ...BUY, state: 'unknown', httpStatus: 202, body, asked: { ...asked, side: 'buy' } };
  expect(learnedFrom(order, { before: has('0', '1000'), after: has(btc, usd), service })).toMatchObject(learned as object);
  const { as, settings, why } = learnedFrom(order, { before: null, after: null, service });
  expect([as, settings]).toEqual([null, {}]);
  if (body === '') expect(why).toContain('set service.outcomes: {"202": accepted}');
});

test('row 8: the rehearsal says what the answers meant, and fails where the account did not move by what was booked', () => {
  const service = { outcomes: { 202: 'rejected' } } as const;
  const moved = { before: has('0', '1000'), after: has('0.01', '399.4') };
  const none = { before: null, after: null };
  const bought = { order: BUY, ...moved };
  const line = (...legs: Parameters<typeof answersRead>[0]) => answersRead(legs, service).line;
  expect(line(bought)).toBe('service.outcomes: 201 means accepted, as the account shows; nothing is to be set');
  expect(line(bought, { order: { ...SELL, httpStatus: 200 }, ...none })).toBe(
    'service.outcomes: 201, 200 means accepted, as the answers say; nothing is to be set',
  );
  expect(answersRead([{ order: BUY, before: moved.before, after: moved.before }], service)).toEqual({
    line: 'service.outcomes: 201 was read as accepted, and the account did not move by order 1-1',
    settings: { 'service.outcomes': '{"201":"unknown","202":"rejected"}' },
    failure: expect.stringContaining('order 1-1 is booked as executed, and the account did not move by it'),
  });
});
