import { Decimal, decimalOf } from '#domain/decimal.ts';
import { messageOf } from '#domain/errors.ts';
import type { Hold, Intent, IntentSize } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import type { Side } from '#domain/quote.ts';
import type { View } from './contract.ts';
import { type Duration, durationMs } from './duration.ts';
import type { StrategyInstance } from './instance.ts';
import { cutText, MAX_SHORT_TEXT } from './kept-text.ts';

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

/** Takes back what waits for its quote or its limit; an order on its way stays. */
export function withdraw(reason: string): Hold {
  return Object.freeze({ kind: 'hold', reason: reasoned(reason, 'withdraw'), withdraws: true });
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

/** Longest text of a number, and most digits of a size. */
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
function unfitText(figure: unknown): string | undefined {
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

/** What a strategy said to a signal; `nan`: nothing, and the signal was not a number. */
export type StrategyAnswer = DecideAnswer | { readonly kind: 'nan'; readonly why: string };

/** Legs that one decision may have, and the largest size. */
const MAX_LEGS = 20;
const LARGEST = 1e30;

/** Reads what `decide` returned, and names the place in the source of what nobody can act on. Never throws. */
export function decidedBy(returned: unknown, signal: unknown, instance: StrategyInstance): StrategyAnswer {
  const verdict = returned === undefined ? NOTHING : readReturned(returned);
  const { origin } = instance;
  if (verdict.kind === 'bad') return { ...verdict, why: placed(origin?.decide, verdict.why) };
  for (const { on } of verdict.kind === 'intents' ? verdict.intents : []) {
    if (on === null || instance.inputs?.[on]?.kind === 'lane') continue;
    return { kind: 'bad', why: placed(origin?.decide, cutText(`the intent names the input '${on}', which is not a lane`)), promise: false };
  }
  const nan = verdict.kind === 'nothing' ? nanIn(signal) : undefined;
  return nan === undefined ? verdict : { kind: 'nan', why: placed(origin?.signals, `${nan}, and decide returned nothing`) };
}

const placed = (place: string | undefined, what: string): string => (place === undefined ? what : `${place}: ${what}`);

/** Which part of a signal is not a number, in words; undefined where none is. */
function nanIn(signal: unknown): string | undefined {
  if (typeof signal === 'number') return Number.isNaN(signal) ? 'the signal is NaN' : undefined;
  if (typeof signal !== 'object' || signal === null) return undefined;
  try {
    for (const name in signal) {
      if (Object.hasOwn(signal, name) && Number.isNaN(Reflect.get(signal, name)))
        return `${cutText(name, MAX_SHORT_TEXT)} of the signal is NaN`;
    }
  } catch {
    // A getter of the strategy's threw: it is no number that could be missing.
  }
  return undefined;
}

/** What `decide` returned, read: intents, a hold, nothing, or something that is neither, with why. */
type DecideAnswer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'intents'; readonly intents: readonly Intent[] }
  | { readonly kind: 'hold'; readonly reason: Hold['reason']; readonly withdraws: boolean }
  | { readonly kind: 'bad'; readonly why: string; readonly promise: boolean };

const NOTHING: DecideAnswer = { kind: 'nothing' };
const bad = (why: string): DecideAnswer => ({ kind: 'bad', why: cutText(why), promise: false });

/** Fields that an intent may have. Others would be wishes that nobody keeps, so they are refused by name. */
const FIELDS: ReadonlySet<string> = new Set(['kind', 'side', 'size', 'reason', 'tag', 'limit', 'within', 'on']);

/**
 * Reads what a strategy returned without trusting any of it: modules may be plain JavaScript. The intent that comes
 * out is a fresh copy, so that no getter and no later change reaches the engine. Never throws.
 */
export function readReturned(returned: unknown): DecideAnswer {
  if (returned === undefined || returned === null) return NOTHING;
  try {
    if (typeof returned !== 'object') return bad(`decide returned ${describe(returned)}, not an intent`);
    if (Array.isArray(returned)) return readSeveral(returned);
    const given = new Map<string, unknown>(Object.entries(returned));
    if ('then' in returned && typeof returned.then === 'function') {
      // Nobody waits for it, and its failure is told here already: that it is a promise at all. What only looks like one is not called.
      if (returned instanceof Promise) returned.catch(() => undefined);
      return { kind: 'bad', why: 'decide returned a promise; decisions are made at once, without await', promise: true };
    }
    const reason = given.get('reason');
    if (typeof reason !== 'string' || reason === '') return bad('decide returned something without a reason');
    if (given.get('kind') === 'hold') return { kind: 'hold', reason: cutText(reason), withdraws: given.get('withdraws') === true };
    if (given.get('kind') !== 'intent') return bad("decide returned something that is neither an intent nor hold('why')");
    for (const field of given.keys()) if (!FIELDS.has(field)) return bad(`the intent has '${field}', which this version does not know`);
    return readIntent(given, reason);
  } catch (error) {
    // A getter of the strategy's threw: its word cannot be read, which is what the verdict says.
    return bad(`decide returned an object that throws when it is read: ${messageOf(error)}`);
  }
}

/** Several intents are legs, done in their order. */
function readSeveral(returned: readonly unknown[]): DecideAnswer {
  if (returned.length === 0) return NOTHING;
  if (returned.length > MAX_LEGS) return bad(`decide returned ${returned.length} intents; the maximum is ${MAX_LEGS}`);
  const intents: Intent[] = [];
  for (const [index, one] of returned.entries()) {
    const verdict = Array.isArray(one) ? bad('a list within a list') : readReturned(one);
    if (verdict.kind === 'bad') return { ...verdict, why: `intent ${index + 1} of ${returned.length}: ${verdict.why}` };
    if (verdict.kind !== 'intents') return bad(`intent ${index + 1} of ${returned.length} is not an intent`);
    intents.push(...verdict.intents);
  }
  return { kind: 'intents', intents };
}

function readIntent(given: ReadonlyMap<string, unknown>, reason: string): DecideAnswer {
  const size = readSize(given.get('size'));
  if (typeof size === 'string') return bad(size);
  const side = given.get('side');
  if (side !== 'buy' && side !== 'sell' && side !== null) return bad(`the intent's side is ${describe(side)}, not buy, sell or null`);
  const sideDecides = size.kind === 'amount' || size.kind === 'position';
  if (sideDecides && side === null) return bad(`an intent for ${size.kind === 'amount' ? 'an amount' : 'the position'} must name its side`);
  const tag = given.get('tag') ?? null;
  if (tag !== null && typeof tag !== 'string') return bad(`the intent's tag is ${describe(tag)}, not text`);
  const limit = given.get('limit') ?? null;
  if (limit !== null && !isPositive(limit)) return bad(`the intent's limit is ${describe(limit)}, not a price`);
  const within = given.get('within') ?? null;
  if (within !== null && !(isPositive(within) && within >= 1)) return bad(`the intent's within is ${describe(within)}, not milliseconds`);
  const on = given.get('on') ?? null;
  if (on !== null && typeof on !== 'string') return bad(`the intent's on is ${describe(on)}, not the name of an input`);
  return {
    kind: 'intents',
    intents: [
      Object.freeze({ kind: 'intent', side, size, reason: cutText(reason), tag: tag === null ? null : cutText(tag), limit, within, on }),
    ],
  };
}

/** The size, or what is wrong with it. */
function readSize(size: unknown): IntentSize | string {
  if (typeof size !== 'object' || size === null || !('kind' in size)) return `the intent's size is ${describe(size)}`;
  if (size.kind === 'position') return { kind: 'position' };
  if (size.kind === 'percent' && 'percent' in size) {
    const { percent } = size;
    if (!isPositive(percent) || percent > 100) return `the intent closes ${describe(percent)} %, not a share from above 0 to 100`;
    return { kind: 'percent', percent };
  }
  if (size.kind === 'target' && 'size' in size) {
    const target = ownOf(size.size);
    if (target === undefined) return `the intent's target ${unfitText(size.size) ?? `is ${describe(size.size)}, not a number`}`;
    const absurd = target.long === null ? undefined : absurdText(target);
    return absurd === undefined ? { kind: 'target', size: target } : `the intent's target ${absurd}`;
  }
  if (size.kind === 'amount' && 'amount' in size) return readAmount(size.amount);
  return `the intent's size is of an unknown kind: ${describe(size.kind)}`;
}

function readAmount(amount: unknown): IntentSize | string {
  if (typeof amount !== 'object' || amount === null) return `the intent's amount is ${describe(amount)}`;
  const base = 'base' in amount ? amount.base : undefined;
  const quote = 'quote' in amount ? amount.quote : undefined;
  if ((base === undefined) === (quote === undefined)) return "the intent's amount must have one of base and quote";
  const figure = base ?? quote;
  const exact = ownOf(figure);
  if (!exact?.gt(0)) return `the intent's amount ${unfitText(figure) ?? `is ${describe(figure)}, not a positive number`}`;
  const absurd = exact.long === null ? undefined : absurdText(exact);
  if (absurd !== undefined) return `the intent's amount ${absurd}`;
  const read: Amount = base === undefined ? { quote: exact } : { base: exact };
  return { kind: 'amount', amount: read };
}

/** What is wrong with a figure that costs more time to reckon with than an order has, in words; undefined where nothing is. No short one does. */
function absurdText(figure: Decimal): string | undefined {
  const size = figure.abs();
  if (size.gt(LARGEST) || (size.lt(1 / LARGEST) && !size.isZero())) return 'is not between 1e-30 and 1e+30';
  return String(figure).length > MAX_DIGITS ? `has more than ${MAX_DIGITS} digits` : undefined;
}

/** A finite decimal as one of our own, so that nothing that the strategy does to its own reaches the engine; undefined for anything else. */
function ownOf(figure: unknown): Decimal | undefined {
  if (figure instanceof Decimal) return figure.isFinite() ? new Decimal(figure) : undefined;
  return Decimal.isDecimal(figure) && figure.isFinite() ? decimalOf(String(figure)) : undefined;
}

const isPositive = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;

/** A short text of anything, for a message. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'object' && value !== null)
    return Decimal.isDecimal(value) ? cutText(value.toString(), MAX_SHORT_TEXT) : 'an object';
  return cutText(String(value), MAX_SHORT_TEXT);
}
