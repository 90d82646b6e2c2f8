/** A string that is known to name one kind of thing. The compiler refuses to mix up two kinds. */
type Name<Kind extends string> = string & { readonly __name: Kind };

/** A product in lower case, as `btcusd`. */
export type ProductCode = Name<'product'>;
/** A currency in lower case, as `usd`. */
export type Currency = Name<'currency'>;
/** The id of a quote, given by the service (spec 2.8). */
export type QuoteId = Name<'quote'>;
/** The id of an order, given by Kairos. */
export type OrderId = Name<'order'>;
/** The name of a lane or display input, as `btcusd@base:0.1`. */
export type LaneId = Name<'lane'>;
/** The id of a strategy in the configuration. */
export type StrategyId = Name<'strategy'>;
/** The id of a run. */
export type RunId = Name<'run'>;

/**
 * The internal form of a product or currency: lower case, whatever the service, a setting or an older journal writes.
 * Requests have the service's own spelling (`adapters/service-client/spelling.ts`).
 */
export const productCode = (text: string): ProductCode => text.toLowerCase() as ProductCode;
/** A currency in the internal form. */
export const currency = (text: string): Currency => text.toLowerCase() as Currency;
/** Marks a text as the id of a quote. */
export const quoteId = (text: string): QuoteId => text as QuoteId;
/** Marks a text as the id of an order. */
export const orderId = (text: string): OrderId => text as OrderId;
/** The form of a product code: plain ASCII with a slash or a colon inside, without paths and without look-alike letters (B22). */
export const PRODUCT_CODE = /^(?!.*(?:\.\.|\/\/|\/\.|\.\/))[A-Za-z0-9](?:[A-Za-z0-9._:/-]{0,62}[A-Za-z0-9])?$/;

/** True for a text that has the form of a product code. */
export function isProductCode(text: string): boolean {
  return PRODUCT_CODE.test(text);
}

/** The name of a lane, as in `btcusd@base:0.1`, with its product in lower case. */
export function laneIdOf(text: string): LaneId {
  const end = text.indexOf('@');
  if (end < 0) return text as LaneId;
  return `${text.slice(0, end).toLowerCase()}${text.slice(end)}` as LaneId;
}

/** Marks a text as the id of a strategy. */
export const strategyId = (text: string): StrategyId => text as StrategyId;
/** Marks a text as the id of a run. */
export const runId = (text: string): RunId => text as RunId;

/** Milliseconds since 1970 UTC on the engine's clock (whole, never going back), or on the service's where named so. */
export type Millis = number;

/** The minute that was written last. The next text mostly differs in seconds and milliseconds only. */
let minute = Number.NaN;
let minuteText = '';

/** ISO 8601 UTC with milliseconds, as in every table. Throws a RangeError for a number that is no time. */
export function isoTime(ms: Millis): string {
  const ofMinute = Math.floor(ms / 60_000);
  if (ofMinute !== minute) {
    minuteText = new Date(ofMinute * 60_000).toISOString().slice(0, -7);
    minute = ofMinute;
  }
  const rest = Math.trunc(ms - ofMinute * 60_000);
  const millis = rest % 1000;
  const seconds = (rest - millis) / 1000;
  return `${minuteText}${seconds < 10 ? '0' : ''}${seconds}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`;
}
