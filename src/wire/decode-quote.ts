import { type Currency, currency, type LaneId, type ProductCode, productCode, type QuoteId, quoteId } from '../domain/names.ts';
import type { Quote, QuoteSide } from '../domain/quote.ts';
import { serviceTimeMs } from './service-time.ts';

/** Where a frame came from: its lane, and the subscription that was current there. */
export interface FrameOrigin {
  readonly lane: LaneId;
  readonly epoch: number;
}

/** A parsed JSON object whose fields are still to be checked. */
export type Fields = { readonly [name: string]: unknown };

/** Narrows a parsed JSON value to an object: not null, not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks a parsed `TQ` message and builds the quote (spec 2.8), or says in a few fixed words why it is refused. By hand, since every quote
 * passes here; `schemas.ts` says the same in zod and a property test keeps the two equal. Unknown fields are ignored,
 * and so is `avgQuote`, which is for display only (spec 2.8, rule 3).
 */
export function decodeQuote(message: Fields, origin: FrameOrigin): Quote | string {
  const id = message.id;
  let name: QuoteId | null = null;
  if (typeof id === 'string') {
    if (!isUuid(id)) return 'id is not a UUID';
    name = quoteId(id);
  } else if (id !== undefined && id !== null) return 'id is not a UUID';
  const product = productNames.get(message.productCode);
  if (product === undefined) return 'productCode is not a code';
  const baseCcy = currencyNames.get(message.baseCcy);
  if (baseCcy === undefined) return 'baseCcy is not a code';
  const quoteCcy = currencyNames.get(message.quoteCcy);
  if (quoteCcy === undefined) return 'quoteCcy is not a code';
  const buy = decodeSide(message.buyQuote, BUY_FAULTS);
  if (typeof buy === 'string') return buy;
  const sell = decodeSide(message.sellQuote, SELL_FAULTS);
  if (typeof sell === 'string') return sell;
  const { feePercentage, spread, spreadPercentage, dailyChangePercentage, validUntil } = message;
  if (!isRealNumber(feePercentage) || feePercentage < 0) return 'feePercentage is not a number of at least 0';
  if (!isRealNumber(spread)) return 'spread is not a number';
  if (!isRealNumber(spreadPercentage)) return 'spreadPercentage is not a number';
  if (!isRealNumber(dailyChangePercentage)) return 'dailyChangePercentage is not a number';
  const expiry = typeof validUntil === 'string' ? serviceTimeMs(validUntil) : Number.NaN;
  if (Number.isNaN(expiry)) return 'validUntil is not a time with a zone between 2000 and 2200';
  return Object.freeze<Quote>({
    id: name,
    product,
    baseCcy,
    quoteCcy,
    buy,
    sell,
    feePercentage: feePercentage + 0,
    spread: spread + 0,
    spreadPercentage: spreadPercentage + 0,
    dailyChangePercentage: dailyChangePercentage + 0,
    validUntil: expiry,
    lane: origin.lane,
    epoch: origin.epoch,
  });
}

/** What can be wrong with one side, worded once so that refusals can be counted by their text. */
const faultsOf = (side: string) => ({
  missing: `${side} is missing`,
  price: `${side}.price is not a positive number`,
  size: `${side}.size is not a positive number`,
  value: `${side}.value is not a positive number`,
  feeInBaseCcy: `${side}.feeInBaseCcy is not a number of at least 0`,
  feeInQuoteCcy: `${side}.feeInQuoteCcy is not a number of at least 0`,
  slippage: `${side}.slippage is not a number`,
  slippagePercentage: `${side}.slippagePercentage is not a number`,
});
const BUY_FAULTS = faultsOf('buyQuote');
const SELL_FAULTS = faultsOf('sellQuote');

/** Adding 0 turns -0, which JSON can carry, into 0 (B02). */
function decodeSide(side: unknown, faults: typeof BUY_FAULTS): QuoteSide | string {
  if (!isFields(side)) return faults.missing;
  const { price, size, value, feeInBaseCcy, feeInQuoteCcy, slippage, slippagePercentage } = side;
  if (!isRealNumber(price) || price <= 0) return faults.price;
  if (!isRealNumber(size) || size <= 0) return faults.size;
  if (!isRealNumber(value) || value <= 0) return faults.value;
  if (!isRealNumber(feeInBaseCcy) || feeInBaseCcy < 0) return faults.feeInBaseCcy;
  if (!isRealNumber(feeInQuoteCcy) || feeInQuoteCcy < 0) return faults.feeInQuoteCcy;
  if (!isRealNumber(slippage)) return faults.slippage;
  if (!isRealNumber(slippagePercentage)) return faults.slippagePercentage;
  return Object.freeze<QuoteSide>({
    price,
    size,
    value,
    feeInBaseCcy: feeInBaseCcy + 0,
    feeInQuoteCcy: feeInQuoteCcy + 0,
    slippage: slippage + 0,
    slippagePercentage: slippagePercentage + 0,
  });
}

/** A JSON number that is one: `1e400` parses to Infinity (B01), and digits in a string are no number. */
function isRealNumber(value: unknown): value is number {
  return typeof value === 'number' && value - value === 0;
}

const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

/** Any UUID by form, in either case; what the service sent is what an order sends back. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
const MOST_NAMES = 10_000;

/** True for what may name a product or currency: plain ASCII, nothing of paths, queries or look-alikes (B22). */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** Checked names, each checked and kept once: the same few come twice a second on every lane. */
class Names<Name extends string> {
  private readonly known = new Map<unknown, Name>();
  private readonly make: (text: string) => Name;

  constructor(make: (text: string) => Name) {
    this.make = make;
  }

  get(text: unknown): Name | undefined {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (typeof text !== 'string' || !isCode(text)) return undefined;
    if (this.known.size >= MOST_NAMES) this.known.clear();
    const name = this.make(text);
    this.known.set(text, name);
    return name;
  }
}

const productNames = new Names<ProductCode>(productCode);
const currencyNames = new Names<Currency>(currency);
