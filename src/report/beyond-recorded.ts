import { figureAt } from '#domain/figure-at.ts';
import { isLentLane } from '#domain/lane.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { rowAt } from './equity/rates.ts';
import type { OrderHistory } from './order-history.ts';

/** A fill of an amount above the largest recorded one of its product, at a modelled price. */
export interface OversizedFill {
  readonly order: OrderHistory['order'];
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** In base currency. */
  readonly size: number;
  /** The largest size that was recorded then. */
  readonly recorded: number;
  /** Price of its side for that size, in quote currency. */
  readonly price: number;
  /** How much worse the fill was in all, in quote currency. */
  readonly cost: number;
}

/** Sizes that differ by less are one amount. */
const DOUBT = 1e-9;

/** Modelled fills of amounts above the recorded ones, by order. `modelled`: orders that a backtest filled by a model. */
export function beyondRecorded(
  orders: readonly OrderHistory[],
  columns: readonly QuoteColumns[],
  modelled: ReadonlySet<string>,
): ReadonlyMap<string, OversizedFill> {
  const found = new Map<string, OversizedFill>();
  const standing = Map.groupBy(
    columns.filter(({ lane, length }) => length > 0 && !isLentLane(lane)),
    ({ product }) => product as string,
  );
  for (const { order, fill, quoteBuy, quoteSell } of orders) {
    if (!fill || !modelled.has(order.id)) continue;
    const size = Number(fill.size);
    const at = (standing.get(order.product) ?? []).map((lane) => ({ lane, row: rowOf(lane, order.intentAt, quoteBuy + quoteSell) }));
    const sizes = at.flatMap(({ lane, row }) => (row < 0 ? [] : [{ lane, row, size: figureAt(lane.buy.size, row) }]));
    const [largest] = sizes.sort((a, b) => b.size - a.size);
    if (!largest || size <= largest.size * (1 + DOUBT)) continue;
    const { lane, row } = largest;
    const price = figureAt((fill.side === 'buy' ? lane.buy : lane.sell).price, row);
    const worse = (Number(order.price) - price) * (fill.side === 'buy' ? 1 : -1);
    const { baseCcy, quoteCcy } = lane;
    found.set(order.id, { order, baseCcy, quoteCcy, size, recorded: largest.size, price, cost: worse * size });
  }
  return found;
}

/** The newest row at a time; of rows of one time, as bars have with their ranges, the one whose middle is nearest. */
function rowOf(lane: QuoteColumns, at: number, bothSides: number): number {
  const last = rowAt(lane, at);
  const distance = (row: number): number => Math.abs(figureAt(lane.buy.price, row) + figureAt(lane.sell.price, row) - bothSides);
  let nearest = last;
  for (let row = last - 1; row >= 0 && lane.at[row] === lane.at[last]; row -= 1) if (distance(row) < distance(nearest)) nearest = row;
  return nearest;
}

/** What a side cost more on average over all fills of a product, because of amounts above the recorded ones, as a share of the price. */
export function worseShares(orders: readonly OrderHistory[], beyond: ReadonlyMap<string, OversizedFill>): ReadonlyMap<string, number> {
  const sums = new Map<string, { cost: number; value: number }>();
  for (const { order, fill } of orders) {
    if (!fill) continue;
    const sum = sums.get(order.product) ?? { cost: 0, value: 0 };
    sums.set(order.product, sum);
    const own = beyond.get(order.id);
    sum.cost += own?.cost ?? 0;
    sum.value += own ? own.price * own.size : Number(fill.price) * Number(fill.size);
  }
  return new Map([...sums].map(([product, { cost, value }]) => [product, value > 0 ? cost / value : 0]));
}
