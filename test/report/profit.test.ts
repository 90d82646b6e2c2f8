import { expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { type BookReport, type BookTrip, reportBooks } from '#report/books.ts';
import { type Movement, profitBy } from '#report/profit.ts';

const CLOSED_AT = Date.UTC(2026, 0, 2, 12);

const trade: BookTrip = {
  book: 'cross',
  product: 'btcusd',
  currency: 'usd',
  side: 'long',
  tag: null,
  size: decimalOf('0.01'),
  entryOrder: '1-1',
  openedAt: CLOSED_AT - 60_000,
  entryPrice: decimalOf('60000'),
  exitOrder: '2-1',
  closedAt: CLOSED_AT,
  exitPrice: decimalOf('60100'),
  fees: decimalOf('0.5'),
  profit: decimalOf('100'),
};

const opening = (book: string, amount: string): Movement => ({
  at: '2026-01-01T00:00:00.000Z',
  book,
  kind: 'opening',
  currency: 'usd',
  amount,
});

test('a return is measured against the capital of the books that traded, not against what lies in the treasury', () => {
  const rows = profitBy('strategy', { trades: [trade], holdings: [], corrections: [] }, [
    opening('cross', '10000'),
    opening('treasury', '990000'),
  ]);
  const returns = Object.fromEntries(rows.map((row) => [row.group, row.return?.toString()]));
  expect(returns).toEqual({ cross: '0.01', total: '0.01' });
});

test('the currencies of each day come in one order, whichever closed first', () => {
  const closed = (currency: string, day: number): BookTrip => ({ ...trade, currency, closedAt: CLOSED_AT + day * 86_400_000 });
  const trades = [closed('usd', 0), closed('jpy', 0), closed('gbp', 0), closed('gbp', 1), closed('usd', 1), closed('jpy', 1)];
  const rows = profitBy('day', { trades, holdings: [], corrections: [] }, []).filter(({ group }) => group !== 'total');
  expect(rows.map(({ currency }) => currency)).toEqual(['gbp', 'jpy', 'usd', 'gbp', 'jpy', 'usd']);
});

test.each(['strategy', 'tag', 'day'] as const)('fees by %s are all that were paid, those of open positions too', (by) => {
  const fill = {
    side: 'buy',
    baseCcy: 'btc',
    quoteCcy: 'usd',
    price: '60000',
    size: '0.01',
    value: '600',
    fee: '0.6',
    feeCcy: 'usd',
  } as const;
  const fills = [
    { orderId: '1-1', strategy: 'cross', product: 'btcusd', at: CLOSED_AT, fill },
    {
      orderId: '2-1',
      strategy: 'cross',
      product: 'btcusd',
      at: CLOSED_AT + 1,
      fill: { ...fill, side: 'sell' as const, size: '0.004', value: '240', fee: '0.24' },
    },
  ];
  const rows = profitBy(by, reportBooks(fills, new Map([['1-1', 'in']]), []), [opening('cross', '10000')]);
  expect(rows.map(({ fees }) => fees.toString())).toEqual(['0.84', '0.84']);
});

test('a return has what is open in it, as the total return of reports and sweeps has', () => {
  const holding = (unrealised: string | undefined): BookReport['holdings'][number] => ({
    book: 'cross',
    product: 'btcusd',
    baseCcy: 'btc',
    quoteCcy: 'usd',
    size: decimalOf('0.01'),
    lots: [],
    estimate: unrealised === undefined ? undefined : { price: decimalOf('60000'), lane: 'l', unrealised: decimalOf(unrealised) },
  });
  const returnsWith = (unrealised: string | undefined) =>
    profitBy('strategy', { trades: [trade], holdings: [holding(unrealised)], corrections: [] }, [opening('cross', '10000')]).map((row) =>
      row.return?.toString(),
    );
  expect(returnsWith('-150')).toEqual(['-0.005', '-0.005']);
  expect(returnsWith(undefined)).toEqual([undefined, undefined]);
});

test('a return is chained at the instant of a flow: what was lost before it on the same day was lost of the capital of then', () => {
  const lost = { ...trade, profit: decimalOf('-500') };
  const returnWithCut = (at: string, amount: string) =>
    profitBy('strategy', { trades: [lost], holdings: [], corrections: [] }, [
      opening('cross', '100000'),
      { ...opening('cross', amount), at },
    ]).map((row) => row.return?.toString());
  expect(returnWithCut('2026-01-02T13:00:00.000Z', '-99000')).toEqual(['-0.005', '-0.005']);
  expect(returnWithCut('2026-01-02T11:00:00.000Z', '-99000')).toEqual(['-0.5', '-0.5']);
  // All of it goes out, and comes back later.
  expect(returnWithCut('2026-01-02T13:00:00.000Z', '-99500')).toEqual(['-0.005', '-0.005']);
});
