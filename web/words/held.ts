import type { BookView, LaneRowView, MoneyView, OpenOrderView, StrategyView } from '#server/page/view.ts';
import { exact, money as moneyText } from './numbers.ts';

/** An order that is answered within this time, in milliseconds, changes only the position on the page. */
const SETTLES_MS = 1_000;

interface PositionRange {
  readonly product: string;
  readonly position: string;
  readonly low: string;
  readonly high: string;
}

/** True if the position stays uncertain: an order has an unknown outcome, or its answer is late. */
export const isUncertain = (
  { product, low, high }: PositionRange,
  { strategy, at, orders }: { readonly strategy: string; readonly at: string; readonly orders: readonly OpenOrderView[] },
): boolean =>
  low !== high &&
  orders.some(
    (order) =>
      order.strategy === strategy &&
      order.product === product &&
      (order.state === 'unknown' || Date.parse(at) - Date.parse(order.since) > SETTLES_MS),
  );

/** A position in words: from its lower to its upper bound where it is not certain. */
export function heldText({ position, low, high }: Omit<PositionRange, 'product'>, isSure: boolean): string {
  if (!isSure) return `${exact(low)} to ${exact(high)}`;
  return Number(position) === 0 ? 'flat' : exact(position);
}

interface EquitySources {
  readonly money: Pick<MoneyView, 'currency' | 'equity' | 'made'>;
  readonly orders: readonly Pick<OpenOrderView, 'state' | 'side' | 'product' | 'size' | 'value' | 'quoteCcy' | 'fee' | 'feeCcy'>[];
  readonly lanes: readonly Pick<LaneRowView, 'product' | 'buy' | 'sell'>[];
}

/** Between what equity lies, since each order of unknown outcome was executed or not; null where it cannot be said. */
export function equityBounds({ money, orders, lanes }: EquitySources): { readonly low: number; readonly high: number } | null {
  const { equity, currency, made } = money;
  if (equity === null) return null;
  let [low, high] = [equity, equity];
  for (const { side, product, size, value, quoteCcy, fee, feeCcy } of orders.filter(({ state }) => state === 'unknown')) {
    const lane = lanes.find((one) => one.product === product);
    const back = side === 'buy' ? lane?.sell : lane?.buy;
    const rate = quoteCcy === currency ? 1 : made.find((one) => one.currency === quoteCcy)?.rate;
    if (back == null || rate == null) return null;
    const worth = Number(size) * back - Number(value);
    const cost = Number(fee) * (feeCcy === quoteCcy ? 1 : back);
    const change = ((side === 'buy' ? worth : -worth) - cost) * rate;
    low += Math.min(0, change);
    high += Math.max(0, change);
  }
  return { low, high };
}

/** Between what a profit lies, which moves with equity; null where it cannot be said. */
export function profitBounds(profit: number | null, valued: EquitySources): { readonly low: number; readonly high: number } | null {
  const bounds = equityBounds(valued);
  const { equity } = valued.money;
  return profit === null || bounds === null || equity === null
    ? null
    : { low: profit + (bounds.low - equity), high: profit + (bounds.high - equity) };
}

/** What a strategy holds of a product, and what it is up or down by. */
export interface StrategyHolding extends Pick<BookView, 'position' | 'unrealised' | 'quoteCcy'> {
  readonly id: string;
  readonly price: number;
}

/** What equity is. */
export const EQUITY_IS = 'budgets of the strategies, and what was made of them';

/** Equity, as a range where orders have no known outcome. */
export function equityText(valued: EquitySources): string {
  const bounds = equityBounds(valued);
  const [low, high] = [bounds?.low, bounds?.high].map((one) => moneyText(one, valued.money.currency));
  return low === high ? `${low}` : `${low} to ${high}`;
}

/** The open positions in a product. */
export const heldOf = (
  strategies: readonly Pick<StrategyView, 'id' | 'legs' | keyof BookView>[],
  product: string,
): readonly StrategyHolding[] =>
  strategies.flatMap(({ id, legs, ...own }) =>
    [own, ...legs].flatMap(({ product: of, entry, position, unrealised, quoteCcy }) =>
      of === product && entry !== null ? [{ id, position, price: Number(entry), unrealised, quoteCcy }] : [],
    ),
  );
