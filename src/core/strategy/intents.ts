import { Decimal, decimalOf } from '#domain/decimal.ts';
import type { Hold, Intent, IntentSize } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import type { Side } from '#domain/quote.ts';
import type { View } from './contract.ts';
import { type Duration, durationMs } from './duration.ts';

type Figure = number | string | Decimal;

/** A size to trade, as strategies write it: `view.amount`, `{ base: 0.01 }`, `{ quote: '250' }`. */
export type AmountLike = Amount | { readonly base: Figure } | { readonly quote: Figure };

/** How an intent is worked. */
export interface IntentOptions {
  /** Worst price accepted, in quote currency: the highest to buy at, the lowest to sell at. */
  readonly limit?: number;
  /** Try it on each new quote for so long, `'5s'` or milliseconds; without, on the present quote only. */
  readonly within?: Duration;
  /** Name of a lane input to trade on, instead of the main lane. */
  readonly on?: string;
  /** A word that journal and reports group by. */
  readonly tag?: string;
}

/** Wants to buy an amount, or all of a short position. Throws on an amount that is not a positive number. */
export function buy(amount: AmountLike | 'position', reason: string, options: IntentOptions = {}): Intent {
  return intent('buy', sizeOf(amount, 'buy'), { reason, options });
}

/** Wants to sell an amount, or all of a long position. Throws on an amount that is not a positive number. */
export function sell(amount: AmountLike | 'position', reason: string, options: IntentOptions = {}): Intent {
  return intent('sell', sizeOf(amount, 'sell'), { reason, options });
}

/** Wants to close a share of the position, long or short: above 0 and at most 100 percent. Throws a RangeError for any other share. */
export function close(percent: number, reason: string, options: IntentOptions = {}): Intent {
  if (!(percent > 0 && percent <= 100)) throw new RangeError(`close: a share is above 0 and at most 100 percent, not ${percent}`);
  return intent(null, { kind: 'percent', percent }, { reason, options });
}

/** Wants the position to become `size` in base currency: positive long, negative short, 0 flat. */
export function target(size: Figure, reason: string, options: IntentOptions = {}): Intent {
  return intent(null, { kind: 'target', size: figure(size, 'target') }, { reason, options });
}

/** Says why nothing is done; kept in the journal. */
export function hold(reason: string): Hold {
  return Object.freeze({ kind: 'hold', reason: reasoned(reason, 'hold') });
}

const OPTIONS: readonly string[] = ['limit', 'within', 'on', 'tag'];

function intent(side: Side | null, size: IntentSize, { reason, options }: { reason: string; options: IntentOptions }): Intent {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) throw new TypeError(`an intent takes ${OPTIONS.join(', ')}, not '${name}'`);
  }
  const { limit = null, tag = null, on = null } = options;
  if (limit !== null && !(limit > 0 && Number.isFinite(limit))) throw new RangeError(`limit: must be a price above zero, not ${limit}`);
  const within = options.within === undefined ? null : durationMs(options.within, 'within');
  if (within !== null && within < 1) throw new RangeError('within: a span is at least 1 ms');
  return Object.freeze({ kind: 'intent', side, size, reason: reasoned(reason, side ?? size.kind), tag, limit, within, on });
}

function sizeOf(amount: AmountLike | 'position', what: string): IntentSize {
  if (amount === 'position') return { kind: 'position' };
  // Modules in JavaScript pass anything.
  const given: unknown = amount;
  if (typeof given !== 'object' || given === null || !('base' in given || 'quote' in given)) {
    const forms = "{base: N}, {quote: N} or 'position'";
    if (typeof given !== 'number') throw new TypeError(`${what}: amount must be ${forms}, not ${JSON.stringify(given)}`);
    const wrong = unfitText(given);
    throw new TypeError(wrong ? `${what}: the size ${wrong}: an amount is ${forms}` : `${what}: amount must be ${forms}, not ${given}`);
  }
  const { base, quote }: { readonly base?: unknown; readonly quote?: unknown } = given;
  if (base !== undefined && quote !== undefined)
    throw new TypeError(`${what}: an amount is {base: N} or {quote: N}, not both: ${JSON.stringify(given)}`);
  const read: Amount = 'base' in amount ? { base: figure(amount.base, what) } : { quote: figure(amount.quote, what) };
  const size = 'base' in read ? read.base : read.quote;
  if (!size.gt(0)) throw new RangeError(`${what}: an amount must be above zero, not ${size}`);
  return { kind: 'amount', amount: read };
}

/** Longest text of a number. */
const MAX_DIGITS = 64;

/** Plain decimal notation: no separators, no spaces, no other bases, which a decimal's own reader would take. */
const PLAIN = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function figure(value: Figure, what: string): Decimal {
  // One of ours is a decimal already: the engine takes a copy of it.
  if (value instanceof Decimal && value.isFinite()) return value;
  const text = String(value);
  // A strategy in JavaScript, or one whose types say less than is so.
  const wrong = value === undefined || value === null ? `is missing (${value})` : unfitText(value);
  if (wrong !== undefined) throw new RangeError(`${what}: the size ${wrong}`);
  if (text.length > MAX_DIGITS) throw new RangeError(`${what}: a number of ${text.length} characters; the maximum is ${MAX_DIGITS}`);
  if (!PLAIN.test(text)) throw new RangeError(`${what}: ${JSON.stringify(text)} is not a finite number`);
  return decimalOf(text);
}

/** That a figure is NaN or infinite, in words; undefined where it is neither. */
export function unfitText(figure: unknown): string | undefined {
  const isFit = typeof figure === 'number' ? Number.isFinite(figure) : !Decimal.isDecimal(figure) || figure.isFinite();
  if (isFit) return undefined;
  const text = String(figure);
  return text === 'NaN' ? 'is not a number (NaN)' : `is not finite (${text})`;
}

function reasoned(reason: string, what: string): string {
  if (typeof reason !== 'string' || reason === '') throw new TypeError(`${what}: give a reason, in a few words`);
  return reason;
}

/** What a strategy wants to hold: one amount bought, nothing, or one amount sold short. */
export type Stance = 'long' | 'flat' | 'short';

/**
 * One step from what is held towards a stance: out of the wrong side, or from flat into the right one with the configured
 * amount; nothing once it is there. Short is flat where the account may not be short. Ask again at the next quote: a turn
 * from long to short is two orders.
 */
export function towards(
  stance: Stance,
  { position, amount, canShort }: Pick<View<unknown>, 'position' | 'amount' | 'canShort'>,
  why: { readonly reason: string } & IntentOptions,
): Intent | undefined {
  const held: Stance = position.isLong ? 'long' : position.isShort ? 'short' : 'flat';
  if (held === stance || (held === 'flat' && stance === 'short' && !canShort)) return undefined;
  const { reason, ...options } = why;
  if (held === 'long') return sell('position', reason, options);
  if (held === 'short') return buy('position', reason, options);
  return stance === 'long' ? buy(amount, reason, options) : sell(amount, reason, options);
}
