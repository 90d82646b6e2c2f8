import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import { type Lot, lotOf, lotsAfter, lotsCorrected } from '#domain/position.ts';

/** An execution as lots see it. */
interface LotFill {
  readonly orderId: string;
  readonly at: Millis;
  /** The intent's tag, for telling trades apart. */
  readonly tag: string | null;
  readonly fill: Fill;
}

/** A lot with the order that opened it. */
export interface OpenLot extends Lot {
  readonly orderId: string;
  readonly openedAt: Millis;
  readonly tag: string | null;
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

/** The lots of one book in one product, with the round trips that they end in. */
export class Lots {
  private held: readonly OpenLot[];

  /** `open`: those that are held already, oldest first. */
  constructor(open: readonly OpenLot[] = []) {
    this.held = open;
  }

  /** Oldest first. */
  get open(): readonly OpenLot[] {
    return this.held;
  }

  /** Position in base currency; long is positive. */
  get position(): Decimal {
    return this.held.reduce((sum, lot) => (lot.side === 'long' ? sum.plus(lot.size) : sum.minus(lot.size)), ZERO);
  }

  /** A correction by the account; returns what of it no lot carries, in quote currency. */
  correct(amount: Decimal, isCash: boolean): Decimal {
    const { open, loose } = lotsCorrected(this.held, amount, isCash);
    this.held = open;
    return loose;
  }

  /** Books a fill and returns the round trips that it ends. */
  apply({ orderId, at, tag, fill }: LotFill): readonly ClosedLot[] {
    const { open, closed } = lotsAfter<OpenLot>(this.held, { ...lotOf(fill), orderId, openedAt: at, tag });
    this.held = open;
    return closed.map(({ entry, exit }) => roundTrip(entry, exit));
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
