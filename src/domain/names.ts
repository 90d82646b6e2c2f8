/** A string that has been checked to name one kind of thing, so that two kinds cannot be mixed up. */
type Name<Kind extends string> = string & { readonly __name: Kind };

export type ProductCode = Name<'product'>;
export type Currency = Name<'currency'>;
export type QuoteId = Name<'quote'>;
export type OrderId = Name<'order'>;
export type LaneId = Name<'lane'>;
export type StrategyId = Name<'strategy'>;
export type RunId = Name<'run'>;

/**
 * The one form in which a product or currency is known here: small letters, whatever the service, a setting or an older journal
 * writes. The wire has the service's own spelling (`adapters/service/spelling.ts`).
 */
export const productCode = (text: string): ProductCode => text.toLowerCase() as ProductCode;
export const currency = (text: string): Currency => text.toLowerCase() as Currency;
export const quoteId = (text: string): QuoteId => text as QuoteId;
export const orderId = (text: string): OrderId => text as OrderId;
/** What a product code is by form: plain ASCII, a slash or a colon inside, and nothing that leads through folders or looks like another letter (B22). */
export const PRODUCT_CODE = /^(?!.*(?:\.\.|\/\/|\/\.|\.\/))[A-Za-z0-9](?:[A-Za-z0-9._:/-]{0,62}[A-Za-z0-9])?$/;

export function isProductCode(text: string): boolean {
  return PRODUCT_CODE.test(text);
}

/** The name of a lane, `btcusd@base:0.1`; its product in small letters like any other. */
export function laneIdOf(text: string): LaneId {
  const end = text.indexOf('@');
  if (end < 0) return text as LaneId;
  return `${text.slice(0, end).toLowerCase()}${text.slice(end)}` as LaneId;
}
export const strategyId = (text: string): StrategyId => text as StrategyId;
export const runId = (text: string): RunId => text as RunId;

/** Milliseconds since 1970 UTC on the engine's clock (whole, never going back), or on the service's where named so. */
export type Millis = number;

/** The minute that was written last: time goes on slowly, so the next text mostly differs after its minutes alone. */
let minute = Number.NaN;
let minuteText = '';

/** ISO 8601 UTC with milliseconds, as every table and table-like output shows time. Throws a RangeError on what is no time. */
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
