import { type Decimal, decimalOf } from './decimal.ts';
import { type LaneId, laneIdOf, type ProductCode } from './names.ts';

/** A size to trade: a number of base units, or a value in quote currency. A subscription has exactly one (spec 2.7). */
export type Amount = { readonly base: Decimal } | { readonly quote: Decimal };

/** The kinds of a subscription: executable quotes, one display price, the order book (spec 2.7). */
export type QuoteType = 'TRADING' | 'BASIC' | 'FULL';

/**
 * One connection, one product, one amount. An order names only a quote, so the size of an order is the amount of the
 * lane that its quote came from (spec 2.10, 4.5.3).
 */
export interface Lane {
  readonly id: LaneId;
  readonly product: ProductCode;
  readonly amount: Amount;
}

/** An amount as in the name of a lane: `base:0.1` or `quote:250`. */
export function amountText(amount: Amount): string {
  return 'base' in amount ? `base:${amount.base.toString()}` : `quote:${amount.quote.toString()}`;
}

/** True for the same number in the same currency; 1 and 1.0 are the same. */
export function sameAmount(a: Amount, b: Amount): boolean {
  if (a === b) return true;
  if ('base' in a) return 'base' in b && a.base.eq(b.base);
  return 'quote' in b && a.quote.eq(b.quote);
}

/** A display subscription: a product without an amount (spec 2.7). */
export interface ShownInput {
  readonly id: LaneId;
  readonly product: ProductCode;
  readonly quoteType: 'BASIC' | 'FULL';
}

/** The display input of a product. */
export function shownInput(product: ProductCode, quoteType: 'BASIC' | 'FULL'): ShownInput {
  return { id: laneIdOf(`${product}@${quoteType}`), product, quoteType };
}

/** The lane of a product and an amount. */
export function laneFor(product: ProductCode, amount: Amount): Lane {
  return { id: laneIdOf(`${product}@${amountText(amount)}`), product, amount };
}

/** True for a lane of a value in quote currency. The service decides the size of its quotes. */
export function isLaneOfValue(lane: LaneId): boolean {
  return lane.includes('@quote:');
}

/** True for a lane that was acquired for one order: it has a suffix after its amount. */
export const isLentLane = (lane: string): boolean => lane.includes('#');

/** An amount as settings and recordings write it. */
export const writtenAmount = (amount: Amount): { readonly base: string } | { readonly quote: string } =>
  'base' in amount ? { base: amount.base.toString() } : { quote: amount.quote.toString() };

/** Reads `{base: N}` or `{quote: N}` as settings and recordings write them. */
export function amountOf(text: { base: number | string } | { quote: number | string }): Amount {
  return 'base' in text ? { base: decimalOf(text.base) } : { quote: decimalOf(text.quote) };
}

/**
 * Changes of a lane's connection, in the order in which they happen (spec 3, quote feed connection). `epoch` counts
 * subscriptions: a quote belongs to the epoch in which it arrived, and older epochs are never traded on.
 */
export type LaneChange =
  | { readonly phase: 'opening'; readonly lane: LaneId; readonly epoch: number }
  | { readonly phase: 'acked'; readonly lane: LaneId; readonly epoch: number }
  | { readonly phase: 'lost'; readonly lane: LaneId; readonly epoch: number; readonly why: string }
  | { readonly phase: 'refused'; readonly lane: LaneId; readonly epoch: number; readonly why: string }
  | { readonly phase: 'disabled'; readonly lane: LaneId; readonly epoch: number; readonly why: string };

/** One line for people about a subscription whose answers do not fit the request. */
export function laneSetAside({ lane, why }: { readonly lane: LaneId; readonly why: string }): string {
  const mend = "where the service isn't in maintenance, check its product and amount (`kairos products`)";
  return `lane ${lane} is disabled until the service acknowledges it: ${why}; it is asked again, at most 30 s later each time; ${mend}`;
}
