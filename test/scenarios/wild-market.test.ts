import { afterEach, expect, test } from 'vitest';
import { buy, mid, strategy } from '../../src/strategy/index.ts';
import { usd } from '../support/limits.ts';
import { quote, quoteSide } from '../support/market-data.ts';
import { Rig, type RigOptions } from '../support/rig.ts';

/** Buys whenever it is flat, and never sells. */
const eager = strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});

const rigs: Rig[] = [];
function rig(options: Omit<RigOptions, 'strategies'>, strategies: RigOptions['strategies'] = { e: eager }): Rig {
  const made = new Rig({ strategies, run: `run-${rigs.length}`, ...options });
  rigs.push(made);
  return made;
}
afterEach(() => {
  for (const made of rigs) made.close();
  for (const made of rigs.splice(0)) made.remove();
});

/** Every gate for openings, each so tight that the wild quote below breaks it. */
const TIGHT: RigOptions['limits'] = {
  maxDayLoss: usd(5),
  maxDrawdownPct: 0.01,
  maxOrdersPerMinute: 1,
  maxOrdersPerMinuteOfStrategy: 1,
  maxOrdersPerMinuteOfProduct: 1,
  maxSpreadPct: 0.01,
  maxSlippagePct: 0.01,
  maxFeePct: 0.2,
  maxOrderValue: usd(601),
  maxDayValue: usd(601),
  collarPct: 0.1,
  reducingCollarPct: 15,
  duplicateWindowMs: 60_000,
  maxLossStreak: 1,
  lossCooldownMs: 600_000,
};

/** A quote with everything wrong that a market can do: a spread of 3 %, slippage and a fee of 5 %. */
function wild(r: Rig, sell: number): void {
  const calm = quote({ buy: sell * 1.03, sell, validUntil: r.clock.now() + 3000 });
  const side = { ...quoteSide(sell, 0.01, 5), slippagePercentage: 5 };
  r.quote({ ...calm, sell: side, feePercentage: 5 });
}

test('I07b F33: wild market: spread, rate, value and day loss all broken; the stop closes the position, nothing opens', () => {
  const r = rig({ limits: TIGHT, exits: { stopLossPct: 1 } });
  type Step = readonly [afterMs: number, event: (of: Rig) => void, orders: readonly string[], reducing: boolean];
  const steps: readonly Step[] = [
    [500, (of) => of.quote(quote({ buy: 60_000, validUntil: of.clock.now() + 3000 })), ['buy'], false],
    [10, (of) => of.answer(of.last), ['buy'], false],
    [490, (of) => wild(of, 58_000), ['buy', 'sell'], true],
    [10, (of) => of.report(of.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }), ['buy', 'sell'], true],
    [490, (of) => wild(of, 57_000), ['buy', 'sell', 'sell'], true],
    [10, (of) => of.answer(of.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 }), ['buy', 'sell', 'sell'], true],
    [999, (of) => wild(of, 56_500), ['buy', 'sell', 'sell'], true],
    [1, (of) => wild(of, 56_000), ['buy', 'sell', 'sell', 'sell'], true],
    [10, (of) => of.answer(of.last), ['buy', 'sell', 'sell', 'sell'], true],
    [490, (of) => wild(of, 60_000), ['buy', 'sell', 'sell', 'sell'], true],
    [500, (of) => of.quote(quote({ buy: 60_000, validUntil: of.clock.now() + 3000 })), ['buy', 'sell', 'sell', 'sell'], true],
  ];
  for (const [index, [afterMs, event, orders, reducing]] of steps.entries()) {
    r.moveBy(afterMs);
    event(r);
    expect(
      r.broker.submitted.map(({ side }) => side),
      `orders after step ${index + 1}`,
    ).toEqual(orders);
    expect(
      r.rows().some(({ kind }) => kind === 'reducing'),
      `REDUCING after step ${index + 1}`,
    ).toBe(reducing);
  }
  expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  expect(r.story().at(-1)).toBe('refused REDUCING');
});
