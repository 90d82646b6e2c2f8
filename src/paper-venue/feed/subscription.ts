import type { SubscriptionEcho } from '#adapters/service-client/quotes/messages.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Amount } from '#domain/lane.ts';
import { amountFault } from '#paper-venue/core/amount-check.ts';
import { type JsonObject, jsonObjectOf } from '#paper-venue/http/json.ts';
import type { VenueMarket } from '#paper-venue/market.ts';

/** A connection's subscription, and its request as echoed in the ACK. */
export type FeedSubscription = {
  readonly products: readonly string[];
  readonly echo: SubscriptionEcho;
} & ({ readonly quoteType: 'BASIC' | 'FULL' } | { readonly quoteType: 'TRADING'; readonly amount: Amount });

type SubscriptionRead = { readonly subscription: FeedSubscription } | { readonly errorMsg: string };

const MAX_NUMBER = 40;
/** JSON's grammar of numbers, which texts must follow as well. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/**
 * Reads a subscription request (spec 2.7). Returns the reason of a refusal for anything but a JSON object, for unknown
 * types and products, wrong or missing inputs, and amounts beyond the product's limits.
 */
export function readSubscription(text: string, market: VenueMarket): SubscriptionRead {
  const request = jsonObjectOf(text);
  if (!request) return { errorMsg: 'a subscription request must be a JSON object' };
  const { quoteType } = request;
  if (quoteType !== 'BASIC' && quoteType !== 'TRADING' && quoteType !== 'FULL')
    return { errorMsg: 'quoteType must be BASIC, TRADING or FULL' };
  const products = productsOf(request.productCode, market);
  if ('errorMsg' in products) return products;
  if (quoteType === 'TRADING') return tradingSubscription(request, products, market);
  if (isGiven(request.inputSize) || isGiven(request.inputValue)) return { errorMsg: `${quoteType} takes neither inputSize nor inputValue` };
  const echo = { quoteType, productCode: products.code, inputSize: null, inputValue: null };
  return { subscription: { quoteType, products: products.codes, echo } };
}

interface Products {
  /** As requested; null means all. */
  readonly code: string | null;
  readonly codes: readonly string[];
}

function productsOf(code: unknown, market: VenueMarket): Products | { readonly errorMsg: string } {
  if (code === null) return { code, codes: market.codes() };
  if (typeof code !== 'string') return { errorMsg: 'productCode must be a product code of VB, or null for all of them' };
  if (!market.product(code)) return { errorMsg: `productCode '${code.slice(0, 40)}' is not a product of VB` };
  return { code, codes: [code] };
}

function tradingSubscription(request: JsonObject, products: Products, market: VenueMarket): SubscriptionRead {
  const { inputSize, inputValue } = request;
  if (isGiven(inputSize) === isGiven(inputValue)) return { errorMsg: 'TRADING needs exactly one of inputSize and inputValue' };
  const field = isGiven(inputSize) ? 'inputSize' : 'inputValue';
  const number = numberOf(isGiven(inputSize) ? inputSize : inputValue);
  if (!number) return { errorMsg: `${field} must be a finite number` };
  const amount: Amount = field === 'inputSize' ? { base: number } : { quote: number };
  for (const code of products.codes) {
    const product = market.product(code);
    const top = market.top(code);
    const fault = product && top ? amountFault(product, top, amount) : `no prices of ${code}`;
    if (fault !== undefined) return { errorMsg: fault };
  }
  const echoed = number.toNumber();
  const echo = {
    quoteType: 'TRADING',
    productCode: products.code,
    inputSize: field === 'inputSize' ? echoed : null,
    inputValue: field === 'inputValue' ? echoed : null,
  };
  return { subscription: { quoteType: 'TRADING', products: products.codes, echo, amount } };
}

function isGiven(input: unknown): boolean {
  return input !== null && input !== undefined;
}

/** Reads a number or its text. JSON turns 1e400 into Infinity, which is refused. */
function numberOf(input: unknown): Decimal | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? decimalOf(input) : undefined;
  if (typeof input !== 'string' || input.length > MAX_NUMBER || !NUMBER.test(input)) return undefined;
  return Number.isFinite(Number(input)) ? decimalOf(input) : undefined;
}
