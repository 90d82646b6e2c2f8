import { type Decimal, decimalOf, ZERO } from './decimal.ts';
import type { Millis } from './names.ts';
import type { Fill } from './order.ts';

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
  readonly openedAt: Millis | undefined;
  /** Fills that built it. */
  readonly entries: number;
}

/** Before the first fill. */
export const FLAT: Position = { size: ZERO, average: ZERO, cash: ZERO, openedAt: undefined, entries: 0 };

/** The position once a fill is booked. A fee in base currency reduces the size, one in quote currency the cash. */
export function positionAfter(before: Position, fill: Fill, at: Millis): Position {
  const feeInBase = fill.feeCcy === fill.baseCcy && fill.baseCcy !== fill.quoteCcy;
  const traded = fill.side === 'buy' ? fill.size : fill.size.neg();
  const change = feeInBase ? traded.minus(fill.fee) : traded;
  const value = fill.side === 'buy' ? fill.value.neg() : fill.value;
  const cash = before.cash.plus(value).minus(feeInBase ? ZERO : fill.fee);
  const size = before.size.plus(change);
  if (size.isZero()) return { size, average: ZERO, cash, openedAt: undefined, entries: 0 };
  if (before.size.isZero() || before.size.isNegative() !== size.isNegative()) {
    return { size, average: fill.price, cash, openedAt: at, entries: 1 };
  }
  const { average, openedAt, entries } = before;
  if (!size.abs().gt(before.size.abs())) return { size, average, cash, openedAt, entries };
  const weight = before.size.abs().times(average).plus(change.abs().times(fill.price));
  return { size, average: weight.div(size.abs()), cash, openedAt, entries: entries + 1 };
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

/** The profit or loss of a closing fill against the average entry, its fee in quote currency included; undefined for a fill that opens or adds. */
export function closeResult({ size, average }: Pick<Position, 'size' | 'average'>, fill: Fill): Decimal | undefined {
  const closes = fill.side === 'sell' ? size.gt(0) : size.lt(0);
  if (!closes) return undefined;
  const better = fill.side === 'sell' ? fill.price.minus(average) : average.minus(fill.price);
  return better.times(fill.size).minus(fill.feeCcy === fill.quoteCcy ? fill.fee : 0);
}

/** A position in the form of the journal and the recording: decimals as text, null while flat. */
export interface PositionText {
  readonly size: string;
  readonly average: string;
  readonly cash: string;
  readonly openedAt: Millis | null;
  readonly entries: number;
}

/** A position in the form of the journal; amounts are decimals as text. */
export function positionText({ size, average, cash, openedAt, entries }: Position): PositionText {
  return { size: size.toString(), average: average.toString(), cash: cash.toString(), openedAt: openedAt ?? null, entries };
}

/** Reads `positionText` back. */
export function positionOf({ size, average, cash, openedAt, entries }: PositionText): Position {
  return {
    size: decimalOf(size),
    average: decimalOf(average),
    cash: decimalOf(cash),
    openedAt: openedAt ?? undefined,
    entries,
  };
}
