import { type Decimal, ZERO } from '../domain/decimal.ts';
import type { Millis } from '../domain/names.ts';
import type { Fill } from '../domain/order.ts';

/**
 * What one strategy holds and has spent in one product, from settled fills alone. Sizes in base currency, cash and
 * average in quote currency; long is positive.
 */
export class Book {
  private held: Decimal = ZERO;
  private averagePrice: Decimal = ZERO;
  private cashFlow: Decimal = ZERO;
  private opened: Millis | undefined;
  private fills = 0;
  private changeCount = 0;
  /** The size and the average price as doubles: for what is asked at each quote and rests on no last digit. */
  sizeFigure = 0;
  averageFigure = 0;

  get size(): Decimal {
    return this.held;
  }

  /** Average entry price of the open position; zero when flat. */
  get average(): Decimal {
    return this.averagePrice;
  }

  /** Quote currency earned less spent so far, fees in quote currency included. */
  get cash(): Decimal {
    return this.cashFlow;
  }

  get openedAt(): Millis | undefined {
    return this.opened;
  }

  /** Fills that built the present position. */
  get entries(): number {
    return this.fills;
  }

  /** Counts fills and changes of its orders: while it stands, everything about the book does. */
  get changes(): number {
    return this.changeCount;
  }

  /** An order of the book is open, has another state, or is settled. */
  orderChanged(): void {
    this.changeCount += 1;
  }

  /** Books a fill. A fee in base currency makes the held size smaller, one in quote currency the cash. */
  apply(fill: Fill, at: Millis): void {
    this.changeCount += 1;
    const feeInBase = fill.feeCcy === fill.baseCcy && fill.baseCcy !== fill.quoteCcy;
    const change = fill.side === 'buy' ? fill.size : fill.size.neg();
    const value = fill.side === 'buy' ? fill.value.neg() : fill.value;
    this.cashFlow = this.cashFlow.plus(value).minus(feeInBase ? ZERO : fill.fee);
    this.move(feeInBase ? change.minus(fill.fee) : change, fill.price, at);
  }

  private move(change: Decimal, price: Decimal, at: Millis): void {
    const before = this.held;
    const after = before.plus(change);
    const opensAnew = before.isZero() || before.isNegative() !== after.isNegative();
    if (after.isZero()) {
      this.averagePrice = ZERO;
      this.opened = undefined;
      this.fills = 0;
    } else if (opensAnew) {
      this.averagePrice = price;
      this.opened = at;
      this.fills = 1;
    } else if (after.abs().gt(before.abs())) {
      const weight = before.abs().times(this.averagePrice).plus(change.abs().times(price));
      this.averagePrice = weight.div(after.abs());
      this.fills += 1;
    }
    this.held = after;
    this.sizeFigure = after.toNumber();
    this.averageFigure = this.averagePrice.toNumber();
  }
}
