import { Decimal, shareOf, ZERO } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';
import { type Fill, feeWorth, isFeeInBase } from '#domain/order.ts';

/** An execution as lots see it. */
interface LotFill {
  readonly orderId: string;
  readonly at: Millis;
  /** The intent's tag, for telling trades apart. */
  readonly tag: string | null;
  readonly fill: Fill;
}

/** A part of a fill that is still held: `size` base units, long or short. */
export interface OpenLot {
  readonly orderId: string;
  readonly openedAt: Millis;
  readonly tag: string | null;
  readonly side: 'long' | 'short';
  readonly price: Decimal;
  readonly size: Decimal;
  /** Quote currency that it brought: negative for a long, which cost it. Fees in quote currency are in it. */
  readonly cash: Decimal;
  /** Fees in it, worth in quote currency. */
  readonly fees: Decimal;
}

/** A round trip: an entry and the exit that closed it, size against size, first in first out. */
export interface ClosedLot {
  readonly side: 'long' | 'short';
  readonly tag: string | null;
  readonly size: Decimal;
  readonly entryOrder: string;
  readonly openedAt: Millis;
  readonly entryPrice: Decimal;
  readonly exitOrder: string;
  readonly closedAt: Millis;
  readonly exitPrice: Decimal;
  /** Fees of both ends, worth in quote currency, as a positive cost. */
  readonly fees: Decimal;
  /** Quote currency won, fees taken off once. */
  readonly profit: Decimal;
}

/** A rest is dust where this many of it are no more than the next entry, or than the position that it is left of. */
export const DUST = 100;

/**
 * The lots of one book in one product. What the closed ones won and the open ones cost is, to the last decimal, what the
 * fills moved in quote currency; the open sizes are what they moved in base currency.
 */
export class Lots {
  private readonly held: OpenLot[];

  /** `open`: those that are held already, oldest first. */
  constructor(open: readonly OpenLot[] = []) {
    this.held = [...open];
  }

  /** Oldest first. */
  get open(): readonly OpenLot[] {
    return this.held;
  }

  /** Position in base currency; long is positive. */
  get position(): Decimal {
    return this.held.reduce((sum, lot) => (lot.side === 'long' ? sum.plus(lot.size) : sum.minus(lot.size)), ZERO);
  }

  /** A correction by the account: money and what it adds are of the newest lot, and it takes off the oldest first. The cost stays with what is left. */
  correct(amount: Decimal, isCash: boolean): void {
    const newest = this.held.at(-1);
    if (!newest) return;
    const sign = newest.side === 'long' ? 1 : -1;
    const change = amount.times(sign);
    if (isCash || change.gt(0)) {
      const { size, cash } = newest;
      this.held[this.held.length - 1] = { ...newest, size: isCash ? size : size.plus(change), cash: isCash ? cash.plus(amount) : cash };
      return;
    }
    let left = change.abs();
    for (let oldest = this.held[0]; oldest && left.gt(0); oldest = this.held[0]) {
      const size = Decimal.min(oldest.size, left);
      left = left.minus(size);
      this.held.shift();
      const [next] = this.held;
      if (size.lt(oldest.size)) this.held.unshift({ ...oldest, size: oldest.size.minus(size) });
      else if (next) this.held[0] = { ...next, cash: next.cash.plus(oldest.cash), fees: next.fees.plus(oldest.fees) };
    }
  }

  /** Books a fill and returns the round trips that it ends. Fees in base currency change the size, in quote the cash. */
  apply({ orderId, at, tag, fill }: LotFill): readonly ClosedLot[] {
    const buys = fill.side === 'buy';
    const delta = (buys ? fill.size : fill.size.negated()).minus(isFeeInBase(fill) ? fill.fee : ZERO);
    let rest: OpenLot = {
      orderId,
      openedAt: at,
      tag,
      side: delta.isNegative() ? 'short' : 'long',
      price: fill.price,
      size: delta.abs(),
      cash: (buys ? fill.value.negated() : fill.value).minus(fill.feeCcy === fill.quoteCcy ? fill.fee : ZERO),
      fees: feeWorth(fill),
    };
    const closed: ClosedLot[] = [];
    for (let oldest = this.held[0]; oldest && oldest.side !== rest.side && rest.size.gt(0); oldest = this.held[0]) {
      const size = Decimal.min(oldest.size, rest.size);
      const entry = cut(oldest, size);
      const exit = cut(rest, size);
      closed.push(roundTrip(entry.part, exit.part));
      rest = exit.rest;
      if (entry.rest.size.isZero()) this.held.shift();
      else this.held[0] = entry.rest;
    }
    if (rest.size.gt(0)) this.held.push(this.withDust(rest));
    return closed;
  }

  /** A new lot with what an exit could not close before it: dust is no round trip of its own. */
  private withDust(lot: OpenLot): OpenLot {
    const [dust] = this.held;
    if (!dust || this.held.length > 1 || dust.size.times(DUST).gt(lot.size)) return lot;
    this.held.pop();
    return { ...lot, size: lot.size.plus(dust.size), cash: lot.cash.plus(dust.cash), fees: lot.fees.plus(dust.fees) };
  }
}

function roundTrip(entry: OpenLot, exit: OpenLot): ClosedLot {
  return {
    side: entry.side,
    tag: entry.tag,
    size: entry.size,
    entryOrder: entry.orderId,
    openedAt: entry.openedAt,
    entryPrice: entry.price,
    exitOrder: exit.orderId,
    closedAt: exit.openedAt,
    exitPrice: exit.price,
    fees: entry.fees.plus(exit.fees),
    profit: entry.cash.plus(exit.cash),
  };
}

/** Takes `size` off a lot, with its share of cash and fees; what rounding leaves over stays with the rest, so that nothing is lost. */
function cut(lot: OpenLot, size: Decimal): { readonly part: OpenLot; readonly rest: OpenLot } {
  const part = { ...lot, size, cash: shareOf(lot.cash, size, lot.size), fees: shareOf(lot.fees, size, lot.size) };
  const rest = { ...lot, size: lot.size.minus(size), cash: lot.cash.minus(part.cash), fees: lot.fees.minus(part.fees) };
  return { part, rest };
}
