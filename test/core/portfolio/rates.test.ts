import { describe, expect, test } from 'vitest';
import { Marks } from '#core/portfolio/valuation.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { currency, laneIdOf, productCode } from '#domain/names.ts';
import { quote } from '../../support/market-data.ts';

const BTC = productCode('btcusd');
const T = 1_000_000;

/** Lanes of one unit and of ten. */
function marked(): { readonly marks: Marks; readonly see: (size: number, price: number, at: number) => void } {
  const marks = new Marks(() => USUAL_FRESHNESS);
  const see = (size: number, price: number, at: number): void => {
    marks.add(quote({ buy: price, sell: price, size, lane: laneIdOf(`btcusd@base:${size}`) }), at);
  };
  return { marks, see };
}

test('a position is worth what the smallest lane that covers it says, else the largest', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T);
  expect([0.5, 1, 2, 10, 11, -1, -2].map((size) => marks.closingPrice(BTC, size))).toEqual([100, 100, 90, 90, 90, 100, 90]);
});

test('a lane that is silent while another has quotes says nothing any more, until it has some again', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T + 5_000);
  expect(marks.closingPrice(BTC, 1)).toBe(100);
  see(10, 80, T + 5_001);
  expect(marks.closingPrice(BTC, 1)).toBe(80);
  see(1, 99, T + 5_500);
  expect(marks.closingPrice(BTC, 1)).toBe(99);
});

test('where all are silent, the newest count as ever', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T + 100);
  expect(marks.closingPrice(BTC, 1)).toBe(100);
  expect(marks.closingPrice(productCode('ethusd'), 1)).toBeUndefined();
});

describe('a rate', () => {
  /** One quote of each product at a price, in their order. */
  const at = (now: number, prices: Readonly<Record<string, number>>, marks = new Marks(() => USUAL_FRESHNESS)): Marks => {
    for (const [pair, price] of Object.entries(prices)) {
      const [baseCcy, quoteCcy] = [currency(pair.slice(0, 3)), currency(pair.slice(3))];
      marks.add({ ...quote({ product: pair, lane: laneIdOf(`${pair}@base:1`), buy: price }), baseCcy, quoteCcy }, now);
    }
    return marks;
  };
  const between = (marks: Marks, from: string, to: string, now = T): number | undefined => marks.ratesAt(now)(from, to, 1)?.toNumber();

  test('goes over any number of products, forth and back, and over as few as can be', () => {
    const marks = at(T, { usdjpy: 100, eurusd: 2, chfeur: 0.5, eurjpy: 300 });
    expect(between(marks, 'chf', 'jpy')).toBe(150);
    expect(between(marks, 'jpy', 'chf')).toBeCloseTo(1 / 150);
    expect(between(marks, 'usd', 'chf')).toBe(1);
    expect(between(marks, 'usd', 'usd')).toBe(1);
    expect(between(marks, 'usd', 'sek')).toBeUndefined();
    expect(between(at(T, { usdjpy: 100, eurusd: 2, chfeur: 0.5 }), 'chf', 'jpy')).toBe(100);
  });

  test('goes another way where the quotes of the shortest are older than 10 s, and there is none where those of all are', () => {
    const marks = at(T + 10_001, { usdjpy: 100, eurusd: 2 }, at(T, { eurjpy: 300 }));
    expect(between(marks, 'eur', 'jpy', T + 10_000)).toBe(300);
    expect(between(marks, 'eur', 'jpy', T + 10_001)).toBe(200);
    expect(between(marks, 'eur', 'jpy', T + 20_002)).toBeUndefined();
  });

  test('for what was lost is that of the latest quotes, however old they are', () => {
    const marks = at(T + 20_000, { usdjpy: 100, eurusd: 2 }, at(T, { eurjpy: 300 }));
    const last = (from: string, to: string) => marks.lastRate(currency(from), to, 1);
    expect([last('eur', 'jpy'), last('usd', 'jpy'), last('jpy', 'usd'), last('usd', 'usd')]).toEqual([300, 100, 0.01, 1]);
    expect(last('chf', 'jpy')).toBeUndefined();
  });

  test('is that of the report: the smallest lane that covers the amount, else the largest, whichever is newest; a profit is sold, a loss bought', () => {
    const marks = new Marks(() => USUAL_FRESHNESS);
    const see = (size: number, buy: number, now: number): void => {
      marks.add(
        {
          ...quote({ product: 'eurusd', lane: laneIdOf(`eurusd@base:${size}`), buy, sell: buy - 0.5, size }),
          baseCcy: currency('eur'),
          quoteCcy: currency('usd'),
        },
        now,
      );
    };
    see(100, 2.5, T);
    see(1, 2, T + 1);
    const rates = (from: string, to: string, amount: number) => [
      marks
        .ratesAt(T + 1)(from, to, amount)
        ?.toNumber(),
      marks.lastRate(from, to, amount),
    ];
    expect([1, 50, 1000, -1, -50].map((amount) => rates('eur', 'usd', amount)[0])).toEqual([1.5, 2, 2, 2, 2.5]);
    // 1 usd buys half a euro of the small lane; 100 usd take the large one.
    expect(rates('usd', 'eur', 1)).toEqual([1 / 2, 1 / 2]);
    expect(rates('usd', 'eur', 100)).toEqual([1 / 2.5, 1 / 2.5]);
    expect(rates('usd', 'eur', -100)).toEqual([1 / 2, 1 / 2]);
  });

  test('is found as soon as its product has quotes', () => {
    const marks = at(T, { eurusd: 2 });
    expect(between(marks, 'eur', 'chf')).toBeUndefined();
    expect(between(at(T, { usdchf: 0.9 }, marks), 'eur', 'chf')).toBe(1.8);
  });
});
