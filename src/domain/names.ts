/** A string that has been checked to name one kind of thing, so that two kinds cannot be mixed up. */
type Name<Kind extends string> = string & { readonly __name: Kind };

export type ProductCode = Name<'product'>;
export type Currency = Name<'currency'>;
export type QuoteId = Name<'quote'>;
export type OrderId = Name<'order'>;
export type LaneId = Name<'lane'>;
export type StrategyId = Name<'strategy'>;
export type RunId = Name<'run'>;

export const productCode = (text: string): ProductCode => text as ProductCode;
export const currency = (text: string): Currency => text as Currency;
export const quoteId = (text: string): QuoteId => text as QuoteId;
export const orderId = (text: string): OrderId => text as OrderId;
export const laneIdOf = (text: string): LaneId => text as LaneId;
export const strategyId = (text: string): StrategyId => text as StrategyId;
export const runId = (text: string): RunId => text as RunId;

/** Milliseconds since 1970 UTC on the engine's clock (whole, never going back), or on the service's where named so. */
export type Millis = number;

/** ISO 8601 UTC with milliseconds, as every table and table-like output shows time. */
export const isoTime = (ms: Millis): string => new Date(ms).toISOString();
