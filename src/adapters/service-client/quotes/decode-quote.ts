import { serviceTimeMs } from '#adapters/service-client/clock/service-time.ts';
import { derived, figureIn, hasFeeInValue, isValueOf } from '#adapters/service-client/figures.ts';
import { isLaneOfValue } from '#domain/lane.ts';
import {
  type Currency,
  currency,
  isProductCode,
  type LaneId,
  type ProductCode,
  productCode,
  type QuoteId,
  quoteId,
} from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';

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
 * passes here; `test/support/quote-schema.ts` says the same in zod and a property test keeps the two equal. Strict about what a decision rests on:
 * names, prices, sizes, expiry and a fee. What follows from those is worked out where it is missing or cannot be read; what is for
 * display is indifferent, `avgQuote` (rule 3) and unknown fields among it.
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
  const feePercentage = figureIn(message.feePercentage);
  if (feePercentage < 0) return 'feePercentage is not a number of at least 0';
  const { buyQuote, sellQuote } = message;
  if (!isFields(buyQuote)) return BUY_FAULTS.missing;
  if (!isFields(sellQuote)) return SELL_FAULTS.missing;
  const mid = (figureIn(buyQuote.price) + figureIn(sellQuote.price)) / 2;
  const isOfValue = isLaneOfValue(origin.lane);
  let buy = decodeSide(buyQuote, { feePercentage, mid, isOfValue, faults: BUY_FAULTS });
  if (typeof buy === 'string') return buy;
  let sell = decodeSide(sellQuote, { feePercentage, mid, isOfValue, faults: SELL_FAULTS });
  if (typeof sell === 'string') return sell;
  // On both sides, since a purchase whose size is net of its fee looks the same.
  if (includesFee(buy, true) && includesFee(sell, false)) [buy, sell] = [withoutFee(buy), withoutFee(sell)];
  const expiry = expiryIn(message.validUntil);
  if (Number.isNaN(expiry)) return 'validUntil is not a time with a zone between 2000 and 2200';
  const apart = buy.price - sell.price;
  return Object.freeze<Quote>({
    id: name,
    product,
    baseCcy,
    quoteCcy,
    buy,
    sell,
    feePercentage: said(feePercentage) ? feePercentage : derived((buy.feeInQuoteCcy / buy.value) * 100),
    spread: either(figureIn(message.spread), apart),
    spreadPercentage: either(figureIn(message.spreadPercentage), (apart / mid) * 100),
    dailyChangePercentage: either(figureIn(message.dailyChangePercentage), 0),
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
  notTheValue: `${side}.value is not price x size, with the fee or without it`,
  feeInBaseCcy: `${side}.feeInBaseCcy is not a number of at least 0`,
  feeInQuoteCcy: `${side}.feeInQuoteCcy is not a number of at least 0`,
  fee: `${side} says no fee, and feePercentage none either`,
});
const BUY_FAULTS = faultsOf('buyQuote');
const SELL_FAULTS = faultsOf('sellQuote');

interface SideContext {
  readonly feePercentage: number;
  readonly mid: number;
  /** The lane is of an amount in quote currency, so that sizes are rounded. */
  readonly isOfValue: boolean;
  readonly faults: typeof BUY_FAULTS;
}

/**
 * The two fees are two expressions of one (notes to the specification): either gives the other, and the percentage gives both. A
 * slippage that is not said is at least the distance from the mid.
 */
function decodeSide(side: Fields, { feePercentage, mid, isOfValue, faults }: SideContext): QuoteSide | string {
  const price = figureIn(side.price);
  if (!(price > 0)) return faults.price;
  const size = figureIn(side.size);
  if (!(size > 0)) return faults.size;
  const value = side.value === undefined || side.value === null ? derived(price * size) : figureIn(side.value);
  if (!(value > 0)) return faults.value;
  const base = figureIn(side.feeInBaseCcy);
  if (base < 0) return faults.feeInBaseCcy;
  const quoted = figureIn(side.feeInQuoteCcy);
  if (quoted < 0) return faults.feeInQuoteCcy;
  const fee = said(quoted) ? quoted : said(base) ? derived(base * price) : derived((price * size * feePercentage) / 100);
  if (!said(fee)) return faults.fee;
  if (!isValueOf({ price, size, value, fee, isOfValue })) return faults.notTheValue;
  const slippage = either(figureIn(side.slippage), Math.abs(price - mid));
  return Object.freeze<QuoteSide>({
    price,
    size,
    value,
    feeInBaseCcy: said(base) ? base : derived(fee / price),
    feeInQuoteCcy: fee,
    slippage,
    slippagePercentage: either(figureIn(side.slippagePercentage), (slippage / mid) * 100),
  });
}

const includesFee = ({ price, size, value, feeInQuoteCcy: fee }: QuoteSide, isBuy: boolean): boolean =>
  hasFeeInValue({ price, size, value, fee, isBuy });

const withoutFee = (side: QuoteSide): QuoteSide => Object.freeze({ ...side, value: derived(side.price * side.size) });

const said = (figure: number): boolean => !Number.isNaN(figure);

/** What the service says, or else what follows. */
function either(figure: number, otherwise: number): number {
  return said(figure) ? figure : derived(otherwise);
}

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2201, 0, 1);

/** An ISO time with its zone, or Unix milliseconds as a number, which leaves no doubt; not a number for anything else. */
function expiryIn(validUntil: unknown): number {
  if (typeof validUntil === 'string') return serviceTimeMs(validUntil);
  return typeof validUntil === 'number' && validUntil >= EARLIEST_MS && validUntil < LATEST_MS ? Math.floor(validUntil) : Number.NaN;
}

const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

/** Any UUID by form, in either case; what the service sent is what an order sends back. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
const MAX_NAMES = 10_000;

/** True for what may name a currency: plain ASCII, nothing of paths, queries or look-alikes (B22). */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** Checked names, each checked and kept once: the same few come twice a second on every lane. */
class Names<Name extends string> {
  private readonly known = new Map<unknown, Name>();
  private readonly make: (text: string) => Name;
  private readonly isName: (text: string) => boolean;

  constructor(make: (text: string) => Name, isName: (text: string) => boolean) {
    this.make = make;
    this.isName = isName;
  }

  get(text: unknown): Name | undefined {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (typeof text !== 'string' || !this.isName(text)) return undefined;
    if (this.known.size >= MAX_NAMES) this.known.clear();
    const name = this.make(text);
    this.known.set(text, name);
    return name;
  }
}

const productNames = new Names<ProductCode>(productCode, isProductCode);
const currencyNames = new Names<Currency>(currency, isCode);
