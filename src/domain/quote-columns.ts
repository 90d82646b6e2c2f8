import { figureAt } from './figure-at.ts';
import { type Currency, type LaneId, type Millis, type ProductCode, type QuoteId, quoteId } from './names.ts';
import { oncePer } from './once-per.ts';
import type { Quote, QuoteSide } from './quote.ts';

/** Figures of one side of the quotes of a lane, an entry a quote. */
export interface SideColumns {
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly value: Float64Array;
  readonly feeInBaseCcy: Float64Array;
  readonly feeInQuoteCcy: Float64Array;
  readonly slippage: Float64Array;
  readonly slippagePercentage: Float64Array;
}

/**
 * Recorded quotes of one lane (spec 2.8), an entry a quote, in the order of the recording. Times are Unix milliseconds.
 * Columns are read-only and may lie in shared memory.
 */
export interface QuoteColumns {
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  /** Width of the bars whose ends its quotes are, in milliseconds; absent for plain quotes. */
  readonly barMs?: Millis;
  readonly length: number;
  /** Line of the recording, counted over all lanes and events. It orders quotes of equal time. */
  readonly line: Float64Array;
  /** Inbox number in its run; NaN if a newer quote replaced it before its turn, or if there was no run. */
  readonly n: Float64Array;
  /** Our time of arrival. */
  readonly at: Float64Array;
  readonly epoch: Float64Array;
  /** On the service's clock. */
  readonly validUntil: Float64Array;
  readonly buy: SideColumns;
  readonly sell: SideColumns;
  readonly feePercentage: Float64Array;
  readonly spread: Float64Array;
  readonly spreadPercentage: Float64Array;
  readonly dailyChangePercentage: Float64Array;
  /** The quotes' ids, 16 bytes each; all zero for a quote without one. */
  readonly ids: Uint8Array;
  /** Ids that do not fit into 16 bytes, such as one in capitals, by index. */
  readonly oddIds: ReadonlyMap<number, string>;
}

/** What positions are valued by: prices and sizes of a lane over time, recorded or modelled. */
export interface PriceColumns extends Pick<QuoteColumns, 'lane' | 'product' | 'baseCcy' | 'quoteCcy' | 'barMs' | 'length' | 'at'> {
  readonly buy: Pick<SideColumns, 'price' | 'size'>;
  readonly sell: Pick<SideColumns, 'price' | 'size'>;
}

/** A range of rows; the end is exclusive. */
export type RowRange = readonly [from: number, to: number];

/** The names of a recorded quote: its id, its lane and its subscription. */
interface QuoteNames {
  readonly id: QuoteId | null;
  readonly lane: LaneId;
  readonly epoch: number;
}

/** One quote of a lane, with the doubles that were recorded. Throws a RangeError for an index without a quote. */
export function quoteAt(columns: QuoteColumns, index: number): Quote {
  return quoteNamed(columns, index, { id: idAt(columns, index), lane: columns.lane, epoch: columns.epoch[index] ?? 0 });
}

/** As `quoteAt`, for reading a lane quote by quote. */
export function quotesOf(columns: QuoteColumns): (index: number) => Quote {
  const id = idsOf(columns);
  const { lane, epoch } = columns;
  return (index) => quoteNamed(columns, index, { id: id(index), lane, epoch: epoch[index] ?? 0 });
}

/** Number of ids that `idsOf` converts at once. */
const BLOCK = 256;

/** As `idAt`, for reading a lane quote by quote. Texts are made in blocks. */
export function idsOf({ ids, oddIds }: QuoteColumns): (index: number) => QuoteId | null {
  let from = -1;
  let texts = '';
  return (index) => {
    const place = index % BLOCK;
    if (index - place !== from) {
      from = index - place;
      texts = idTexts(ids.subarray(from * 16, (from + BLOCK) * 16));
    }
    const odd = oddIds.size > 0 ? oddIds.get(index) : undefined;
    if (odd !== undefined) return quoteId(odd);
    const text = texts.slice(place * 36, place * 36 + 36);
    return text === NO_ID ? null : quoteId(text);
  };
}

/** The id of a quote, or null if it had none. */
export function idAt({ ids, oddIds }: QuoteColumns, index: number): QuoteId | null {
  const odd = oddIds.size > 0 ? oddIds.get(index) : undefined;
  if (odd !== undefined) return quoteId(odd);
  const own = ids.subarray(index * 16, index * 16 + 16);
  return own.every(isZero) ? null : quoteId(idTexts(own));
}

