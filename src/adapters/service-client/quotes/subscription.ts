import { decimalOf } from '#domain/decimal.ts';
import { type Amount, amountText, type Lane, type QuoteType } from '#domain/lane.ts';
import type { SubscriptionEcho } from './messages.ts';

/** One subscription: the request as it is sent, and which echo acknowledges it (spec 2.7, 2.8). */
export interface Subscription {
  readonly text: string;
  /** What it asks for, for messages to people. */
  readonly title: string;
  readonly matches: (echo: SubscriptionEcho) => boolean;
}

/** The subscription of a lane: trading quotes of one product, written as the service writes it, for one amount. */
export function laneSubscription(lane: Lane, spelled: string = lane.product): Subscription {
  return subscriptionOf('TRADING', spelled, lane.amount);
}

/**
 * Any subscription of the feed. Amounts are sent as JSON numbers of their decimal text, so that no double stands between the
 * setting and the wire, and are compared with the echo as decimals. TRADING needs an amount, the others take none.
 */
export function subscriptionOf(quoteType: QuoteType, product: string, amount: Amount | null): Subscription {
  const head = `"quoteType":${JSON.stringify(quoteType)},"productCode":${JSON.stringify(product)}`;
  return {
    text: `{${head}${amount === null ? '' : amountField(amount)}}`,
    title: `${quoteType} ${product}${amount === null ? '' : ` ${amountText(amount)}`}`,
    matches: (echo) =>
      isSame(echo.quoteType, quoteType) && echo.productCode !== null && isSame(echo.productCode, product) && echoes(echo, amount),
  };
}

/** Codes and words are the same in large and in small letters. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** An echo as one line, for the message that says how it differs. */
export function echoText(echo: SubscriptionEcho): string {
  const amount = [!echo.inputSize ? '' : ` base:${echo.inputSize}`, !echo.inputValue ? '' : ` quote:${echo.inputValue}`].join('');
  return `${echo.quoteType} ${echo.productCode ?? 'all products'}${amount}`;
}

function amountField(amount: Amount): string {
  return 'base' in amount ? `,"inputSize":${amount.base.toString()}` : `,"inputValue":${amount.quote.toString()}`;
}

function echoes(echo: SubscriptionEcho, amount: Amount | null): boolean {
  // An amount that was not given may be echoed as 0.
  const size = echo.inputSize || null;
  const value = echo.inputValue || null;
  if (amount === null) return size === null && value === null;
  if ('base' in amount) return value === null && size !== null && decimalOf(size).eq(amount.base);
  return size === null && value !== null && decimalOf(value).eq(amount.quote);
}
