import { afterEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { strategyId } from '#domain/names.ts';
import { BTC, quote } from '../support/market-data.ts';
import { Rig, START } from '../support/rig.ts';
import { eager, threshold } from '../support/strategies.ts';

let r: Rig;
afterEach(() => {
  r.close();
  r.remove();
});

function bought(others: Readonly<Record<string, typeof eager>> = {}): void {
  r = new Rig({ strategies: { h: eager, ...others } });
  r.moveBy(500);
  r.quote(quote({ buy: 60_000, validUntil: r.clock.now() + 3000 }));
  const order = r.last;
  r.answer(order, { outcome: 'accepted', figures: {}, httpStatus: 201 });
}

const correct = (currency: string, amount: string, book = 'h'): void =>
  r.give({
    kind: 'command',
    command: {
      act: 'book',
      who: 'ann',
      why: 'fees are taken in base currency',
      entries: [{ kind: 'correction', book, product: 'btcusd', currency, amount }],
    },
  });

const position = () =>
  r.engine
    .snapshot(START)
    .strategies.map(({ low, high }) => `${low}..${high}`)
    .join();

test('a correction of a position changes position and ledger alike, and a restart finds the same', () => {
  bought();
  expect(position()).toBe('0.01..0.01');
  correct('btc', '-0.00001');
  correct('usd', '0.6');
  expect(position()).toBe('0.00999..0.00999');
  expect(r.query("SELECT book, product, currency, amount FROM ledger WHERE kind = 'correction'")).toEqual([
    { book: 'h', product: 'btcusd', currency: 'btc', amount: '-0.00001' },
    { book: 'h', product: 'btcusd', currency: 'usd', amount: '0.6' },
  ]);
  expect(verifyJournal(r.path)).toMatchObject({ ok: true });
  const { folder } = r;
  r.close();
  r = new Rig({ strategies: { h: eager }, folder, run: 'later' });
  expect(position()).toBe('0.00999..0.00999');
});

test('no correction turns the sign of a position, and none opens one', () => {
  bought();
  correct('btc', '-0.02');
  expect(position()).toBe('0..0');
  correct('btc', '0.005');
  expect(position()).toBe('0..0');
});

test('a book without a fill is not corrected, now as after a restart', () => {
  bought({ later: threshold });
  correct('usd', '-6', 'later');
  const cash = () => r.engine.inspect(({ books }) => books.book(strategyId('later'), BTC).cash.toString());
  expect(cash()).toBe('0');
  const { folder } = r;
  r.close();
  r = new Rig({ strategies: { h: eager, later: threshold }, folder, run: 'later' });
  expect(cash()).toBe('0');
});
