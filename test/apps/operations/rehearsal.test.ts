import { expect, test } from 'vitest';
import type { Executed } from '#apps/operations/manual-requests.ts';
import { feeInOf, flatness, sideOf, trueFee } from '#apps/operations/rehearsal.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';

const BUY: Executed = {
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
  toBytesMs: 1,
  answerMs: 2,
};
const SELL: Executed = { ...BUY, side: 'sell' };
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
});
