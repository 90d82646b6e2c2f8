import { describe, expect, test } from 'vitest';
import { Books } from '#core/portfolio/books.ts';
import { ProfitTrack, SumTree } from '#core/portfolio/profit-track.ts';
import { Marks } from '#core/portfolio/valuation.ts';
import { decimalOf } from '#domain/decimal.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { type Currency, currency, productCode, strategyId } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import { seeded } from '#domain/seeded.ts';
import { DAY_MS, dayOf } from '#domain/utc-day.ts';
import { quoteWith } from '../../support/quotes.ts';

const EVENTS = 400;

const PRODUCTS = ['btcusd', 'ethusd', 'adausd', 'btceur', 'etheur'].map((code) => ({
  code: productCode(code),
  base: currency(code.slice(0, 3)),
  quote: currency(code.slice(3)),
  lane: laneFor(productCode(code), amountOf({ base: '1' })),
}));
const STRATEGIES = ['a', 'b', 'c'].map(strategyId);

interface Expected {
  /** Null until the day has its first price. */
  dayStart: number | null;
  peak: number;
}

/** Everything added up anew at each look, as the limits are explained. */
class Recomputed {
  readonly prices = new Map<string, { readonly buy: number; readonly sell: number }>();
  readonly traded = new Map<string, Currency>();
  readonly baselines = new Map<Currency, Expected>();
  /** Whether first quotes may still come with the others. */
  awaits = true;
  private readonly books: Books;

  constructor(books: Books) {
    this.books = books;
  }

  present(of: Currency): number | undefined {
    let sum = 0;
    for (const { code, quote } of PRODUCTS) {
      if (quote !== of || !this.traded.has(code)) continue;
      for (const strategy of STRATEGIES) {
        const book = this.books.book(strategy, code);
        const size = book.size.toNumber();
        const entry = book.entry.toNumber();
        const price = this.prices.get(code) ?? (this.awaits ? undefined : { buy: entry, sell: entry });
        if (size !== 0 && price === undefined) return undefined;
        sum += book.cash.toNumber() + (size === 0 ? 0 : size * ((size < 0 ? price?.buy : price?.sell) ?? 0));
      }
    }
    return sum;
  }

  standing(of: Currency) {
    const present = this.present(of);
    if (present === undefined) return undefined;
    const before = this.baselines.get(of) ?? { dayStart: present, peak: present };
    const peak = Math.max(before.peak, present);
    const dayStart = before.dayStart ?? present;
    this.baselines.set(of, { dayStart, peak: this.hasEntryPrice(of) ? before.peak : peak });
    return { dayLoss: dayStart - present, belowPeak: peak - present, peak };
  }

  private hasEntryPrice(of: Currency): boolean {
    const unquoted = PRODUCTS.filter(({ code, quote }) => quote === of && this.traded.has(code) && !this.prices.has(code));
    return unquoted.some(({ code }) => STRATEGIES.some((strategy) => !this.books.book(strategy, code).size.isZero()));
  }

  turn(): void {
    for (const [of, { peak }] of this.baselines) {
      this.baselines.set(of, { dayStart: this.present(of) ?? null, peak });
    }
  }
}

function close(of: number, to: number | undefined): void {
  expect(Math.abs(of - (to ?? Number.NaN))).toBeLessThan(1e-6);
}

describe('the profit that loss limits are held against', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('is what adding everything up anew gives, seed %i', (seed) => {
    const draw = seeded(`profit ${seed}`);
    const pick = <T>(from: readonly T[]): T => {
      const one = from[Math.floor(draw.next() * from.length)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    };
    const books = new Books();
    const marks = new Marks(() => USUAL_FRESHNESS);
    const track = new ProfitTrack({ books, marks, watched: new Set(PRODUCTS.map(({ code }) => code)) });
    const expected = new Recomputed(books);
    const begun = Date.UTC(2026, 0, 1);
    let now = begun;
    track.turn(now);
    let compared = 0;
    for (let n = 0; n < EVENTS; n++) {
      const product = pick(PRODUCTS);
      const dayBefore = dayOf(now - 1);
      now += Math.floor(draw.next() * (draw.next() < 0.02 ? DAY_MS : 60_000));
      const begins = dayOf(now - 1) > dayBefore;
      expected.awaits = now < begun + 10_000;
      expect(track.turn(now)).toBe(begins);
      if (begins) expected.turn();
      const price = 50 + draw.next() * 100;
      if (draw.next() < 0.3) {
        const strategy = pick(STRATEGIES);
        const fill: Fill = {
          side: draw.next() < 0.5 ? 'buy' : 'sell',
          baseCcy: product.base,
          quoteCcy: product.quote,
          size: decimalOf(1 + Math.floor(draw.next() * 5)),
          price: decimalOf(price.toFixed(2)),
          value: decimalOf((price * 3).toFixed(2)),
          fee: decimalOf('0.1'),
          feeCcy: product.quote,
        };
        if (![...expected.traded.values()].includes(product.quote)) expected.baselines.set(product.quote, { dayStart: 0, peak: 0 });
        expected.traded.set(product.code, product.quote);
        books.apply(strategy, product.code, fill, now);
        track.booked({ strategy, product: product.code, currency: product.quote, past: false });
      } else {
        expected.prices.set(product.code, { buy: price + 1, sell: price });
        marks.add({ ...quoteWith({ lane: product.lane, buy: { price: price + 1 }, sell: { price } }), quoteCcy: product.quote }, now);
      }
      const standing = track.quoted(product.code);
      const should = expected.traded.has(product.code) ? expected.standing(product.quote) : undefined;
      expect(standing === undefined).toBe(should === undefined);
      if (!standing) continue;
      compared += 1;
      close(standing.dayLoss, should?.dayLoss);
      close(standing.belowPeak, should?.belowPeak);
      close(standing.peak, should?.peak);
    }
    expect(compared).toBeGreaterThan(EVENTS / 10);
  });

  test('the sum of many values is the same however it came there', () => {
    const draw = seeded('sums');
    const sum = new SumTree();
    const values: number[] = [];
    for (let n = 0; n < 50; n++) {
      expect(sum.add()).toBe(n);
      values.push(0);
    }
    for (let change = 0; change < 100_000; change++) {
      const place = Math.floor(draw.next() * values.length);
      const value = (draw.next() - 0.5) * 1e6;
      values[place] = value;
      sum.set(place, value);
    }
    const anew = new SumTree();
    for (const value of values) anew.set(anew.add(), value);
    expect(sum.total).toBe(anew.total);
    close(
      sum.total,
      values.reduce((all, value) => all + value, 0),
    );
  });
});
