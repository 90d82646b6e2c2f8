import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { Currency, Millis } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import { entryOf, FLAT, type Position, positionAfter, positionCorrected } from '#domain/position.ts';

/** The position of one strategy in one product, with what is asked of it at each quote. */
export class Book implements Position {
  size = FLAT.size;
  average = FLAT.average;
  cash = FLAT.cash;
  openedAt = FLAT.openedAt;
  entries = FLAT.entries;
  lots = FLAT.lots;
  closed = FLAT.closed;
  /** Size, average price and cash as doubles: for what is asked at each quote and rests on no last digit. */
  sizeFigure = 0;
  averageFigure = 0;
  cashFigure = 0;
  /** The product's quote currency, once there was an order or a fill. */
  currency: Currency | undefined;
  /** Its worst size, as `Books` has read it when `changes` stood at `worstAt`. */
  worst = ZERO;
  worstAt = -1;
  /** Counts fills and changes of its orders: while it stands, everything about the book does. */
  changes = 0;

  /** Entry price of the open lots; zero when flat. */
  get entry(): Decimal {
    return entryOf(this.lots) ?? ZERO;
  }

  /** Books a fill. */
  apply(fill: Fill, at: Millis): void {
    this.restore(positionAfter(this, fill, at));
  }

  /** Quote currency that no fill moved, such as financing. */
  move(amount: Decimal): void {
    this.restore({ ...this, cash: this.cash.plus(amount) });
  }

  /** A person corrected it by what the account has. */
  correct(amount: Decimal, isCash: boolean): void {
    this.restore(positionCorrected(this, amount, isCash));
  }

  /** Takes over what earlier fills came to. */
  restore({ size, average, cash, openedAt, entries, lots, closed }: Position): void {
    this.changes += 1;
    this.size = size;
    this.average = average;
    this.cash = cash;
    this.openedAt = openedAt;
    this.entries = entries;
    this.lots = lots;
    this.closed = closed;
    this.sizeFigure = size.toNumber();
    this.averageFigure = average.toNumber();
    this.cashFigure = cash.toNumber();
  }
}
