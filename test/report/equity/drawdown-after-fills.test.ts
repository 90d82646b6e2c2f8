import { expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { fc } from '../../support/property.ts';
import { type FillParts, laneColumns, MONDAY, recordOf } from '../../support/report-data.ts';

const MINUTE = 60_000;
const CAPITAL = 1_000;
const SPREAD = 2;
const at = (minute: number): number => MONDAY + minute * MINUTE;

/** A minute of a run: what a unit can be bought for, and what is done at that price before the next minute. */
interface Minute {
  readonly buy: number;
  readonly side: 'buy' | 'sell' | undefined;
}

function fillsOf(minutes: readonly Minute[]): readonly FillParts[] {
  return minutes.flatMap(({ buy, side }, n): readonly FillParts[] =>
    side === undefined ? [] : [{ at: at(n), side, price: side === 'buy' ? buy : buy - SPREAD, fee: 1, row: n }],
  );
}

/** The deepest fall in money by a walk of its own: the value at each quote, and after what is done at it. */
function deepest(minutes: readonly Minute[]): number {
  let [cash, held, peak, most] = [CAPITAL, 0, CAPITAL, 0];
  for (const { buy, side } of minutes) {
    const sign = side === undefined ? 0 : side === 'buy' ? 1 : -1;
    for (const done of side === undefined ? [0] : [0, sign]) {
      held += done;
      cash -= done * (done > 0 ? buy : buy - SPREAD) + Math.abs(done);
      const worth = cash + held * (held < 0 ? buy : buy - SPREAD);
      peak = Math.max(peak, worth);
      most = Math.max(most, peak - worth);
    }
  }
  return most;
}

function reported(minutes: readonly Minute[], lanes: 1 | 2): number {
  const record = recordOf({
    from: at(0),
    to: at(minutes.length - 1),
    flows: [{ at: at(0), kind: 'opening', amount: CAPITAL }],
    fills: fillsOf(minutes),
  });
  const quotes = minutes.map(({ buy }, n) => ({ at: at(n), buy, sell: buy - SPREAD }));
  const others = minutes.map((_, n) => ({ at: at(n), buy: 5 }));
  const all = lanes === 1 ? [laneColumns(quotes)] : [laneColumns(quotes), laneColumns(others, { product: 'ethusd' })];
  return Number(metricIn(makeReport(record, all).sections, 'maxDrawdownMoney'));
}

test.each([1, 2] as const)('with %i lanes the drawdown counts the value after a fill, and more data never makes it smaller', (lanes) => {
  const minute = fc.record({
    buy: fc.integer({ min: 90, max: 110 }),
    side: fc.constantFrom<Minute['side']>('buy', 'sell', undefined, undefined),
  });
  fc.assert(
    fc.property(fc.array(minute, { minLength: 3, maxLength: 12 }), (minutes) => {
      let before = 0;
      for (let n = 2; n <= minutes.length; n++) {
        const part = minutes.slice(0, n);
        const found = reported(part, lanes);
        expect(found).toBeCloseTo(deepest(part), 9);
        expect(found).toBeGreaterThanOrEqual(before - 1e-9);
        before = found;
      }
    }),
    { numRuns: 25 },
  );
});

/** A minute of two products that are held, one long and one short: of each the lowest and the last price of its bar, and whether it has one. */
const bar = fc.record({ low: fc.integer({ min: 90, max: 100 }), last: fc.integer({ min: 100, max: 110 }), isThere: fc.boolean() });
type Bar = { readonly low: number; readonly last: number; readonly isThere: boolean };

/** The deepest fall by a walk of its own: at each minute first the range of each bar with the last prices of the other, then both last prices. */
function deepestOfPair(minutes: readonly (readonly [Bar, Bar])[]): number {
  let [a, b, peak, most] = [100, 100, 0, 0];
  const see = (long: number, short: number): void => {
    peak = Math.max(peak, long - short);
    most = Math.max(most, peak - (long - short));
  };
  for (const [long, short] of minutes) {
    if (long.isThere) a = long.last;
    if (short.isThere) b = short.last;
    if (long.isThere) see(long.low, b);
    if (short.isThere) see(a, short.low);
    if (long.isThere || short.isThere) see(a, b);
  }
  return most;
}

test('of bars that end together a drawdown counts no moment at which only some of them were known, and quotes of one time one by one', () => {
  const pair = (minutes: readonly (readonly [Bar, Bar])[], barMs: number | undefined): number => {
    const of = (which: 0 | 1) => {
      const points = minutes.flatMap((both, n) => {
        const { low, last, isThere } = both[which];
        return isThere ? [low, last].map((buy) => ({ at: at(n + 1), buy })) : [];
      });
      const columns = laneColumns([{ at: at(0), buy: 100 }, ...points], { product: which === 0 ? 'btcusd' : 'ethusd' });
      return barMs === undefined ? columns : { ...columns, barMs };
    };
    const record = recordOf({
      from: at(0),
      to: at(minutes.length),
      flows: [{ at: at(0), kind: 'opening', amount: CAPITAL }],
      fills: [
        { at: at(0), side: 'buy', price: 100, row: 0 },
        { at: at(0), side: 'sell', price: 100, row: 0, product: 'ethusd' },
      ],
    });
    return Number(metricIn(makeReport(record, [of(0), of(1)]).sections, 'maxDrawdownMoney'));
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(bar, bar), { minLength: 1, maxLength: 10 }), (minutes) => {
      expect(pair(minutes, MINUTE)).toBeCloseTo(deepestOfPair(minutes), 9);
    }),
    { numRuns: 50 },
  );
  const both: readonly [Bar, Bar] = [
    { low: 100, last: 100, isThere: true },
    { low: 100, last: 108, isThere: true },
  ];
  const risen: readonly [Bar, Bar] = [
    { ...both[1], low: 108 },
    { ...both[1], low: 108 },
  ];
  expect(pair([[both[0], both[0]], risen], undefined)).toBeCloseTo(8, 9);
  expect(pair([[both[0], both[0]], risen], MINUTE)).toBeCloseTo(0, 9);
});
