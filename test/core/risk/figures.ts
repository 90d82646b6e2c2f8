import type { RiskInput, RiskMeasures } from '#core/risk/risk.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Currency } from '#domain/names.ts';

/** What checks read of what was measured, of one order. */
export const figuresOf = (
  { counts, exposure, marks, prices, trips, losses, wait, funds, books }: RiskMeasures,
  order: RiskInput['order'],
) => {
  const { intentAt: now, strategy, product, side } = order;
  return {
    ordersInMinute: () => counts.rateOf('all', order).inLastMinute(now),
    ordersInMinuteOfStrategy: () => counts.rateOf('strategy', order).inLastMinute(now),
    ordersInMinuteOfProduct: () => counts.rateOf('product', order).inLastMinute(now),
    dayValue: () => counts.dayValue(now),
    strategyExposure: () => exposure.ofStrategy(strategy, product),
    totalExposure: () => exposure.ofAll(product),
    rate: (from: string, to: string, amount: number): Decimal | undefined => marks.ratesAt(now)(from, to, amount),
    medianPrice: () => prices.median(order, side, now),
    roundTripP99Ms: () => trips.p99(now),
    sinceTwinMs: () => counts.sinceTwin(order),
    openingWaitMs: () => wait.openingLeftMs(now),
    exitWaitMs: () => wait.exitLeftMs(now),
    cooldownLeftMs: () => losses.leftMs(strategy, now),
    unknowns: () => books.unknownOpenings,
    funds: (name: Currency) => funds.free(name),
  };
};

export type Figures = ReturnType<typeof figuresOf>;

/** Nothing counted, nothing measured, but for what is said. */
export function measuredOf(said: Partial<Figures> = {}): RiskMeasures {
  const none = (): undefined => undefined;
  const zero = (): number => 0;
  const { ordersInMinute = zero, ordersInMinuteOfStrategy = zero, ordersInMinuteOfProduct = zero, sinceTwinMs = none } = said;
  const { dayValue = () => new Map(), strategyExposure = () => new Map(), totalExposure = () => new Map(), rate = none } = said;
  const { medianPrice = none, roundTripP99Ms = zero, openingWaitMs = zero, exitWaitMs = zero, cooldownLeftMs = zero } = said;
  const { unknowns = zero, funds = none } = said;
  const inMinute = { all: ordersInMinute, strategy: ordersInMinuteOfStrategy, product: ordersInMinuteOfProduct };
  return {
    counts: { rateOf: (of) => ({ inLastMinute: inMinute[of] }), dayValue, sinceTwin: sinceTwinMs },
    exposure: { ofStrategy: strategyExposure, ofAll: totalExposure },
    marks: { ratesAt: () => rate },
    prices: { median: medianPrice },
    trips: { p99: roundTripP99Ms },
    losses: { leftMs: cooldownLeftMs },
    wait: { openingLeftMs: openingWaitMs, exitLeftMs: exitWaitMs },
    funds: { free: funds },
    books: { unknownOpenings: unknowns() },
  };
}
