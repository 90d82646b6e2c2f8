import type { OperatorFunction } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { ColumnsBuilder } from '#adapters/recording/log-columns.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { type Batch, Doubles, QuoteRows, ValueBatch } from '#core/strategy/batch.ts';
import { candles } from '#core/strategy/candles.ts';
import { above, crossing, type Indicator, indicator, observe, select } from '#core/strategy/indicators.ts';
import { type Kernel, KernelChain, Stepper } from '#core/strategy/kernel.ts';
import { ema, sma, wilder, wma } from '#core/strategy/operators/averages.ts';
import { adx, atr, type Bar, stochastic } from '#core/strategy/operators/bars.ts';
import { imbalance, microprice } from '#core/strategy/operators/book.ts';
import { bollinger, stdev, zscore } from '#core/strategy/operators/deviation.ts';
import { highest, lag, lowest } from '#core/strategy/operators/extremes.ts';
import { mid, price, roundTripCost, spread, timeLeft, value } from '#core/strategy/operators/liquidity.ts';
import { macd, rsi } from '#core/strategy/operators/momentum.ts';
import { twap } from '#core/strategy/operators/twap.ts';
import { operator } from '#core/strategy/own-operator.ts';
import { QuoteStream } from '#core/strategy/strategy-runner.ts';
import type { FullQuote } from '#domain/indicative-quote.ts';
import type { Quote } from '#domain/quote.ts';
import { checkOperator } from '#strategy-testing/check-operator.ts';
import { engineTime } from '../../support/engine-time.ts';
import { fc, test as property } from '../../support/property.ts';
import { quoteWith } from '../../support/quotes.ts';

/** How values are split: so many one at a time or at once, and how many more are taken and taken back before. */
const splits = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 30 }), atOnce: fc.boolean(), back: fc.integer({ min: 0, max: 20 }) }),
  {
    minLength: 1,
    maxLength: 30,
  },
);
type Splits = readonly { readonly count: number; readonly atOnce: boolean; readonly back: number }[];

const numbers = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 99, max: 101, noNaN: true }) },
    { weight: 4, arbitrary: fc.constant(100) },
    { weight: 1, arbitrary: fc.double({ min: 1e-6, max: 1e9, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY) },
  ),
  { minLength: 1, maxLength: 200, size: 'max' },
);

const bars = fc.array(
  fc
    .tuple(fc.nat(80), fc.nat(24), fc.nat(8))
    .map(([low, height, eighth]): Bar => ({ low, high: low + height, close: low + (height * eighth) / 8 })),
  { minLength: 1, maxLength: 80, size: 'max' },
);

interface Come {
  readonly at: number;
  readonly quote: Quote;
}

const quotes = fc
  .array(fc.record({ after: fc.nat(400), price: fc.integer({ min: 9_000, max: 9_100 }), wide: fc.nat(20), fee: fc.nat(9) }), {
    minLength: 1,
    maxLength: 120,
    size: 'max',
  })
  .map((all) => {
    let at = 1_000_000;
    return all.map(({ after, price, wide, fee }): Come => {
      at += after;
      const side = (of: number) => ({ price: of / 100, size: 0.1, value: of / 1000, feeInQuoteCcy: fee / 100 });
      return { at, quote: quoteWith({ buy: side(price + wide), sell: side(price), validUntil: at + 3_000, id: null }) };
    });
  });

/** What a kernel brings however its values are split, and what a fresh one brings one value at a time. */
function compared<In, Out>(
  kernelOf: () => Kernel<In, Out>,
  values: readonly In[],
  {
    input,
    now = () => {},
    splits,
  }: { readonly input: (from: number) => Batch<In>; readonly now?: (at: number) => void; readonly splits: Splits },
): void {
  const one = kernelOf();
  const expected = values.map((x, place) => {
    now(place);
    return one.next(x);
  });
  const many = kernelOf();
  const got: (Out | undefined)[] = [];
  const span = (from: number, to: number): (Out | undefined)[] => {
    const out = many.room();
    out.reserve(to - from);
    many.span(input(from), out, to - from);
    many.settle(to - from);
    return Array.from({ length: to - from }, (_, row) => out.get(row));
  };
  for (let turn = 0; got.length < values.length; turn++) {
    const { count = 1, atOnce = true, back = 0 } = splits[turn % splits.length] ?? {};
    const from = got.length;
    const to = Math.min(values.length, from + count);
    if (back > 0) {
      many.keep();
      span(from, Math.min(values.length, from + back));
      many.undo();
    }
    if (atOnce) got.push(...span(from, to));
    else
      for (let place = from; place < to; place++) {
        const [x] = values.slice(place, place + 1);
        now(place);
        if (x !== undefined) got.push(many.next(x));
      }
  }
  expect(got).toEqual(expected);
}

const counter = operator({
  start: () => ({ sum: 0 }),
  next: (state, x) => {
    state.sum += x;
    return state.sum;
  },
});

