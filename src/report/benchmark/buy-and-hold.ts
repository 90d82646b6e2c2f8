import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import type { TimeSpan } from '#report/equity/empty-times.ts';
import { equityOf } from '#report/equity/equity.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { RateTable, rowAt } from '#report/equity/rates.ts';
import { noRate } from '#report/no-rate.ts';
import type { LedgerMovement } from '#report/record.ts';

/** What is bought and held, of which products, and with what. */
export interface HoldInput {
  /** What the run traded. */
  readonly products: readonly string[];
  readonly columns: readonly QuoteColumns[];
  /** Lanes that were played by a model, which what is held is valued by as well. */
  readonly modelled?: readonly PriceColumns[];
  readonly capital: number;
  /** The same by currency, in which it stays; without it an equal share of it is in the currency of each product. */
  readonly capitalIn?: Readonly<Record<string, number>>;
  readonly currency: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Times of it that are not traded. */
  readonly empty?: readonly TimeSpan[];
  readonly everyQuote?: boolean;
  /** What is held of each product, in base currency, as far as the capital pays for it; all that it pays for without them. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** What buying a product costs more than its quote, as a share of the price; nothing without it. */
  readonly worse?: ReadonlyMap<string, number>;
}

/**
 * The result of the same products, bought once and held with the same capital: an equal share of it each, or `sizes`, of which the return is
 * that on `capitalIn`. Bought at the buy side of the first quotes with their fee, as if their price held for the whole size but for `worse`, and
 * valued as the run is. Each product is bought at its own first quote of the run, and one whose quotes end before keeps its last price.
 * Returns a text if it is not known.
 */
export function buyAndHold({
  products,
  columns,
  modelled = [],
  capital,
  capitalIn,
  currency,
  from,
  to,
  empty = [],
  everyQuote = false,
  sizes,
  worse,
}: HoldInput): Equity | string {
  if (products.length === 0) return 'nothing was traded';
  const firsts = new Map<string, Millis>();
  for (const product of products) {
    const first = firstQuote(columns, product, from);
    if (first === undefined) return `no quote of ${product} was recorded`;
    firsts.set(product, first);
  }
  const begin = Math.min(...firsts.values());
  const rates = new RateTable(columns);
  const bought: Purchase[] = [];
  for (const product of products) {
    const of = columns.find((one) => one.product === product);
    if (!of) return `no quote of ${product} was recorded`;
    const at = firsts.get(product) ?? begin;
    const inQuoteCcy = (when: Millis) => rates.worth(capital / products.length, { currency, into: of.quoteCcy, at: when });
    const atBegin = inQuoteCcy(begin);
    const share = atBegin ?? inQuoteCcy(at);
    if (share === undefined) return noRate(currency, of.quoteCcy);
    const opening: [string, number] = atBegin === undefined ? [currency, capital / products.length] : [of.quoteCcy, atBegin];
    const fee = feeShare(columns, product, at);
    const wanted = sizes?.get(product);
    // As many units as the share pays for, with the fee of buying them.
    const about = wanted ?? share / (rates.price(product, 1, at) ?? Number.NaN);
    const quoted = rates.price(product, -about, at);
    if (quoted === undefined || !(quoted > 0)) return `no quote of ${product} was recorded`;
    const price = quoted * (1 + (worse?.get(product) ?? 0));
    bought.push({ of, at, opening, share, price, fee, units: wanted ?? share / (price * (1 + fee)) });
  }
  // No more is held than the capital pays for; shares are worth the same, so parts of them add up.
  const paid = bought.reduce((sum, { share, price, fee, units }) => sum + (units * price * (1 + fee)) / share, 0) / products.length;
  const cut = sizes === undefined ? 1 : Math.min(1, 1 / paid);
  const openings = (capitalIn ? Object.entries(capitalIn) : bought.map(({ opening }) => opening)).map(
    ([held, amount]): LedgerMovement => ({
      at: begin,
      book: 'benchmark',
      product: null,
      kind: 'opening',
      currency: held,
      amount: String(amount),
    }),
  );
  const fills = bought.flatMap(({ of, at, price, fee, units: whole }): LedgerMovement[] => {
    const units = whole * cut;
    const { product, quoteCcy } = of;
    const row = { at, book: 'benchmark' } as const;
    return [
      { ...row, product, kind: 'fill', currency: of.baseCcy, amount: String(units) },
      { ...row, product, kind: 'fill', currency: quoteCcy, amount: String(-units * price) },
      { ...row, product, kind: 'fee', currency: quoteCcy, amount: String(-units * price * fee) },
    ];
  });
  const currenciesOf = (product: string) => columns.find((one) => one.product === product);
  return equityOf({
    earlier: [],
    movements: [...openings, ...fills.sort((a, b) => a.at - b.at)],
    columns: [...columns, ...modelled],
    currenciesOf,
    currency,
    from,
    to,
    empty,
    everyQuote,
  });
}

/** One product as it is bought: its share of the capital and its price in quote currency. */
interface Purchase {
  readonly of: QuoteColumns;
  readonly at: Millis;
  /** The currency in which its share waits until then, and how much. */
  readonly opening: readonly [string, number];
  readonly share: number;
  readonly price: number;
  readonly fee: number;
  readonly units: number;
}

function firstQuote(columns: readonly QuoteColumns[], product: string, from: Millis): Millis | undefined {
  let first: Millis | undefined;
  for (const lane of columns) {
    if (lane.product !== product || lane.length === 0) continue;
    // The newest quote at the beginning is already known.
    const at = rowAt(lane, from) >= 0 ? from : (lane.at[0] ?? Number.POSITIVE_INFINITY);
    first = Math.min(first ?? at, at);
  }
  return first;
}

/** Fee of the newest quote of a product, as a share of the value. */
export function feeShare(columns: readonly QuoteColumns[], product: string, at: Millis): number {
  let [newest, fee] = [Number.NEGATIVE_INFINITY, 0];
  for (const lane of columns) {
    if (lane.product !== product) continue;
    const row = rowAt(lane, at);
    // A lane that a manual order lent begins later.
    if (row < 0) continue;
    const [seen, percent] = [figureAt(lane.at, row), figureAt(lane.feePercentage, row)];
    if (seen > newest && Number.isFinite(percent)) [newest, fee] = [seen, percent / 100];
  }
  return fee;
}
