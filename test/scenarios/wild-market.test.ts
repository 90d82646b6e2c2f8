import { describe, expect, test } from 'vitest';
import { buy, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { usd } from '../support/limits.ts';
import { BTC, btcLane, quote, quoteSide } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { eager } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { e: eager } });

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
  maxRejectionStreak: 1,
  lossCooldown: 600_000,
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

describe('F33 three bad prices in a row set a lane aside', () => {
  const bad: readonly [string, number, number][] = [
    ['zero', 0, 0],
    ['negative', -1, -1],
    ['crossed', 60_000, 60_001],
    ['ten times too high', 600_000, 600_000],
    ['ten times too low', 6_000, 6_000],
    ['one side only', 600_000, 60_000],
  ];
  const limits = { collarPct: 3, reducingCollarPct: 15, maxSpreadPct: null, maxOrderValue: null, maxPositionValue: null };
  const rowsOf = (r: Rig, kind: string) => r.rows().filter((row) => row.kind === kind);

  test.each(bad)('%s: no order on the first two, nothing on the lane after the third, ten good ones end it', (_, buyAt, sellAt) => {
    let wanted = false;
    const willing = strategy({
      name: 'willing',
      signals: ({ quotes$ }) => quotes$,
      decide: (_quote, { position, amount }) => (wanted && position.isFlat ? buy(amount, 'in') : undefined),
    });
    const r = rig({ limits, strategies: { e: willing } });
    for (let n = 0; n < 5; n++) r.price(60_000);
    wanted = true;
    for (let n = 0; n < 2; n++) r.price(buyAt, { sell: sellAt });
    expect(rowsOf(r, 'quarantine')).toEqual([]);
    r.price(buyAt, { sell: sellAt });
    expect(rowsOf(r, 'quarantine')).toMatchObject([{ reason: 'LANE_QUARANTINED', detail: { on: true, lane: 'btcusd@base:0.01' } }]);
    const alarms = r.notices.filter((line) => !line.startsWith('info: '));
    expect(alarms).toEqual([expect.stringMatching(/^error: lane btcusd@base:0.01: 3 bad prices in a row/)]);
    // After a jump the first good price is one again: it is not counted as near to the bad ones.
    for (let n = 0; n < 9; n++) r.price(60_000);
    expect(r.broker.submitted).toEqual([]);
    expect(r.story().at(-1)).toBe('quarantine LANE_QUARANTINED');
    r.price(60_000);
    r.price(60_000);
    expect(rowsOf(r, 'quarantine')).toHaveLength(2);
    expect(r.broker.submitted.map(({ side }) => side)).toEqual(['buy']);
  });

  test.each<[string, number, Partial<RigOptions>]>([
    ['a stop loss', 6_000, { exits: { stopLossPct: 5 } }],
    ['a trailing stop', 600_000, { exits: { trailingPct: 5, activateAtPct: 2 } }],
    ['a profit', 600_000, { exits: { takeProfitPct: 50 } }],
    ['a limit of the day', 6_000, { limits: { ...limits, maxDayLoss: usd(100) } }],
    ['a drawdown', 600_000, { limits: { ...limits, maxDrawdownPct: 10 } }],
  ])('one price that no market has sets off nothing: %s', (_, price, options) => {
    const r = rig({ limits, ...options });
    r.price(60_000);
    r.answer(r.last);
    for (const at of [60_000, price, 60_000, 60_000]) r.price(at);
    expect(r.story().filter((row) => /^(exit|reducing)/.test(row))).toEqual([]);
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('what is due does not leave at the prices of a lane that is set aside, however many they are', () => {
    const r = rig({ limits, exits: { stopLossPct: 1 }, reserve: 1 });
    for (let n = 0; n < 30; n++) r.price(n === 0 ? 60_000 : 59_900 + n);
    r.answer(r.last);
    r.price(59_000);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    for (let n = 0; n < 200; n++) r.price(n % 2 === 0 ? 6_000 : 4_800);
    expect(r.lent).toEqual([]);
    expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.price}`)).toEqual(['buy 60000', 'sell 59000']);
    for (let n = 0; n < 11; n++) r.price(58_900 + n);
    expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.price}`).slice(2)).toEqual(['sell 58910']);
  });

  test('a market that really has moved is believed after ten prices that are near to each other', () => {
    const r = rig({ limits, exits: { stopLossPct: 5 } });
    for (let n = 0; n < 5; n++) r.price(60_000);
    r.answer(r.last);
    for (let n = 0; n < 3; n++) r.price(40_000);
    for (let n = 0; n < 9; n++) r.price(40_000 + n);
    expect(rowsOf(r, 'quarantine')).toHaveLength(1);
    r.price(40_010);
    expect(rowsOf(r, 'quarantine').at(-1)).toMatchObject({ reason: null, detail: { on: false } });
    expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.price}`)).toEqual(['buy 60000', 'sell 40010']);
  });

  test('a lane that is fine goes on closing positions while another of the product is set aside, and opens nothing', () => {
    const other = laneFor(BTC, { base: decimalOf('0.02') });
    const r = rig({ limits, exits: { stopLossPct: 1 }, lanes: [btcLane, other] });
    const onOther = (at: number): void => {
      r.price(at, { lane: other.id, size: 0.02, afterMs: 100 });
    };
    r.price(60_000);
    r.answer(r.last);
    onOther(60_000);
    for (let n = 0; n < 3; n++) onOther(-1);
    r.price(59_000);
    expect(r.broker.submitted.map(({ side }) => side)).toEqual(['buy', 'sell']);
    r.answer(r.last);
    r.price(59_000);
    expect(r.story().at(-1)).toBe('refused PRODUCT_QUARANTINED');
  });
});