/** Its `over` passes over NaN alone, as the docs ask for. Where the mean is 100 it is no number. */
const apart = operator({
  start: () => ({ sum: 0, n: 0 }),
  next: (state, x) => {
    state.sum += x;
    state.n += 1;
    return 1 / (state.sum / state.n - 100);
  },
  over: (state, input, out, n) => {
    for (let i = 0; i < n; i++) {
      const x = input[i] ?? Number.NaN;
      out[i] = Number.NaN;
      if (Number.isNaN(x)) continue;
      state.sum += x;
      state.n += 1;
      out[i] = 1 / (state.sum / state.n - 100);
    }
  },
});

const ofNumbers: readonly (readonly [name: string, of: Indicator<number, unknown>])[] = [
  ['sma', sma(7)],
  ['sma of one', sma(1)],
  ['ema', ema(9)],
  ['ema seeded with the first', ema(9, { seed: 'first' })],
  ['wilder', wilder(5)],
  ['wma', wma(6)],
  ['stdev', stdev(8)],
  ['zscore', zscore(8)],
  ['bollinger', bollinger(9, 2)],
  ['highest', highest(6)],
  ['lowest', lowest(6)],
  ['lag', lag(5)],
  ['the highest before', lag(2, highest(4))],
  ['rsi', rsi(6)],
  ['macd', macd(3, 7, 4)],
  ['one figure of macd', select(macd(3, 7, 4), ({ histogram }) => histogram)],
  ['an own operator without over', counter],
  ['an own operator', apart],
];

const at = fc.integer({ min: 0, max: 3 });

describe('values one at a time and at once bring the same, to the bit, however they are split', () => {
  describe.each(ofNumbers)('%s', (_, of) => {
    property.prop([numbers, splits])('numbers', (values, splits) => {
      const input = (from: number) => new Doubles(Float64Array.from(values.slice(from)));
      compared(() => of.kernel(), values, { input, splits });
    });
  });

  property.prop([numbers, splits, at])('above and crossing, in words of one byte', (values, splits, which) => {
    const pairs = [
      above(sma(2), sma(5)),
      above(ema(4), 100),
      crossing(sma(1), wma(5)),
      crossing(
        select(macd(2, 4, 2), (m) => m.histogram),
        0,
      ),
    ];
    const of = kernelIn(pairs[which] ?? above(sma(1), 1));
    compared(of, values, { input: (from) => new Doubles(Float64Array.from(values.slice(from))), splits });
  });

  describe.each<readonly [string, Indicator<Bar, unknown>]>([
    ['atr', atr(4)],
    ['adx', adx(3)],
    ['stochastic', stochastic({ n: 5, smooth: 3, signal: 2 })],
  ])('%s', (_, of) => {
    property.prop([bars, splits])('bars', (values, splits) => {
      const input = (from: number) => {
        const list = new ValueBatch<Bar>();
        for (const [row, bar] of values.slice(from).entries()) list.set(row, bar);
        return list;
      };
      compared(() => of.kernel(), values, { input, splits });
    });
  });

  describe.each<readonly [string, OperatorFunction<Quote, unknown>]>([
    ['mid', mid()],
    ['price of buying', price('buy')],
    ['value of selling', value('sell')],
    ['spread', spread()],
    ['cost of a round trip', roundTripCost()],
    ['time left', timeLeft()],
    ['twap', twap(900)],
    ['candles', candles(500)],
    ['above of quotes', above(mid(), twap(700))],
  ])('%s', (_, of) => {
    property.prop([quotes, splits])('quotes, from their columns', (values, splits) => {
      const time = engineTime();
      const before = swapAmbient({ scheduler: time.scheduler, observed: { set: () => undefined } });
      const columns = columnsOf(values);
      const now = (place: number) => {
        time.now = values[place]?.at ?? 0;
      };
      const input = (from: number) => new QuoteRows(columns, from);
      compared(
        kernelIn(of),
        values.map(({ quote }) => quote),
        { input, now, splits },
      );
      swapAmbient(before);
    });
  });

  test.each<readonly [string, Indicator<FullQuote, number>]>([
    ['imbalance', imbalance(2)],
    ['microprice', microprice(2)],
  ])('%s of books, and it brings nothing of an empty one', (_, of) => {
    const book = (bid: number, ask: number): FullQuote => {
      const side = (size: number, price: number) => (size === 0 ? [] : [{ price, size }]);
      return Object.assign(Object.create(null), { bids: side(bid, 99), asks: side(ask, 101) });
    };
    const values = [book(1, 2), book(0, 0), book(3, 1), book(0, 4), book(5, 5)];
    const list = (from: number) => {
      const batch = new ValueBatch<FullQuote>();
      for (const [row, one] of values.slice(from).entries()) batch.set(row, one);
      return batch;
    };
    compared(() => of.kernel(), values, { input: list, splits: [{ count: 2, atOnce: true, back: 1 }] });
  });
});

