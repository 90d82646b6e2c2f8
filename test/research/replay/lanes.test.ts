import { describe, expect, test } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import type { LogEntry } from '#adapters/recording/log-format.ts';
import { decimalOf } from '#domain/decimal.ts';
import { type Amount, laneFor } from '#domain/lane.ts';
import { laneIdOf, quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { FeedSink } from '#ports/feed.ts';
import { differences } from '#research/replay/difference.ts';
import { priceFor } from '#research/replay/modelled-lane.ts';
import { QuoteSources } from '#research/replay/quote-sources.ts';
import { RecordedFeed } from '#research/replay/recorded-feed.ts';
import { LocalIds } from '#research/replay/recorded-lane.ts';
import { BTC, btcLane, btcProduct, type QuoteOptions, quote } from '../../support/market-data.ts';

const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, slippagePct: 1 };

type Row = readonly [n: number | null, at: number, options: QuoteOptions];

/** Recorded quotes by number, time and what else matters of them. */
function recorded(rows: readonly Row[]): readonly LogEntry[] {
  return rows.map(([n, at, options]): LogEntry => {
    const given = quote(options);
    return n === null
      ? { kind: 'conflated', at, quote: given }
      : { kind: 'event', event: { n, at, event: { kind: 'quote', quote: given } } };
  });
}

function feedOf(rows: readonly Row[], sizes: readonly (string | Amount)[], items: readonly LogEntry[] = recorded(rows)) {
  const heard: string[] = [];
  const quotes: Quote[] = [];
  const sink: FeedSink = {
    quote: (one) => {
      quotes.push(one);
      heard.push(`quote ${one.lane} ${one.epoch}`);
    },
    change: (change) => heard.push(`${change.phase} ${change.lane} ${change.epoch}`),
    shown() {},
  };
  const feed = new RecordedFeed(new QuoteSources({ columns: columnsOf(items), products: new Map([[BTC, btcProduct]]), ...EVER }), sink);
  for (const size of sizes) feed.open(laneFor(BTC, typeof size === 'string' ? { base: decimalOf(size) } : size));
  while (Number.isFinite(feed.nextAt)) feed.deliver();
  return { heard, quotes, feed };
}

const ONE = 'btcusd@base:0.01';
const TWO = 'btcusd@base:0.02';
const two = { lane: laneIdOf(TWO), size: 0.02 };

