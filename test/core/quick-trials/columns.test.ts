import type { OperatorFunction } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { BLOCK, RecordingColumns } from '#core/quick-trials/columns.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { Doubles } from '#core/strategy/batch.ts';
import { above, crossing, observe } from '#core/strategy/indicators.ts';
import type { Kernel, KernelColumn } from '#core/strategy/kernel.ts';
import { Stepper } from '#core/strategy/kernel.ts';
import { ema, sma } from '#core/strategy/operators/averages.ts';
import { mid } from '#core/strategy/operators/liquidity.ts';
import { rsi } from '#core/strategy/operators/momentum.ts';
import { operator } from '#core/strategy/own-operator.ts';
import { QuoteStream } from '#core/strategy/strategy-runner.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import { engineTime } from '../../support/engine-time.ts';
import { fc, test as property } from '../../support/property.ts';
import { columnsOf } from './columns-of.ts';

/** The kernel of an operator, as whoever reads quotes finds it. */
function kernelOf<In>(made: OperatorFunction<In, unknown>): Kernel<unknown, unknown> {
  const stream = new QuoteStream<In>();
  const before = swapAmbient({ scheduler: engineTime().scheduler, observed: { set: () => undefined } });
  stream.values$.pipe(made).subscribe();
  swapAmbient(before);
  const reader = stream.onlyReader;
  if (!(reader instanceof Stepper)) throw new Error('an operator of kairos/strategy is read by a stepper');
  return reader.kernel;
}

/** Walks that turn, stand still, jump, and have no number here and there: several blocks of them. */
const walks = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -3, max: 3 }) }, { weight: 1, arbitrary: fc.constantFrom(Number.NaN, 0, 50, -50) }),
    {
      minLength: 1,
      maxLength: 6 * BLOCK,
      size: 'max',
    },
  )
  .map((steps) => {
    let at = 1_000;
    return Float64Array.from(steps, (step) => {
      at += Number.isNaN(step) ? 0 : step;
      return step + at - step;
    });
  });

const operators: readonly OperatorFunction<number, string>[] = [
  above(sma(1), sma(3)),
  above(ema(5), 1_000),
  crossing(sma(2), ema(7)),
  crossing(ema(3), 1_001),
  crossing(ema(4, { seed: 'first' }), sma(40)),
];

describe('words of two columns', () => {
  property.prop([walks, fc.constantFrom(...operators)])('are those of the operator, row by row', (values, made) => {
    const one = kernelOf(made);
    const input: KernelColumn<unknown> = { key: undefined, batch: new Doubles(values) };
    const { batch } = kernelOf(made).column(input, new RecordingColumns(columnsOf(Array.from(values, (price, at) => ({ at, price })))));
    const expected = Array.from(values, (x) => one.next(x));
    expect(Array.from(values, (_, row) => batch.get(row))).toEqual(expected);
  });
});

const QUOTES: QuoteColumns = columnsOf(Array.from({ length: 200 }, (_, at) => ({ at, price: 100 + Math.sin(at / 7) })));

const columnOf = (columns: RecordingColumns, made: OperatorFunction<never, unknown>): KernelColumn<unknown> =>
  kernelOf(made).column(columns.quotes, columns);

describe('a column', () => {
  test('is computed once for all who ask for the same, and apart from what differs', () => {
    const columns = new RecordingColumns(QUOTES);
    const of = (made: OperatorFunction<number, number>): unknown => columnOf(columns, (source) => source.pipe(mid(), made)).batch;
    expect(of(sma(20))).toBe(of(sma(20)));
    expect(of(observe('fast', sma(20)))).toBe(of(sma(20)));
    expect(of(sma(21))).not.toBe(of(sma(20)));
    expect(of(ema(20))).not.toBe(of(ema(20, { seed: 'first' })));
    expect(of(rsi(20))).not.toBe(of(sma(20)));
  });

  test('of an operator of one’s own is shared where the operator has a key, and right where it has none', () => {
    const columns = new RecordingColumns(QUOTES);
    const twice = (key?: string) => operator({ ...(key !== undefined && { key }), start: () => ({}), next: (_, x) => 2 * x });
    const of = (made: OperatorFunction<number, number>) => columnOf(columns, (source) => source.pipe(mid(), made)).batch;
    expect(of(twice('twice'))).toBe(of(twice('twice')));
    const [a, b] = [of(twice()), of(twice())];
    expect(a).not.toBe(b);
    expect(a.get(7)).toBe(2 * (QUOTES.buy.price[7] ?? 0));
  });

  test('is what its operator brings of quotes one by one', () => {
    const made: OperatorFunction<never, number> = (source) => source.pipe(mid(), sma(5), rsi(9));
    const one = kernelOf(made);
    const { batch } = columnOf(new RecordingColumns(QUOTES), made);
    for (let row = 0; row < QUOTES.length; row++) expect(batch.get(row)).toBe(one.next(quoteAt(QUOTES, row)));
  });
});
