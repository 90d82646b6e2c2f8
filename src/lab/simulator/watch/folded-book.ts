import { type Closes, closesAfter, type FoldedLot } from './folded-lots.ts';
import type { FillFigures } from './journal-rows.ts';

/** A rest below this counts as nothing: doubles add up decimals. */
export const NOTHING = 1e-9;

/** A fill of more than so many times what is held opens the position: the rest is dust. */
export const OPENS = 5;

/** What a strategy holds of a product by the rows up to here. */
export interface FoldedBook {
  /** In base currency, below zero for a short one. */
  readonly size: number;
  /** Earned less spent, in quote currency, as the others. */
  readonly cash: number;
  readonly average: number;
  readonly openedAt: number;
  readonly lots: readonly FoldedLot[];
  readonly closes?: Closes | undefined;
}

export const FLAT: FoldedBook = { size: 0, cash: 0, average: 0, openedAt: 0, lots: [] };

/** A position after a fill. */
export function after(before: FoldedBook, fill: FillFigures, at: number): FoldedBook {
  const moved = movedBy(fill);
  const change = moved.size;
  const cash = before.cash + moved.cash;
  const size = before.size + change;
  if (Math.abs(size) < NOTHING) return { ...FLAT, cash };
  const { lots, closes } = closesAfter(before, { moved, ...fill });
  const isNew = before.size === 0 || before.size > 0 !== size > 0;
  if (isNew) return { size, cash, average: fill.price, openedAt: at, lots };
  if (Math.abs(size) <= Math.abs(before.size)) return { ...before, size, cash, lots, closes };
  const weight = Math.abs(before.size) * before.average + Math.abs(change) * fill.price;
  const openedAt = Math.abs(change) > Math.abs(before.size) * OPENS ? at : before.openedAt;
  return { size, cash, average: weight / Math.abs(size), openedAt, lots };
}

/** What a fill moves. */
export function movedBy(fill: FillFigures): FoldedLot {
  const inBase = feeInBase(fill);
  return {
    size: (fill.side === 'buy' ? fill.size : -fill.size) - inBase,
    cash: (fill.side === 'buy' ? -fill.value : fill.value) - (inBase > 0 ? 0 : fill.fee),
  };
}

export const feeInBase = ({ fee, feeCcy, baseCcy }: FillFigures): number => (feeCcy === baseCcy ? fee : 0);
