import { Decimal, decimalOf, ZERO } from './decimal.ts';
import { cashOf, type Lot, lotOf, lotsAfter, lotsCorrected } from './lots.ts';
import type { Millis } from './names.ts';
import { type Fill, isFeeInBase } from './order.ts';

/**
 * What one book holds and has spent in one product, by settled fills only. Sizes in base currency, cash and average in
 * quote currency; long is positive.
 */
export interface Position {
  readonly size: Decimal;
  /**
   * Average entry: what its entries cost a unit, zero when flat. Exits and strategies go by it, since closing a part does not move it.
   * What is won, lost and left counts by lots.
   */
  readonly average: Decimal;
  /** Quote currency earned less spent so far, fees in quote currency included. */
  readonly cash: Decimal;
  readonly openedAt: Millis | undefined;
  /** Fills that built it since then. */
  readonly entries: number;
  /** What of them is left, first in first out. */
  readonly lots: readonly Lot[];
}

/** Before the first fill. */
export const FLAT: Position = { size: ZERO, average: ZERO, cash: ZERO, openedAt: undefined, entries: 0, lots: [] };

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
  const { open: lots } = lotsAfter(before.lots, lotOf(fill));
  if (before.size.isZero() || before.size.isNegative() !== size.isNegative()) {
    return { size, average: fill.price, cash, openedAt: at, entries: 1, lots };
  }
  const { average, openedAt, entries } = before;
  if (!size.abs().gt(before.size.abs())) return { size, average, cash, openedAt, entries, lots };
  const weight = before.size.abs().times(average).plus(change.abs().times(fill.price));
  const grown = { size, average: weight.div(size.abs()), cash, lots };
  const isOpened = change.abs().gt(before.size.abs().times(OPENS));
  return isOpened ? { ...grown, openedAt: at, entries: 1 } : { ...grown, openedAt, entries: entries + 1 };
}

/**
 * The position after a person's correction to what the account holds: an amount in quote currency changes cash, one in
 * base currency size. A correction neither opens a position nor reverses it; the rest is in the ledger only.
 */
export function positionCorrected(before: Position, amount: Decimal, isCash: boolean): Position {
  const { open: lots } = lotsCorrected(before.lots, amount, isCash);
  if (isCash) return { ...before, cash: before.cash.plus(amount), lots };
  if (before.size.isZero()) return before;
  const size = before.size.plus(amount);
  const isClosed = size.isZero() || size.isNegative() !== before.size.isNegative();
  return isClosed ? { ...FLAT, cash: before.cash } : { ...before, size, lots };
}

/** A fill that closes less than this share of itself opens a position over what rounding to steps has left of another. */
const LEFT_OVER = 0.02;

/**
 * What a closing fill won or lost, in quote currency, as the round trips that it ends: fees are taken off, at both ends. Undefined for a
 * fill that opens or adds, and for one that closes a left-over alone: a cent won would end a row of losses.
 */
export function closeResult({ size, lots }: Pick<Position, 'size' | 'lots'>, fill: Fill): Decimal | undefined {
  const closes = fill.side === 'sell' ? size.gt(0) : size.lt(0);
  if (!closes || Decimal.min(fill.size, size.abs()).lt(fill.size.times(LEFT_OVER))) return undefined;
  const { closed } = lotsAfter(lots, lotOf(fill));
  return cashOf(closed.flatMap(({ entry, exit }) => [entry, exit]));
}

/** A lot as text; its side is that of the position. */
type LotText = { readonly [Name in Exclude<keyof Lot, 'side'>]: string };

/** A position in the form of the journal and the recording: decimals as text, null while flat. */
export interface PositionText {
  readonly size: string;
  readonly average: string;
  readonly cash: string;
  readonly openedAt: Millis | null;
  readonly entries: number;
  /** Recordings of before have the fees of all entries instead: they count as one lot. */
  readonly lots?: readonly LotText[];
  readonly fees?: string;
}

/** A position in the form of the journal; amounts are decimals as text. */
export function positionText({ size, average, cash, openedAt, entries, lots }: Position): PositionText {
  return {
    size: size.toString(),
    average: average.toString(),
    cash: cash.toString(),
    openedAt: openedAt ?? null,
    entries,
    lots: lots.map((lot) => ({ price: `${lot.price}`, size: `${lot.size}`, cash: `${lot.cash}`, fees: `${lot.fees}` })),
  };
}

/** A position of which only the average entry is known. */
const oneLot = (size: Decimal, average: Decimal, fees: Decimal): LotText => ({
  ...{ price: `${average}`, size: `${size.abs()}`, cash: `${size.times(average).plus(fees).negated()}`, fees: `${fees}` },
});

/** Reads `positionText` back. */
export function positionOf({ size: held, average, cash, openedAt, entries, lots, fees }: PositionText): Position {
  const size = decimalOf(held);
  return {
    size,
    average: decimalOf(average),
    cash: decimalOf(cash),
    openedAt: openedAt ?? undefined,
    entries,
    lots: (lots ?? (size.isZero() ? [] : [oneLot(size, decimalOf(average), decimalOf(fees ?? 0))])).map((lot) => ({
      side: size.isNegative() ? 'short' : 'long',
      ...{ price: decimalOf(lot.price), size: decimalOf(lot.size), cash: decimalOf(lot.cash), fees: decimalOf(lot.fees) },
    })),
  };
}
