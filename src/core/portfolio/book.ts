import type { Decimal } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import { FLAT, type Position, positionAfter, positionCorrected } from '#domain/position.ts';

/** The position of one strategy in one product, with what is asked of it at each quote. */
export class Book {
  private position: Position = FLAT;
  private changeCount = 0;
  /** The size and the average price as doubles: for what is asked at each quote and rests on no last digit. */
  sizeFigure = 0;
  averageFigure = 0;

  get size(): Decimal {
    return this.position.size;
  }

  /** Average entry price of the open position; zero when flat. */
  get average(): Decimal {
    return this.position.average;
  }

  /** Quote currency earned less spent so far, fees in quote currency and financing included. */
  get cash(): Decimal {
    return this.position.cash;
  }

  /** Fees of the entries of what is held, worth in quote currency. */
  get fees(): Decimal {
    return this.position.fees;
  }

  get openedAt(): Millis | undefined {
    return this.position.openedAt;
  }

  /** Fills that built the present position. */
  get entries(): number {
    return this.position.entries;
  }

  /** Counts fills and changes of its orders: while it stands, everything about the book does. */
  get changes(): number {
    return this.changeCount;
  }

  /** An order of the book is open, has another state, or is settled. */
  orderChanged(): void {
    this.changeCount += 1;
  }

  /** Books a fill. */
  apply(fill: Fill, at: Millis): void {
    this.restore(positionAfter(this.position, fill, at));
  }

  /** Quote currency that no fill moved, such as financing. */
  move(amount: Decimal): void {
    this.restore({ ...this.position, cash: this.position.cash.plus(amount) });
  }

  /** A person corrected it by what the account has. */
  correct(amount: Decimal, isCash: boolean): void {
    this.restore(positionCorrected(this.position, amount, isCash));
  }

  /** Takes over what earlier fills came to. */
  restore(position: Position): void {
    this.changeCount += 1;
    this.position = position;
    this.sizeFigure = position.size.toNumber();
    this.averageFigure = position.average.toNumber();
  }
}
