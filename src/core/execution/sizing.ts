import { certainOf, isSure, type PositionBounds } from '#core/portfolio/books.ts';
import { canBeOrdered, leastOrder } from '#core/portfolio/valuation.ts';
import { Decimal, decimalOf, floorToStep, ZERO } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { type Amount, sameAmount } from '#domain/lane.ts';
import type { OrderFigures } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';

/** An intent with its side and its exact figures: those of the quote side that it would execute. */
export interface SizedIntent {
  readonly kind: 'sized';
  readonly side: Side;
  readonly figures: OrderFigures;
}

type Sizing =
  | SizedIntent
  | { readonly kind: 'refused'; readonly side: Side; readonly reason: Reason; readonly wanted: string; readonly offered: string }
  /** The quote is for another amount than the order needs: a lane of exactly `amount` may be lent. */
  | { readonly kind: 'needs_lane'; readonly side: Side; readonly amount: Amount }
  /** The position is what the intent asks for already. */
  | { readonly kind: 'nothing' };

/** What is wanted on a quote, and what the book holds of its product. */
export interface SizingInput {
  readonly intent: Intent;
  readonly quote: Quote;
  /** Amount of the lane that the quote came from. */
  readonly laneAmount: Amount;
  readonly product: Product;
  /** Settled position of the strategy's book, in base currency. */
  readonly held: Decimal;
  /** The same with everything open at its worse end. What reduces the position takes no more than is certain. */
  readonly interval: PositionBounds;
  readonly feeIn: FeeCurrency;
  /** False: a sale of more than is held sells what is held. */
  readonly canShort: boolean;
}

/** Currency in which the service charges: the quote's, the base, or that which is received (base on buys). */
export type FeeCurrency = 'quote' | 'base' | 'received';

/**
 * Turns what a strategy wants into a side and the quote's own figures. An order has the size of its quote and no
 * other (spec 2.10), so a wanted size that the quote does not offer exactly needs a lane of its own. Sizes are floored to the
 * product's step; what is left below its least order is dust, and named.
 */
export function size(input: SizingInput): Sizing {
  const { intent, quote, laneAmount, product, held, interval, feeIn } = input;
  const wanted = intent.size;
  switch (wanted.kind) {
    case 'amount': {
      const side = intent.side ?? 'buy';
      if (side === 'sell' && oversells(wanted.amount, input)) return reduceBy(input, held);
      if (sameAmount(wanted.amount, laneAmount)) return offer(side, quote, feeIn);
      if ('quote' in wanted.amount) return worth(side, wanted.amount, input);
      return exactly(side, toStep(wanted.amount.base, product), input);
    }
    case 'position':
      return reduceBy(input, held.abs());
    case 'percent':
      return reduceBy(input, held.abs().times(wanted.percent).div(100));
    case 'part':
      return reduceBy(input, Decimal.min(wanted.base, held.abs()));
    case 'target': {
      const delta = wanted.size.minus(held);
      const reduces = delta.abs().lte(held.abs()) && delta.isPositive() === held.isNegative();
      const whole = toStep(delta.abs(), product);
      const by = reduces ? Decimal.min(whole, closable(held, { product, feeShare: feeShareOf(feeIn, quote) })) : whole;
      if (by.isZero()) return { kind: 'nothing' };
      if (reduces && !isSure(interval)) return reduceBy(input, delta.abs());
      return exactly(delta.isPositive() ? 'buy' : 'sell', by, input);
    }
  }
}

/** True for a sale of more than one order can close of a long position that may not become a short one. */
function oversells(amount: Amount, { canShort, feeIn, held, laneAmount, product, quote }: SizingInput): boolean {
  if (canShort || held.lte(0)) return false;
  const { size, price } = quote.sell;
  const asked = 'base' in amount ? amount.base : sameAmount(amount, laneAmount) ? decimalOf(size) : amount.quote.div(price);
  return asked.gt(closable(held, { product, feeShare: feeShareOf(feeIn, quote) }));
}

/** Closes a share of what is held, less what open orders may have closed of it. */
function reduceBy(input: SizingInput, share: Decimal): Sizing {
  const { intent, held, interval, product, quote, feeIn } = input;
  const side: Side = held.isNegative() || (held.isZero() && intent.side === 'buy') ? 'buy' : 'sell';
  const wrongWay = intent.side !== null && intent.side !== side;
  if ((held.isZero() && isSure(interval)) || wrongWay) {
    return { kind: 'refused', side: intent.side ?? side, reason: 'NO_POSITION', wanted: describe(intent), offered: held.toString() };
  }
  const { price } = quote[side];
  const certain = certainOf(interval);
  const room = closable(certain, { product, feeShare: feeShareOf(feeIn, quote) });
  const by = Decimal.min(room, toStep(Decimal.max(ZERO, share.minus(held.minus(certain).abs())), product));
  if (!canBeOrdered(by, product, { price })) {
    if (!isSure(interval)) return { kind: 'refused', side, reason: 'POSITION_UNSURE', wanted: describe(intent), offered: held.toString() };
    const least = leastOrder(product, price);
    const reason = room.lt(least) ? 'DUST' : 'SIZE_LIMITS';
    return { kind: 'refused', side, reason, wanted: `${by} of ${held} held`, offered: `at least ${least}` };
  }
  return exactly(side, by, input);
}

