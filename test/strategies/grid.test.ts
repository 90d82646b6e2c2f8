import { expect, test } from 'vitest';
import { amountText } from '#domain/lane.ts';
import { scenario } from '#strategy-testing/index.ts';
import grid from '../../strategies/grid.ts';
import { quote } from '../support/market-data.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const rig = rigsOfTests({ strategies: { g: grid }, params: { stepPct: 1, levels: 2 } });

/** Plays prices half a second apart, each order filled at once; what was traded at which of them. */
function play(r: Rig, prices: readonly number[]): string[] {
  return prices.flatMap((price) => {
    if (!r.price(price)) return [];
    r.answer(r.last);
    return [`${r.last.side} at ${price}`];
  });
}

test('a grid buys down and sells up, and survives a kill between its steps', () => {
  const first = rig();
  expect(play(first, [60_000, 59_500, 59_400, 59_000, 58_800, 58_000])).toEqual(['buy at 59400', 'buy at 58800']);
  first.crash();
  const second = rig({ folder: first.folder });
  // Were its last trade forgotten, 59,388 would be its new beginning and nothing would be sold there.
  expect(play(second, [59_387, 59_388, 59_900, 60_000])).toEqual(['sell at 59388', 'sell at 60000']);
  expect(second.query("SELECT sum(amount) AS held FROM ledger WHERE currency = 'btc' AND kind = 'fill'")).toEqual([{ held: 0 }]);
});

test('with follow, while it holds nothing it goes after a rising price, a step at a time and never down', () => {
  const r = rig({ params: { stepPct: 1, levels: 2, follow: true } });
  // From 60,000 to 60,600, to 61,300; a step below that is 60,687.
  expect(play(r, [60_000, 60_599, 60_600, 61_300, 61_000, 60_688, 60_687])).toEqual(['buy at 60687']);
  expect(play(r, [61_290, 61_294])).toEqual(['sell at 61294']);
});

test('with a fee in base currency it sells what it bought down to dust, and begins again', () => {
  const r = rig({ feeIn: 'base', reserve: 1 });
  const quotes = [60_000, 59_400, 58_800, 59_388];
  expect(play(r, quotes)).toEqual(['buy at 59400', 'buy at 58800', 'sell at 59388']);
  expect(play(r, [60_000])).toEqual([]);
  // 0.00998 are left, which no standing lane has: a lane is lent for as much of it as can be sold.
  const [lent] = r.lent;
  if (!lent) throw new Error('no lane was lent');
  expect(amountText(lent.amount)).toBe('base:0.0099');
  r.ack(lent);
  r.quote(quote({ buy: 60_000, lane: lent.id, size: 0.0099, validUntil: r.clock.now() + 3000 }));
  r.answer(r.last);
  expect(play(r, [59_401, 59_400])).toEqual(['buy at 59400']);
});

test('after a stop, which closes all levels at once, it trades all of them again', () => {
  const r = scenario(grid, { params: { stepPct: 1, levels: 3 }, exits: { stopLossPct: 5 }, settings: { 'risk.collarPct': 20 } });
  for (const price of [60_000, 59_400, 58_800, 58_200, 55_000, 55_000, 54_450, 53_900, 53_300, 53_900]) r.quote(price).quote(price);
  expect(r.orders.map(({ side, size, price }) => `${side} ${size} at ${price}`)).toEqual([
    'buy 0.01 at 59400',
    'buy 0.01 at 58800',
    'buy 0.01 at 58200',
    'sell 0.03 at 55000',
    'buy 0.01 at 54450',
    'buy 0.01 at 53900',
    'buy 0.01 at 53300',
    'sell 0.01 at 53900',
  ]);
});
