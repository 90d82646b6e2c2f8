import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { strategyId } from '#domain/names.ts';
import { BTC } from '../support/market-data.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { eager, threshold } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { h: eager } });
let r: Rig;

function bought(others: Readonly<Record<string, typeof eager>> = {}): void {
  r = rig({ strategies: { h: eager, ...others } });
  r.price();
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
  r.close();
  r = rig({ folder: r.folder });
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
  r.close();
  r = rig({ strategies: { h: eager, later: threshold }, folder: r.folder });
  expect(cash()).toBe('0');
});