const isZero = (byte: number): boolean => byte === 0;

/** Facts about the quotes of a set of columns. */
interface Natures {
  /** At least one has the number of a run's inbox. */
  readonly numbered: boolean;
  /** At least one has an id that 16 bytes tell. */
  readonly identified: boolean;
  /** Times never fall; those of runs that overlap do. */
  readonly ordered: boolean;
}

/** What is true of columns as a whole: many backtests on the same quotes ask, and each lane that is acquired. */
export const naturesOf = oncePer(
  ({ n, ids, at }: QuoteColumns): Natures => ({ numbered: hasNumber(n), identified: hasByte(ids), ordered: isRising(at) }),
);

// Loops: a function for each of the bytes of a long recording takes fifty times as long.
function hasByte(bytes: Uint8Array): boolean {
  for (let place = 0; place < bytes.length; place += 1) if (bytes[place] !== 0) return true;
  return false;
}

function hasNumber(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row += 1) if (!Number.isNaN(column[row])) return true;
  return false;
}

function isRising(times: Float64Array): boolean {
  for (let row = 1; row < times.length; row += 1) if (!(figureAt(times, row) >= figureAt(times, row - 1))) return false;
  return true;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const PLAIN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Writes an id as 16 bytes at `offset`. Returns false and writes nothing if the id does not fit. */
export function writeId(id: string, ids: Uint8Array, offset: number): boolean {
  if (!PLAIN_ID.test(id) || id === NO_ID) return false;
  let at = offset;
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) i += 1;
    ids[at] = (nibble(id.charCodeAt(i)) << 4) | nibble(id.charCodeAt(i + 1));
    at += 1;
  }
  return true;
}

const nibble = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** The characters of the two digits of each byte, one after the other. */
const DIGITS = Uint8Array.from({ length: 512 }, (_, place) => {
  const nibble = place & 1 ? (place >> 1) & 15 : place >> 5;
  return nibble < 10 ? 48 + nibble : 87 + nibble;
});
const DASH = 45;
const ascii = new TextDecoder();

/** The texts of ids of 16 bytes each, 36 characters a text, one after the other. */
export function idTexts(ids: Uint8Array): string {
  const text = new Uint8Array((ids.length / 16) * 36);
  let to = 0;
  for (let i = 0; i < ids.length; i += 1) {
    const place = i & 15;
    if (place === 4 || place === 6 || place === 8 || place === 10) text[to++] = DASH;
    const byte = (ids[i] ?? 0) << 1;
    text[to++] = DIGITS[byte] ?? 0;
    text[to++] = DIGITS[byte + 1] ?? 0;
  }
  return ascii.decode(text);
}

/** A recorded quote under given names. Throws a RangeError for an index without a quote. */
export function quoteNamed(columns: QuoteColumns, index: number, { id, lane, epoch }: QuoteNames): Quote {
  if (!(index >= 0 && index < columns.length)) throw new RangeError(`no quote ${index} among ${columns.length} of ${columns.lane}`);
  const { product, baseCcy, quoteCcy } = columns;
  return Object.freeze<Quote>({
    id,
    product,
    baseCcy,
    quoteCcy,
    buy: sideOf(columns.buy, index),
    sell: sideOf(columns.sell, index),
    feePercentage: columns.feePercentage[index] ?? 0,
    spread: columns.spread[index] ?? 0,
    spreadPercentage: columns.spreadPercentage[index] ?? 0,
    dailyChangePercentage: columns.dailyChangePercentage[index] ?? 0,
    validUntil: columns.validUntil[index] ?? 0,
    lane,
    epoch,
  });
}

function sideOf(columns: SideColumns, index: number): QuoteSide {
  return Object.freeze<QuoteSide>({
    price: columns.price[index] ?? 0,
    size: columns.size[index] ?? 0,
    value: columns.value[index] ?? 0,
    feeInBaseCcy: columns.feeInBaseCcy[index] ?? 0,
    feeInQuoteCcy: columns.feeInQuoteCcy[index] ?? 0,
    slippage: columns.slippage[index] ?? 0,
    slippagePercentage: columns.slippagePercentage[index] ?? 0,
  });
}