describe('recorded lanes', () => {
  test('I25 come in the order of time, and at equal times in the order of the recording', () => {
    const rows: Row[] = [
      [1, 100, two],
      [2, 100, {}],
      [3, 100, two],
      [4, 101, {}],
      [5, 102, two],
    ];
    const lanes = feedOf(rows, ['0.01', '0.02']).quotes.map(({ lane }) => lane);
    expect(lanes).toEqual([TWO, ONE, TWO, ONE, TWO]);
  });

  test('of imports come in the order of their names at equal times, whatever else is played and wherever each one begins', () => {
    const imported = (size: string, times: readonly number[]) =>
      columnsOf(recorded(times.map((at): Row => [null, at, { id: null, lane: laneIdOf(`btcusd@base:${size}`), size: Number(size) }])));
    const sources = [imported('0.02', [100, 101, 102, 103]), imported('0.01', [98, 100, 101, 103]), imported('0.03', [99, 100, 102])];
    const played = (sizes: readonly string[]): readonly string[] => {
      const heard: string[] = [];
      const sink = { quote: ({ lane }: Quote) => heard.push(lane.slice(-4)), change() {} };
      const feed = new RecordedFeed(new QuoteSources({ columns: sources.flat(), products: new Map([[BTC, btcProduct]]), ...EVER }), sink);
      for (const size of sizes) feed.open(laneFor(BTC, { base: decimalOf(size) }));
      while (Number.isFinite(feed.nextAt)) feed.deliver();
      return heard;
    };
    const pair = ['0.01', '0.01', '0.02', '0.01', '0.02', '0.02', '0.01', '0.02'];
    for (const sizes of [
      ['0.01', '0.02'],
      ['0.02', '0.01'],
    ])
      expect(played(sizes)).toEqual(pair);
    expect(played(['0.03', '0.02', '0.01']).filter((lane) => lane !== '0.03')).toEqual(pair);
  });

  test('leave out what a newer quote had replaced before its turn, but not what was imported without numbers', () => {
    const mixed: Row[] = [
      [1, 100, {}],
      [null, 150, {}],
      [2, 151, {}],
    ];
    expect(feedOf(mixed, ['0.01']).quotes).toHaveLength(2);
    expect(
      feedOf(
        mixed.map(([, at, options]) => [null, at, options]),
        ['0.01'],
      ).quotes,
    ).toHaveLength(3);
  });

  test('open and acknowledge each subscription anew, counted over runs that have the same numbers', () => {
    const rows: Row[] = [
      [1, 100, { epoch: 1 }],
      [2, 200, { epoch: 2 }],
      [3, 300, { epoch: 1 }],
    ];
    const { heard } = feedOf(rows, ['0.01']);
    expect(heard).toEqual([
      `opening ${ONE} 1`,
      `acked ${ONE} 1`,
      `quote ${ONE} 1`,
      `lost ${ONE} 1`,
      `opening ${ONE} 2`,
      `acked ${ONE} 2`,
      `quote ${ONE} 2`,
      `lost ${ONE} 2`,
      `opening ${ONE} 3`,
      `acked ${ONE} 3`,
      `quote ${ONE} 3`,
    ]);
  });

  test('F32 quotes without id get one of their own, and imported ones are no offers', () => {
    const { quotes, feed } = feedOf(
      [
        [null, 100, { id: null }],
        [null, 200, { id: null }],
      ],
      ['0.01'],
    );
    expect(quotes.map(({ id }) => id)).toEqual([
      quoteId('00000000-0000-4000-8000-000000000001'),
      quoteId('00000000-0000-4000-8000-000000000002'),
    ]);
    expect(feed.latest(btcLane.id)?.provenance).toBe('modelled');
    expect(feedOf([[1, 100, { id: null }]], ['0.01']).feed.latest(btcLane.id)?.provenance).toBe('exact');
  });

  test('a lane that is lent late begins with the first quote from then on, also where the times of two runs overlap', () => {
    const played = (rows: readonly Row[]) => {
      const sources = new QuoteSources({ columns: columnsOf(recorded(rows)), products: new Map([[BTC, btcProduct]]), ...EVER });
      const source = sources.of(btcLane, 250);
      const times: number[] = [];
      while (source && Number.isFinite(source.nextAt)) {
        times.push(source.nextAt);
        source.next();
      }
      return times;
    };
    const inOrder: Row[] = [100, 200, 250, 250, 300].map((at, index): Row => [index + 1, at, {}]);
    expect(played(inOrder)).toEqual([250, 250, 300]);
    expect(played([...inOrder, [1, 150, {}], [2, 260, {}]])).toEqual([250, 250, 300, 260]);
  });

  test('F32 ten thousand ids of its own are all different, in their order, and look like ids', () => {
    const ids = new LocalIds();
    const made = Array.from({ length: 10_000 }, () => ids.next());
    const named = (count: number) => `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
    expect(made).toEqual(made.map((_, index) => named(index + 1)));
  });

  test('a lane that is lent then and now for the same amount plays what was on offer', () => {
    const lent = laneIdOf('btcusd@base:0.005#1-1');
    const rows: Row[] = [
      [1, 100, {}],
      [2, 200, { lane: lent, size: 0.005 }],
      [3, 300, {}],
    ];
    const { feed } = feedOf(rows, ['0.01']);
    const lane = { ...laneFor(BTC, { base: decimalOf('0.005') }), id: laneIdOf('btcusd@base:0.005#7-1') };
    feed.acquire(lane, 150);
    feed.deliver();
    expect(feed.latest(lane.id)).toMatchObject({ provenance: 'exact', quote: { lane: lane.id, buy: { size: 0.005 } } });
    feed.release(lane.id);
    expect(feed.latest(lane.id)).toBeUndefined();
  });
});

describe('modelled lanes', () => {
  const known = [quote({ buy: 101, sell: 99, size: 1 }), quote({ buy: 103, sell: 97, size: 2 })];
  test.each([
    ['between two sizes', 1.5, 102, 98],
    ['at a recorded size', 2, 103, 97],
    ['below the smallest', 0.5, 101, 99],
    ['twice the largest: 1 % worse', 4, 103 * 1.01, 97 * 0.99],
    ['eight times the largest: 3 % worse', 16, 103 * 1.03, 97 * 0.97],
  ])('price of a size %s', (_name, size, buy, sell) => {
    expect(priceFor(size, { which: 'buy', known, slippagePct: 1 })).toBeCloseTo(buy, 9);
    expect(priceFor(size, { which: 'sell', known, slippagePct: 1 })).toBeCloseTo(sell, 9);
  });

  test('have a quote for each of the nearest lane, on the price grid, against whoever trades', () => {
    const rows: Row[] = [
      [1, 100, { ...two, buy: 60_000.02, sell: 59_999.99 }],
      [2, 100, { buy: 60_000.01, sell: 60_000 }],
      [3, 600, { buy: 60_001.01, sell: 60_001 }],
    ];
    const { quotes } = feedOf(rows, ['0.0125']);
    expect(quotes.map(({ buy, sell }) => [buy.price, sell.price, buy.size, sell.size])).toEqual([
      [60_000.02, 59_999.99, 0.0125, 0.0125],
      [60_000.77, 60_000.74, 0.0125, 0.0125],
    ]);
    expect(quotes.every(({ buy }) => buy.value === Math.round(buy.price * 0.0125 * 1e8) / 1e8)).toBe(true);
  });

  test('of an amount of quote currency are worth it by the price of each side, floored to the step, as the venue makes them', () => {
    const bars: Row[] = [[null, 100, { id: null, buy: 60_180, sell: 59_820 }]];
    const { quotes } = feedOf(bars, [{ quote: decimalOf(2000) }, { quote: decimalOf(300) }]);
    const step = btcProduct.sizeIncrement.toNumber();
    const sides = quotes.flatMap(({ lane, buy, sell }) =>
      [buy, sell].map((side) => ({ ...side, wanted: lane.endsWith('2000') ? 2000 : 300 })),
    );
    expect(sides).toHaveLength(4);
    for (const { price, size, value, wanted } of sides) {
      expect([value <= wanted, (size + 1.000001 * step) * price > wanted]).toEqual([true, true]);
    }
  });

  test('of an import keep its prices, which have no grid', () => {
    const rows: Row[] = [[null, 100, { id: null, buy: 1.084714233, sell: 1.084605767 }]];
    const sides = (size: string) => feedOf(rows, [size]).quotes.map(({ buy, sell }) => [buy.price, sell.price]);
    expect(sides('0.005')).toEqual([[1.084714233, 1.084605767]]);
    // Twice the largest: 1 % worse.
    expect(sides('0.02')).toEqual([[1.09556137533, 1.07375970933]]);
  });
});

test('two rows differ field by field, down to what is inside', () => {
  const recordedRow = {
    kind: 'approved',
    detail: {
      order: { price: '1', size: '2' },
      checks: [
        ['A', 1],
        ['B', 2],
      ],
    },
  };
  const replayed = {
    kind: 'approved',
    detail: {
      order: { price: '1', size: '3', fee: '0' },
      checks: [
        ['A', 1],
        ['B', 5],
      ],
    },
  };
  expect(differences(recordedRow, replayed)).toEqual([
    { field: 'detail.order.size', recorded: '2', replayed: '3' },
    { field: 'detail.order.fee', recorded: undefined, replayed: '0' },
    { field: 'detail.checks[1][1]', recorded: 2, replayed: 5 },
  ]);
  expect(differences(recordedRow, recordedRow)).toEqual([]);
});
