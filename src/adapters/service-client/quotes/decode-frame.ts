import { figureIn } from '#adapters/service-client/figures.ts';
import { messageOf } from '#domain/errors.ts';
import type { BasicQuote, BookLevel, FullQuote } from '#domain/indicative-quote.ts';
import { productCode as canonical } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { decodeQuote, type Fields, type FrameOrigin, isCode, isFields } from './decode-quote.ts';
import type { SubscriptionEcho } from './messages.ts';

/** What a text frame of the quotes feed turned out to be (spec 2.8). */
export type Frame =
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'ack'; readonly echo: SubscriptionEcho }
  | { readonly kind: 'err'; readonly text: string }
  | { readonly kind: 'basic'; readonly basic: BasicQuote }
  | { readonly kind: 'full'; readonly full: FullQuote }
  | { readonly kind: 'ignored'; readonly msgType: string }
  | { readonly kind: 'malformed'; readonly why: string };

/** Largest frame looked into; the socket's own cap is the same. */
export const MAX_FRAME_CHARS = 1 << 20;

/**
 * Decodes one text frame. Never throws: what is not a message is `malformed` with a reason of a few fixed words, a
 * message of an unknown kind is `ignored` by its name, unknown fields are passed over (F35, B10-B16).
 */
export function decodeFrame(text: string, origin: FrameOrigin): Frame {
  if (text.length > MAX_FRAME_CHARS) return malformed('longer than 1 MiB');
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    return malformed(error instanceof SyntaxError ? 'not JSON' : messageOf(error));
  }
  if (!isFields(message)) return malformed('not a JSON object');
  switch (message.msgType) {
    case 'TQ': {
      const quote = decodeQuote(message, origin);
      return typeof quote === 'string' ? malformed(`TQ: ${quote}`) : { kind: 'quote', quote };
    }
    case 'ACK':
      return decodeAck(message);
    case 'ERR':
      return typeof message.errorMsg === 'string'
        ? { kind: 'err', text: printable(message.errorMsg) }
        : malformed('ERR: errorMsg is not a string');
    case 'BQ':
      return decodeBasic(message);
    case 'FQ':
      return decodeFull(message);
    default:
      return typeof message.msgType === 'string'
        ? { kind: 'ignored', msgType: printable(message.msgType).slice(0, 32) }
        : malformed('msgType is not a string');
  }
}

/** Text of the service as it may be shown: one line, bounded, without control characters or broken surrogates. */
export function printable(text: string, most = 300): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

const malformed = (why: string): Frame => ({ kind: 'malformed', why });

function decodeAck(message: Fields): Frame {
  const query = message.query;
  if (!isFields(query)) return malformed('ACK: query is missing');
  const { quoteType, productCode = null } = query;
  if (typeof quoteType !== 'string') return malformed('ACK: query.quoteType is not a string');
  if (productCode !== null && typeof productCode !== 'string') return malformed('ACK: query.productCode is not a string');
  const inputSize = amountIn(query.inputSize);
  if (inputSize === undefined) return malformed('ACK: query.inputSize is not a number');
  const inputValue = amountIn(query.inputValue);
  if (inputValue === undefined) return malformed('ACK: query.inputValue is not a number');
  return { kind: 'ack', echo: { quoteType, productCode, inputSize, inputValue } };
}

/** An echoed amount, as a number or as text: null when absent, undefined when it is nothing that the specification knows. */
function amountIn(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  const amount = figureIn(value);
  return Number.isNaN(amount) ? undefined : amount;
}

function decodeBasic(message: Fields): Frame {
  const { productCode, price } = message;
  if (typeof productCode !== 'string' || !isCode(productCode)) return malformed('BQ: productCode is not a code');
  const figure = figureIn(price);
  const shown = Number.isNaN(figure) ? null : figure;
  return { kind: 'basic', basic: { product: canonical(productCode), ...display(message), price: shown } };
}

function decodeFull(message: Fields): Frame {
  const { productCode } = message;
  if (typeof productCode !== 'string' || !isCode(productCode)) return malformed('FQ: productCode is not a code');
  const bids = levelsIn(message.bids, (a, b) => b.price - a.price);
  const asks = levelsIn(message.asks, (a, b) => a.price - b.price);
  if (bids === null || asks === null) return malformed('FQ: bids and asks are not lists of price and size');
  return { kind: 'full', full: { product: canonical(productCode), ...display(message), bids, asks } };
}

function display(message: Fields): Pick<BasicQuote, 'baseCcy' | 'quoteCcy' | 'time'> {
  const shown = (value: unknown): string | null => (typeof value === 'string' ? printable(value, 40) : null);
  const code = (value: unknown): string | null => shown(value)?.toLowerCase() ?? null;
  return { baseCcy: code(message.baseCcy), quoteCcy: code(message.quoteCcy), time: shown(message.time) };
}

const MAX_LEVELS = 1000;

/** Names under which a level may have its price and its size; the specification shows none (2.8). */
const PRICES = ['price', 'rate', 'px', 'p'] as const;
const SIZES = ['size', 'quantity', 'qty', 'amount', 'volume', 'sz', 'q', 's'] as const;

/**
 * The levels of one side of a full quote, best first, whose order the specification leaves open: objects with a price and a size under any
 * usual name, or pairs of the two, as numbers or texts. Null where it is no list, or a level says neither.
 */
function levelsIn(value: unknown, bestFirst: (a: BookLevel, b: BookLevel) => number): BookLevel[] | null {
  if (!Array.isArray(value)) return null;
  const levels: BookLevel[] = [];
  for (const level of value) {
    const price = figureIn(partOf(level, 0, PRICES));
    const size = figureIn(partOf(level, 1, SIZES));
    if (!(price > 0 && size >= 0)) return null;
    levels.push({ price, size });
  }
  const isSorted = levels.every((level, n) => bestFirst(levels[n - 1] ?? level, level) <= 0);
  return (isSorted ? levels : levels.sort(bestFirst)).slice(0, MAX_LEVELS);
}

function partOf(level: unknown, place: number, names: readonly string[]): unknown {
  if (Array.isArray(level)) return level[place];
  if (!isFields(level)) return undefined;
  const name = names.find((one) => level[one] !== undefined && level[one] !== null);
  return name === undefined ? undefined : level[name];
}
