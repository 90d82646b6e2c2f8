import { expect, test } from 'vitest';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { DecisionLog } from '#core/decisions/decision-log.ts';
import { type ExitRules, Exits } from '#core/execution/exits.ts';
import { Book } from '#core/portfolio/book.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, strategyId } from '#domain/names.ts';
import type { Side } from '#domain/quote.ts';
import { REASONS } from '#domain/reasons.ts';
import { seeded } from '#domain/seeded.ts';
import { BTC, btcProduct, quote } from '../../support/market-data.ts';

const strategy = strategyId('s');
const STEPS = 120;

function bookAt(price: string, side: Side): Book {
  const book = new Book();
  const [usd, one] = [currency('usd'), decimalOf(1)];
  const money = { baseCcy: currency('btc'), quoteCcy: usd, feeCcy: usd, fee: decimalOf(0) };
  book.apply({ side, price: decimalOf(price), size: one, value: decimalOf(price), ...money }, 0);
  return book;
}

/** Which exit the rules say is due first, and at which price, in exact decimals throughout. */
function exactly(
  rules: ExitRules,
  { average, short, prices, feePct }: { average: string; short: boolean; prices: readonly number[]; feePct: number },
) {
  const entry = decimalOf(average);
  let best = entry;
  for (const [index, figure] of prices.entries()) {
    const price = decimalOf(figure);
    if (short ? price.lt(best) : price.gt(best)) best = price;
    const gain = (at: typeof price) =>
      (short ? entry.minus(at) : at.minus(entry)).div(entry).times(100).minus(at.div(entry).plus(1).times(feePct));
    const back = best
      .minus(price)
      .div(best)
      .times(short ? -100 : 100);
    const { stopLossPct, takeProfitPct, trailingPct, activateAtPct } = rules;
    if (stopLossPct !== null && gain(price).lte(-stopLossPct)) return `${index} STOP_LOSS`;
    const isActive = activateAtPct === null || gain(best).gte(activateAtPct);
    if (trailingPct !== null && isActive && back.gte(trailingPct)) return `${index} TRAILING_STOP`;
    if (takeProfitPct !== null && gain(price).gte(takeProfitPct)) return `${index} TAKE_PROFIT`;
  }
  return undefined;
}

test('I11: exits come at the very quote at which the exact figures reach their limit, long and short, net of fees too', () => {
  const { next } = seeded('exits');
  const off = { stopLossPct: null, takeProfitPct: null, trailingPct: null, activateAtPct: null, maxHoldSeconds: null, net: false };
  const kinds: readonly ExitRules[] = [
    { ...off, stopLossPct: 1, takeProfitPct: 1 },
    { ...off, trailingPct: 0.5 },
    { ...off, trailingPct: 0.5, activateAtPct: 0.25, stopLossPct: 2 },
    { ...off, takeProfitPct: 0.5, stopLossPct: 1, net: true },
  ];
  const seen = new Set<string>();
  for (let walk = 0; walk < 200; walk++) {
    for (const rules of kinds) {
      const short = walk % 2 === 1;
      const feePct = rules.net ? 0.1 : 0;
      let price = 100;
      // Steps of a quarter percent, so that limits are met exactly as often as they are passed.
      const prices = Array.from({ length: STEPS }, () => {
        price = Math.round((price + (Math.floor(next() * 3) - 1) * 0.25) * 100) / 100;
        return price;
      });
      const log = new DecisionLog(new MemoryJournal());
      const book = bookAt('100', short ? 'sell' : 'buy');
      const exits = new Exits({ watched: [{ strategy, product: BTC, rules }], log, bookOf: () => book });
      const first = prices.findIndex((one, index) => {
        log.enter(index, index * 500);
        return exits.check(strategy, { ...quote({ buy: one, sell: one, size: 1 }), feePercentage: feePct }, btcProduct) !== undefined;
      });
      const told = first < 0 ? undefined : exits.check(strategy, quote({ buy: price }), btcProduct)?.reason.split(':')[0];
      const [due] = Object.entries(REASONS).find(([, meaning]) => meaning === told) ?? [];
      const expected = exactly(rules, { average: '100', short, prices, feePct });
      expect(due === undefined ? undefined : `${first} ${due}`).toBe(expected);
      const reason = expected?.split(' ')[1];
      if (reason !== undefined) seen.add(reason);
    }
  }
  expect([...seen].sort()).toEqual(['STOP_LOSS', 'TAKE_PROFIT', 'TRAILING_STOP']);
});
