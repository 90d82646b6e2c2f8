import type { InboxEvent, NumberedEvent } from '#domain/event.ts';
import { currency, laneIdOf, type Millis, productCode, quoteId } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';

/** Version of the lines below; readers refuse others. */
export const LOG_FORMAT = 2;

/** Within other events a number that JSON has no form for is an object with this one member. */
const DOUBLE = '$double';

/** What to do with a recording of another format. */
export const formatFault = (format: unknown, reads: number): string =>
  `its format is ${format}, and this Kairos reads ${reads}: read it with the version that made it, or move its folder away`;

/** First line of a log. */
export interface LogHeader {
  readonly kairos: 'inbox';
  readonly format: number;
  readonly run: string;
  readonly book: string;
  /** Which part of the recording it is, from 1. */
  readonly part: number;
  /** Events and quotes of the parts before it, all together. */
  readonly before: number;
}

/** A line of a log: an event with its number, or a quote that a newer one replaced before its turn. */
export type LogEntry =
  | { readonly kind: 'event'; readonly event: NumberedEvent }
  | { readonly kind: 'conflated'; readonly at: Millis; readonly quote: Quote };

/**
 * A quote as one compact array, in this order:
 * `["q", n or null, at, lane, epoch, id, product, baseCcy, quoteCcy, validUntil, [buy], [sell], feePercentage, spread,
 * spreadPercentage, dailyChangePercentage]`, each side being `[price, size, value, feeInBaseCcy, feeInQuoteCcy, slippage,
 * slippagePercentage]`. `n` null means conflated. Doubles keep their shortest text; -0, NaN and the infinities, which
 * JSON has no form for, stand as text.
 */
export function quoteLine(n: number | null, at: Millis, q: Quote): string {
  const { id, buy, sell } = q;
  return (
    `["q",${n},${at},${text(q.lane)},${q.epoch},${id === null ? 'null' : text(id)},${text(q.product)},${text(q.baseCcy)},` +
    `${text(q.quoteCcy)},${q.validUntil},${side(buy)},${side(sell)},${double(q.feePercentage)},${double(q.spread)},` +
    `${double(q.spreadPercentage)},${double(q.dailyChangePercentage)}]\n`
  );
}

/** Any other event: `{"n":1,"at":...,"event":{...}}`. */
export function eventLine({ n, at, event }: NumberedEvent): string {
  return event.kind === 'quote' ? quoteLine(n, at, event.quote) : `${JSON.stringify({ n, at, event }, exactDouble)}\n`;
}

/** An event alone, as lines of a log have it. */
export const eventText = (event: InboxEvent): string => JSON.stringify(event, exactDouble);

/** Reads `eventText` back. Throws a SyntaxError. */
export const eventOf = (text: string): InboxEvent => JSON.parse(text, revivedDouble) as InboxEvent;

/** The line that an item of a recording is written as. */
export function lineOf(item: LogEntry): string {
  return item.kind === 'conflated' ? quoteLine(null, item.at, item.quote) : eventLine(item.event);
}

/** First line of the log of `run`, which trades for `book`, or of a further part of it. */
export function headerLine(
  run: string,
  book: string,
  { part, before }: Pick<LogHeader, 'part' | 'before'> = { part: 1, before: 0 },
): string {
  const header: LogHeader = { kairos: 'inbox', format: LOG_FORMAT, run, book, part, before };
  return `${JSON.stringify(header)}\n`;
}

/** What a first line says; undefined when it is no header. */
export function headerOf(line: string): LogHeader | undefined {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || !('kairos' in value) || value.kairos !== 'inbox') return undefined;
  return value as LogHeader;
}

/** Reads a line back. Throws a SyntaxError or RangeError when it is not one of a log. */
export function recordedOf(line: string): LogEntry {
  if (line.startsWith('[')) return recordedQuote(JSON.parse(line) as QuoteArray);
  const value: unknown = JSON.parse(line, revivedDouble);
  if (typeof value !== 'object' || value === null || !('n' in value) || !('at' in value) || !('event' in value)) {
    throw new RangeError('neither an event nor a quote');
  }
  if (typeof value.n !== 'number' || typeof value.at !== 'number') throw new RangeError('an event without number or time');
  return { kind: 'event', event: { n: value.n, at: value.at, event: value.event as InboxEvent } };
}

type Double = number | string;
type SideArray = readonly [Double, Double, Double, Double, Double, Double, Double];
type QuoteArray = readonly [
  mark: string,
  n: number | null,
  at: number,
  lane: string,
  epoch: number,
  id: string | null,
  product: string,
  baseCcy: string,
  quoteCcy: string,
  validUntil: number,
  buy: SideArray,
  sell: SideArray,
  feePercentage: Double,
  spread: Double,
  spreadPercentage: Double,
  dailyChangePercentage: Double,
];

function recordedQuote(line: QuoteArray): LogEntry {
  const [mark, n, at, lane, epoch, id, product, baseCcy, quoteCcy, validUntil, buy, sell, fee, spread, spreadPercentage, change] = line;
  if (mark !== 'q' || line.length !== 16) throw new RangeError('an array that is no quote');
  const quote: Quote = Object.freeze({
    id: id === null ? null : quoteId(id),
    product: productCode(product),
    baseCcy: currency(baseCcy),
    quoteCcy: currency(quoteCcy),
    buy: sideOf(buy),
    sell: sideOf(sell),
    feePercentage: number(fee),
    spread: number(spread),
    spreadPercentage: number(spreadPercentage),
    dailyChangePercentage: number(change),
    validUntil,
    lane: laneIdOf(lane),
    epoch,
  });
  return n === null ? { kind: 'conflated', at, quote } : { kind: 'event', event: { n, at, event: { kind: 'quote', quote } } };
}

function sideOf([price, size, value, feeInBaseCcy, feeInQuoteCcy, slippage, slippagePercentage]: SideArray): QuoteSide {
  return Object.freeze({
    price: number(price),
    size: number(size),
    value: number(value),
    feeInBaseCcy: number(feeInBaseCcy),
    feeInQuoteCcy: number(feeInQuoteCcy),
    slippage: number(slippage),
    slippagePercentage: number(slippagePercentage),
  });
}

const text = (value: string): string => JSON.stringify(value);

const side = (s: QuoteSide): string =>
  `[${double(s.price)},${double(s.size)},${double(s.value)},${double(s.feeInBaseCcy)},${double(s.feeInQuoteCcy)},` +
  `${double(s.slippage)},${double(s.slippagePercentage)}]`;

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

const nameOf = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

const double = (value: number): string => (isPlain(value) ? String(value) : `"${nameOf(value)}"`);

const number = (value: Double): number => (typeof value === 'number' ? value : Number(value));

function exactDouble(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !isPlain(value) ? { [DOUBLE]: nameOf(value) } : value;
}

function revivedDouble(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(DOUBLE in value)) return value;
  return Object.keys(value).length === 1 ? Number(value[DOUBLE]) : value;
}
