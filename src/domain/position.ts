import { Decimal, decimalOf, shareOf, ZERO } from './decimal.ts';
import type { Millis } from './names.ts';
import { type Fill, feeWorth, isFeeInBase } from './order.ts';

/**
 * What one book holds and has spent in one product, by settled fills only. Sizes in base currency, cash and average in
 * quote currency; long is positive.
 */
export interface Position {
  readonly size: Decimal;
  /** Average entry price; zero when flat. */
  readonly average: Decimal;
  /** Quote currency earned less spent so far, fees in quote currency included. */
  readonly cash: Decimal;
  /** Fees of the entries of what is held, worth in quote currency. */
  readonly fees: Decimal;
  readonly openedAt: Millis | undefined;
  /** Fills that built it since then. */
  readonly entries: number;
}

/** Before the first fill. */
export const FLAT: Position = { size: ZERO, average: ZERO, cash: ZERO, fees: ZERO, openedAt: undefined, entries: 0 };

/** A fill of more than so many times what is held opens the position: what was held before is dust, or as little as that. */
const OPENS = 5;

/** The position once a fill is booked. A fee in base currency reduces the size, one in quote currency the cash, and one in a third neither. */
export function positionAfter(before: Position, fill: Fill, at: Millis): Position {
  const feeInBase = isFeeInBase(fill);
  const traded = fill.side === 'buy' ? fill.size : fill.size.negated();
  const change = feeInBase ? traded.minus(fill.fee) : traded;
  const value = fill.side === 'buy' ? fill.value.negated() : fill.value;
  const cash = before.cash.plus(value).minus(fill.feeCcy === fill.quoteCcy ? fill.fee : ZERO);
  const size = before.size.plus(change);
  if (size.isZero()) return { ...FLAT, cash };
  const paid = feeWorth(fill);
  if (before.size.isZero() || before.size.isNegative() !== size.isNegative()) {
    return { size, average: fill.price, cash, fees: shareOf(paid, size, change), openedAt: at, entries: 1 };
  }
  const { average, fees, openedAt, entries } = before;
  if (!size.abs().gt(before.size.abs())) return { size, average, cash, fees: shareOf(fees, size, before.size), openedAt, entries };
  const weight = before.size.abs().times(average).plus(change.abs().times(fill.price));
  const grown = { size, average: weight.div(size.abs()), cash, fees: fees.plus(paid) };
  const isOpened = change.abs().gt(before.size.abs().times(OPENS));
  return isOpened ? { ...grown, openedAt: at, entries: 1 } : { ...grown, openedAt, entries: entries + 1 };
}

/**
 * The position after a person's correction to what the account holds: an amount in quote currency changes cash, one in
 * base currency size. A correction neither opens a position nor reverses it; the rest is in the ledger only.
 */
export function positionCorrected(before: Position, amount: Decimal, isCash: boolean): Position {
  if (isCash) return { ...before, cash: before.cash.plus(amount) };
  if (before.size.isZero()) return before;
  const size = before.size.plus(amount);
  const isClosed = size.isZero() || size.isNegative() !== before.size.isNegative();
  return isClosed ? { ...FLAT, cash: before.cash } : { ...before, size };
}

/** A fill that closes less than this share of itself opens a position over what rounding to steps has left of another. */
const LEFT_OVER = 0.02;

/**
 * What a closing fill won or lost against the average entry, in quote currency: the fees of what it closes are taken off, at both ends.
 * Undefined for a fill that opens or adds, and for one that closes a left-over alone: a cent won would end a row of losses.
 */
export function closeResult({ size, average, fees }: Pick<Position, 'size' | 'average' | 'fees'>, fill: Fill): Decimal | undefined {
  const closes = fill.side === 'sell' ? size.gt(0) : size.lt(0);
  const closed = Decimal.min(fill.size, size.abs());
  if (!closes || closed.lt(fill.size.times(LEFT_OVER))) return undefined;
  const better = fill.side === 'sell' ? fill.price.minus(average) : average.minus(fill.price);
  return better
    .times(closed)
    .minus(shareOf(feeWorth(fill), closed, fill.size))
    .minus(shareOf(fees, closed, size));
}

/** A position in the form of the journal and the recording: decimals as text, null while flat. */
export interface PositionText {
  readonly size: string;
  readonly average: string;
  readonly cash: string;
  readonly fees: string;
  readonly openedAt: Millis | null;
  readonly entries: number;
}

/** A position in the form of the journal; amounts are decimals as text. */
export function positionText({ size, average, cash, fees, openedAt, entries }: Position): PositionText {
  return {
    size: size.toString(),
    average: average.toString(),
    cash: cash.toString(),
    fees: fees.toString(),
    openedAt: openedAt ?? null,
    entries,
  };
}

/** Reads `positionText` back. */
export function positionOf({ size, average, cash, fees, openedAt, entries }: PositionText): Position {
  return {
    size: decimalOf(size),
    average: decimalOf(average),
    cash: decimalOf(cash),
    fees: decimalOf(fees),
    openedAt: openedAt ?? undefined,
    entries,
  };
}
