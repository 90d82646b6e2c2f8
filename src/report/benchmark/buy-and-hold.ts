import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { type Equity, equityOf } from '#report/equity/equity.ts';
import { Rates, rowAt } from '#report/equity/rates.ts';
import type { LedgerMovement } from '#report/record.ts';

interface HoldInput {
  /** What the run traded. */
  readonly products: readonly string[];
  readonly columns: readonly QuoteColumns[];
  readonly capital: number;
  readonly currency: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly everyQuote?: boolean;
}

/**
 * The result of the same capital in the same products, bought once and held: an equal share each, bought at the buy side
 * of the first quotes with their fee, as if their price held for the whole share, and valued as the run is. Returns a
 * text if it is not known.
 */
export function buyAndHold({ products, columns, capital, currency, from, to, everyQuote = false }: HoldInput): Equity | string {
  if (products.length === 0) return 'nothing was traded';
  let bought = from;
  for (const product of products) {
    const first = firstQuote(columns, product, from);
    if (first === undefined) return `no quote of ${product} was recorded`;
    bought = Math.max(bought, first);
  }
  const rates = new Rates(columns);
  const movements: LedgerMovement[] = [];
  for (const product of products) {
    const of = columns.find((one) => one.product === product);
    if (!of) return `no quote of ${product} was recorded`;
    const share = rates.worth(capital / products.length, { currency, into: of.quoteCcy, at: bought });
    if (share === undefined) return `no recorded quote leads from ${currency} to ${of.quoteCcy}`;
    const fee = feeShare(columns, product, bought);
    // As many units as the share pays for, with the fee of buying them.
    const about = share / (rates.price(product, 1, bought) ?? Number.NaN);
    const price = rates.price(product, -about, bought);
    if (price === undefined || !(price > 0)) return `no quote of ${product} was recorded`;
    const units = share / (price * (1 + fee));
    const row = { at: bought, book: 'benchmark' } as const;
    movements.push(
      { ...row, product: null, kind: 'opening', currency: of.quoteCcy, amount: String(share) },
      { ...row, product, kind: 'fill', currency: of.baseCcy, amount: String(units) },
      { ...row, product, kind: 'fill', currency: of.quoteCcy, amount: String(-units * price) },
      { ...row, product, kind: 'fee', currency: of.quoteCcy, amount: String(-units * price * fee) },
    );
  }
  const byKind = [...movements].sort((a, b) => Number(a.kind !== 'opening') - Number(b.kind !== 'opening'));
  const currenciesOf = (product: string) => columns.find((one) => one.product === product);
  return equityOf({ earlier: [], movements: byKind, columns, currenciesOf, currency, from, to, everyQuote });
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
    const seen = lane.at[row] ?? Number.NEGATIVE_INFINITY;
    const percent = lane.feePercentage[row] ?? Number.NaN;
    if (row < 0 || seen <= newest || !Number.isFinite(percent)) continue;
    [newest, fee] = [seen, percent / 100];
  }
  return fee;
}