test('a kernel in a row sees what the one before it brings, and names are told the last of a span', () => {
  const told: [string, unknown][] = [];
  const before = swapAmbient({ scheduler: engineTime().scheduler, observed: { set: (name, value) => void told.push([name, value]) } });
  const row = new KernelChain(
    sma(2).kernel(),
    observe(
      'double',
      select(sma(1), (x) => 2 * x),
    ).kernel(),
  );
  swapAmbient(before);
  const out = row.room();
  out.reserve(4);
  row.keep();
  row.span(new Doubles(Float64Array.of(9, 9, 9)), out, 3);
  row.undo();
  row.span(new Doubles(Float64Array.of(1, 3, 5, 7)), out, 4);
  expect(told).toEqual([]);
  row.settle(3);
  row.settle(4);
  expect([out.get(0), out.get(1), out.get(3)]).toEqual([undefined, 4, 12]);
  expect(told).toEqual([
    ['double', 8],
    ['double', 12],
  ]);
});

describe('an own operator', () => {
  const range = operator({
    start: () => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY }),
    next: (state, x) => {
      state.low = Math.min(state.low, x);
      state.high = Math.max(state.high, x);
      return state.high - state.low;
    },
    over: (state, input, out, n) => {
      for (let i = 0; i < n; i++) {
        const x = input[i] ?? Number.NaN;
        out[i] = Number.NaN;
        if (!Number.isFinite(x)) continue;
        state.low = Math.min(state.low, x);
        state.high = Math.max(state.high, x);
        out[i] = state.high - state.low;
      }
    },
  });

  test('is proved by the check of kairos/testing, as those of Kairos are', () => {
    for (const one of [range, apart, sma(5), rsi(4), zscore(6)]) expect(() => checkOperator(one, { runs: 50 })).not.toThrow();
  });

  test('what is not finite is nothing, to it and of it', () => {
    const input = new Doubles(Float64Array.from([100, Number.POSITIVE_INFINITY, 102, Number.NEGATIVE_INFINITY, Number.NaN, 104]));
    const out = new Doubles(new Float64Array(6));
    apart.kernel().span(input, out, 6);
    expect([...out.values]).toEqual([Number.NaN, Number.NaN, 1, Number.NaN, Number.NaN, 0.5]);
    expect(input.values[1]).toBe(Number.POSITIVE_INFINITY);
    const next = apart.start();
    expect([...input.values].map((x) => next(x))).toEqual([undefined, undefined, 1, undefined, undefined, 0.5]);
  });

  test('the check draws what is not finite', () => {
    const seen = new Set<number>();
    const all = indicator<number, number>(() => (x) => {
      seen.add(x);
      return undefined;
    });
    checkOperator(all, { runs: 5 });
    expect(seen.has(Number.POSITIVE_INFINITY) && seen.has(Number.NEGATIVE_INFINITY)).toBe(true);
  });

  test.each<readonly [string, Indicator]>([
    [
      'over does something else',
      operator({
        start: () => ({ last: 0 }),
        next: (state, x) => {
          const change = x - state.last;
          state.last = x;
          return change;
        },
        over: (_, input, out, n) => {
          for (let i = 0; i < n; i++) out[i] = (input[i] ?? 0) - (input[i - 1] ?? 0);
        },
      }),
    ],
    ['it remembers something outside of its state', outside()],
    ['indicator(...) cannot take back', indicator(counting)],
  ])('is refused where %s, with the seed', (_, of) => {
    expect(() => checkOperator(of, { seed: 7 })).toThrow(
      /value \d+ is .* where values came split, and .* one at a time \(seed 7, run \d+\)/,
    );
  });
});

function outside(): Indicator {
  let seen = 0;
  return operator({ start: () => ({}), next: () => (seen += 1) });
}

function counting(): (x: number) => number {
  let count = 0;
  return () => (count += 1);
}

/** The kernel that an operator subscribes with. */
function kernelIn<Out>(of: OperatorFunction<Quote, Out>): () => Kernel<Quote, Out>;
function kernelIn<In, Out>(of: OperatorFunction<In, Out>): () => Kernel<In, Out>;
function kernelIn<In>(of: OperatorFunction<In, unknown>): () => Kernel<In, unknown> {
  return () => {
    const stream = new QuoteStream<In>();
    stream.values$.pipe(of).subscribe();
    const reader = stream.onlyReader;
    if (!(reader instanceof Stepper)) throw new Error('the stream is read by something else');
    return reader.kernel;
  };
}

function columnsOf(values: readonly Come[]) {
  const builder = new ColumnsBuilder(quoteWith());
  for (const [line, { at, quote }] of values.entries()) builder.add({ line, n: line + 1, at }, quote);
  return builder.columns();
}
