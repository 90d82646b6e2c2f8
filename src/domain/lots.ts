import { Decimal, shareOf, ZERO } from './decimal.ts';
import { type Fill, feeWorth, isFeeInBase } from './order.ts';

/** A part of a fill that is still held: `size` base units, long or short. */
export interface Lot {
  readonly side: 'long' | 'short';
  readonly price: Decimal;
  readonly size: Decimal;
  /** Quote currency that it brought: negative for a long, which cost it. Fees in quote currency are in it. */
  readonly cash: Decimal;
  /** Fees in it, worth in quote currency. */
  readonly fees: Decimal;
}

/** Lots after something was booked. */
interface LotStep<Of extends Lot> {
  /** Oldest first. */
  readonly open: readonly Of[];
  /** What the fill closed, size against size. */
  readonly closed: readonly { readonly entry: Of; readonly exit: Of }[];
}

/** A rest is dust where this many of it are no more than the next entry, or than the position that it is left of. */
export const DUST = 100;

/** What a fill moves. Fees in base currency change the size, in quote the cash. */
export function lotOf(fill: Fill): Lot {
  const buys = fill.side === 'buy';
  const delta = (buys ? fill.size : fill.size.negated()).minus(isFeeInBase(fill) ? fill.fee : ZERO);
  return {
    side: delta.isNegative() ? 'short' : 'long',
    price: fill.price,
    size: delta.abs(),
    cash: (buys ? fill.value.negated() : fill.value).minus(fill.feeCcy === fill.quoteCcy ? fill.fee : ZERO),
    fees: feeWorth(fill),
  };
}

/**
 * Books a fill first in first out: live, in reports and on the page. What the closed lots won and the open ones cost is, to the last
 * decimal, what the fills moved in quote currency; the open sizes are what they moved in base currency.
 */
export function lotsAfter<Of extends Lot>(held: readonly Of[], fill: Of): LotStep<Of> {
  const open = [...held];
  const closed: { entry: Of; exit: Of }[] = [];
  let rest = fill;
  for (let [oldest] = open; oldest && oldest.side !== rest.side && rest.size.gt(0); [oldest] = open) {
    const size = Decimal.min(oldest.size, rest.size);
    const entry = cut(oldest, size);
    const exit = cut(rest, size);
    closed.push({ entry: entry.part, exit: exit.part });
    rest = exit.rest;
    if (entry.rest.size.isZero()) open.shift();
    else open[0] = entry.rest;
  }
  return { open: rest.size.gt(0) ? withLot(open, rest) : open, closed };
}

/** With a new lot, which takes what an exit could not close before it: dust is no round trip of its own. */
function withLot<Of extends Lot>(open: readonly Of[], lot: Of): readonly Of[] {
  const [dust] = open;
  if (!dust || open.length > 1 || dust.size.times(DUST).gt(lot.size)) return [...open, lot];
  return [{ ...lot, size: lot.size.plus(dust.size), cash: lot.cash.plus(dust.cash), fees: lot.fees.plus(dust.fees) }];
}

/** Lots after a correction. */
interface CorrectedLots<Of extends Lot> {
  readonly open: readonly Of[];
  /** Quote currency that no lot carries any more. */
  readonly loose: Decimal;
}

/**
 * Corrects lots by what the account has: money and what it adds are of the newest lot, and it takes off the oldest first. The cost
 * stays with what is left.
 */
export function lotsCorrected<Of extends Lot>(held: readonly Of[], amount: Decimal, isCash: boolean): CorrectedLots<Of> {
  const newest = held.at(-1);
  if (!newest) return { open: held, loose: isCash ? amount : ZERO };
  const change = newest.side === 'long' ? amount : amount.negated();
  if (isCash) return { open: held.with(-1, { ...newest, cash: newest.cash.plus(amount) }), loose: ZERO };
  if (change.gt(0)) return { open: held.with(-1, { ...newest, size: newest.size.plus(change) }), loose: ZERO };
  const open = [...held];
  let left = change.abs();
  let loose = ZERO;
  for (let [oldest] = open; oldest && left.gt(0); [oldest] = open) {
    const size = Decimal.min(oldest.size, left);
    left = left.minus(size);
    open.shift();
    const [next] = open;
    if (size.lt(oldest.size)) open.unshift({ ...oldest, size: oldest.size.minus(size) });
    else if (next) open[0] = { ...next, cash: next.cash.plus(oldest.cash), fees: next.fees.plus(oldest.fees) };
    else loose = oldest.cash;
  }
  return { open, loose };
}

/** The entry price of open lots: their prices, weighted by size. Undefined where nothing is held. */
export function entryOf(lots: readonly Lot[]): Decimal | undefined {
  const [first, ...rest] = lots;
  if (!first) return undefined;
  const size = rest.reduce((sum, lot) => sum.plus(lot.size), first.size);
  const value = rest.reduce((sum, lot) => sum.plus(lot.size.times(lot.price)), first.size.times(first.price));
  return value.div(size);
}

/** What closing lots at a price wins or loses, the fees of their entries taken off. */
export function unrealisedAt(lots: readonly Lot[], price: Decimal): Decimal {
  return lots.reduce((sum, { side, size, cash }) => sum.plus(size.times(side === 'long' ? price : price.negated())).plus(cash), ZERO);
}

/** Quote currency that lots brought: negative for long ones. */
export const cashOf = (lots: readonly Lot[]): Decimal => lots.reduce((sum, { cash }) => sum.plus(cash), ZERO);

/** Takes `size` off a lot, with its share of cash and fees; what rounding leaves over stays with the rest, so that nothing is lost. */
function cut<Of extends Lot>(lot: Of, size: Decimal): { readonly part: Of; readonly rest: Of } {
  const part = { ...lot, size, cash: shareOf(lot.cash, size, lot.size), fees: shareOf(lot.fees, size, lot.size) };
  const rest = { ...lot, size: lot.size.minus(size), cash: lot.cash.minus(part.cash), fees: lot.fees.minus(part.fees) };
  return { part, rest };
}