/** A share of a step that a sum of doubles may lack of the multiple that was meant. */
const HAIR = decimalOf('1e-6');

/** A size that was wanted, floored to the step; one that is a hair below a multiple of it is meant to be that. */
function toStep(size: Decimal, { sizeIncrement }: Product): Decimal {
  return floorToStep(size.plus(sizeIncrement.times(HAIR)), sizeIncrement);
}

/** The fee of a sale as a share of its size, where it is taken from what is held beside it; else 0. */
export const feeShareOf = (feeIn: FeeCurrency, { feePercentage }: Pick<Quote, 'feePercentage'>): number =>
  feeIn === 'base' ? feePercentage / 100 : 0;

/** Fees are rounded to so much. */
const FEE_ROUNDING = decimalOf('1e-8');

/** The most of a position that one order can close: whole steps, which leave a long position its room for a fee in base currency. */
export function closable(held: Decimal, { product, feeShare }: { readonly product: Product; readonly feeShare: number }): Decimal {
  const isFree = feeShare === 0 || held.lte(0);
  const room = isFree ? held.abs() : Decimal.max(ZERO, held.minus(FEE_ROUNDING)).div(1 + feeShare);
  return floorToStep(room, product.sizeIncrement);
}

function exactly(side: Side, wanted: Decimal, { quote, feeIn, product, intent }: SizingInput): Sizing {
  const { price, size: offered } = quote[side];
  if (decimalOf(offered).eq(wanted)) return offer(side, quote, feeIn);
  if (canBeOrdered(wanted, product, { price })) return { kind: 'needs_lane', side, amount: { base: wanted } };
  return { kind: 'refused', side, reason: 'SIZE_LIMITS', wanted: describe(intent), offered: `at least ${leastOrder(product, price)}` };
}

function worth(side: Side, amount: { readonly quote: Decimal }, { product, intent }: SizingInput): Sizing {
  const { minNotionalValue: least } = product;
  if (amount.quote.gte(least)) return { kind: 'needs_lane', side, amount };
  return { kind: 'refused', side, reason: 'SIZE_LIMITS', wanted: describe(intent), offered: `at least ${least} quote` };
}

function offer(side: Side, quote: Quote, feeIn: FeeCurrency): Sizing {
  const inBase = feeIn === 'base' || (feeIn === 'received' && side === 'buy');
  const { price, size, value, feeInBaseCcy, feeInQuoteCcy } = quote[side];
  const at = decimalOf(price);
  let fee = decimalOf(inBase ? feeInBaseCcy : feeInQuoteCcy);
  // Where the quote has it in the other currency alone, it is that at its price.
  if (fee.isZero()) fee = (inBase ? decimalOf(feeInQuoteCcy).div(at) : decimalOf(feeInBaseCcy).times(at)).toDecimalPlaces(FEE_PLACES);
  const feeCcy = inBase ? quote.baseCcy : quote.quoteCcy;
  return { kind: 'sized', side, figures: { price: at, size: decimalOf(size), value: decimalOf(value), fee, feeCcy } };
}

/** A fee in the other currency is rounded to so much. */
const FEE_PLACES = 12;

/** The side on which an intent trades where so much is held; undefined where it asks for nothing more. */
export function sideWanted({ side, size: wanted }: Intent, held: Decimal): Side | undefined {
  if (wanted.kind === 'amount') return side ?? 'buy';
  const change = wanted.kind === 'target' ? wanted.size.minus(held) : held.negated();
  if (change.isZero()) return undefined;
  return change.isPositive() ? 'buy' : 'sell';
}

/** What an intent asks for, in words, for the journal. */
export function describe(intent: Intent): string {
  const { size: wanted } = intent;
  switch (wanted.kind) {
    case 'amount':
      return 'base' in wanted.amount ? `${wanted.amount.base} base` : `${wanted.amount.quote} quote`;
    case 'position':
      return 'position';
    case 'percent':
      return `${wanted.percent} % of the position`;
    case 'part':
      return `${wanted.base} of the position`;
    case 'target':
      return `target ${wanted.size}`;
  }
}
