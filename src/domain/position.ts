import { Decimal, decimalOf, shareOf, ZERO } from './decimal.ts';
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
  /** What was won by parts that were closed since the last entry; undefined where there was none. */
  readonly closed: Decimal | undefined;
}

/** Before the first fill. */
export const FLAT: Position = { size: ZERO, average: ZERO, cash: ZERO, openedAt: undefined, entries: 0, lots: [], closed: undefined };

/** A fill of more than so many times what is held opens the position: what was held before is dust, or as little as that. */
const OPENS = 5;

/** The position once a fill is booked. A fee in base currency reduces the size, one in quote currency the cash, and one in a third neither. */
export function positionAfter(before: Position, fill: Fill, at: Millis): Position {
  const moved = lotOf(fill);
  const change = moved.side === 'short' ? moved.size.negated() : moved.size;
  const cash = before.cash.plus(moved.cash);
  const size = before.size.plus(change);
  if (size.isZero()) return { ...FLAT, cash };
  const lots = before.lots.length === 0 ? [moved] : lotsAfter(before.lots, moved).open;
  if (before.size.isZero() || before.size.isNegative() !== size.isNegative()) {
    return { size, average: fill.price, cash, openedAt: at, entries: 1, lots, closed: undefined };
  }
  const { average, openedAt, entries } = before;
  if (!size.abs().gt(before.size.abs())) return { size, average, cash, openedAt, entries, lots, closed: closing(before, fill).goesOn };
  const weight = before.size.abs().times(average).plus(change.abs().times(fill.price));
  const grown = { size, average: weight.div(size.abs()), cash, lots, closed: undefined };
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
  return isClosed ? { ...FLAT, cash: before.cash, closed: before.closed } : { ...before, size, lots };
}

/** A fill that closes less than this share of itself opens a position over what rounding to steps has left of another. */
const LEFT_OVER = 0.02;

/**
 * What was won or lost, in quote currency, by all that was closed of a position, as the round trips that it ended: fees are taken off, at
 * both ends. It is known once a fill closes the position, turns it or adds to it; undefined for others, and where nothing was closed but
 * a left-over: a cent won would end a row of losses.
 */
export const closeResult = (before: Pick<Position, 'size' | 'lots' | 'closed'>, fill: Fill): Decimal | undefined =>
  closing(before, fill).ended;

/** What parts of a position won that are closed: with a fill this has ended, or goes on with parts to come. */
function closing(
  { size, lots, closed: before }: Pick<Position, 'size' | 'lots' | 'closed'>,
  fill: Fill,
): { readonly ended?: Decimal | undefined; readonly goesOn?: Decimal } {
  const closes = fill.side === 'sell' ? size.gt(0) : size.lt(0);
  const leftOver = fill.size.times(LEFT_OVER);
  if (!closes || Decimal.min(fill.size, size.abs()).lt(leftOver)) return { ended: before };
  const moved = lotOf(fill);
  const { closed } = lotsAfter(lots, moved);
  const won = cashOf(closed.flatMap(({ entry, exit }) => [entry, exit])).plus(before ?? ZERO);
  return size.abs().minus(moved.size).gt(leftOver) ? { goesOn: won } : { ended: won };
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
  readonly closed?: string;
}

/** A position in the form of the journal; amounts are decimals as text. */
export function positionText({ size, average, cash, openedAt, entries, lots, closed }: Position): PositionText {
  return {
    size: size.toString(),
    average: average.toString(),
    cash: cash.toString(),
    openedAt: openedAt ?? null,
    entries,
    lots: lots.map((lot) => ({ price: `${lot.price}`, size: `${lot.size}`, cash: `${lot.cash}`, fees: `${lot.fees}` })),
    ...(closed && { closed: `${closed}` }),
  };
}

/** A position of which only the average entry is known. */
const oneLot = (size: Decimal, average: Decimal, fees: Decimal): LotText => ({
  ...{ price: `${average}`, size: `${size.abs()}`, cash: `${size.times(average).plus(fees).negated()}`, fees: `${fees}` },
});

/** Reads `positionText` back. */
export function positionOf({ size: held, average, cash, openedAt, entries, lots, fees, closed }: PositionText): Position {
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
    closed: closed === undefined ? undefined : decimalOf(closed),
  };
}

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
  const inBase = isFeeInBase(fill);
  const inQuote = fill.feeCcy === fill.quoteCcy;
  const delta = (buys ? fill.size : fill.size.negated()).minus(inBase ? fill.fee : ZERO);
  return {
    side: delta.isNegative() ? 'short' : 'long',
    price: fill.price,
    size: delta.abs(),
    cash: (buys ? fill.value.negated() : fill.value).minus(inQuote ? fill.fee : ZERO),
    fees: inQuote ? fill.fee : inBase ? fill.fee.times(fill.price) : ZERO,
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
  const [only, ...others] = open;
  if (rest.size.lte(0)) return { open, closed };
  return { open: only && others.length === 0 ? withDust(only, rest) : [...open, rest], closed };
}

/** A lot and a new one, which takes what an exit could not close before it: dust is no round trip of its own. */
function withDust<Of extends Lot>(dust: Of, lot: Of): readonly Of[] {
  if (dust.size.times(DUST).gt(lot.size)) return [dust, lot];
  return [{ ...lot, size: lot.size.plus(dust.size), cash: lot.cash.plus(dust.cash), fees: lot.fees.plus(dust.fees) }];
}

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
