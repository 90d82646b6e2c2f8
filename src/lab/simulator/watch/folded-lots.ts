/** A rest of a new lot of which this many are no more than it is taken into it. */
const DUST = 100;
/** A rest below this counts as nothing: doubles add up decimals. */
const NOTHING = 1e-9;

/** A fill that closes, or leaves, less than a fiftieth of itself closes nothing, or all; the machine knows sizes to some digits only. */
const [NONE, SOME] = [0.019, 0.021];

/** What is left of an entry: in base currency, below zero for a short one, and what it brought in quote currency. */
export interface FoldedLot {
  readonly size: number;
  readonly cash: number;
}

/** Lots, oldest first, after a fill, and what those that it closed won. */
function lotsAfter(before: readonly FoldedLot[], fill: FoldedLot): { readonly lots: readonly FoldedLot[]; readonly won: number } {
  const lots = [...before];
  let rest = fill;
  let won = 0;
  for (let [oldest] = lots; oldest && oldest.size > 0 !== rest.size > 0 && Math.abs(rest.size) > NOTHING; [oldest] = lots) {
    const closed = Math.min(Math.abs(oldest.size), Math.abs(rest.size));
    const [entry, exit] = [closed / Math.abs(oldest.size), closed / Math.abs(rest.size)];
    won += oldest.cash * entry + rest.cash * exit;
    const left = shareOf(oldest, 1 - entry);
    rest = shareOf(rest, 1 - exit);
    if (Math.abs(left.size) < NOTHING) lots.shift();
    else lots[0] = left;
  }
  return { lots: Math.abs(rest.size) < NOTHING ? lots : withLot(lots, rest), won };
}

/** What parts of a position won that were closed since the last entry, and what they were worth, in quote currency. */
export interface Closes {
  readonly won: number;
  readonly worth: number;
}

/** Lots after an execution of a size, and what has been closed by then: parts of a position, or one close that has `ended`; unsure where it may not have. */
export function closesAfter(
  { lots: before, closes }: { readonly lots: readonly FoldedLot[]; readonly closes?: Closes | undefined },
  { moved, size, price }: { readonly moved: FoldedLot; readonly size: number; readonly price: number },
): {
  readonly lots: readonly FoldedLot[];
  readonly closes?: Closes | undefined;
  readonly ended?: Closes | undefined;
  readonly isUnsure?: boolean;
} {
  const { lots, won } = lotsAfter(before, moved);
  const held = before.reduce((sum, lot) => sum + lot.size, 0);
  const closed = held * moved.size < 0 ? Math.min(size, Math.abs(held)) : 0;
  if (closed < size * NONE) return { lots, ended: closes };
  const sum = { won: (closes?.won ?? 0) + won, worth: (closes?.worth ?? 0) + closed * price };
  const left = Math.abs(held) - Math.abs(moved.size);
  if (left > size * SOME) return { lots, closes: sum };
  return { lots, ended: sum, isUnsure: closed < size * SOME || left > size * NONE };
}

/** Lots after a correction of their size: it adds to the newest and takes off the oldest, whose cost stays. */
export function lotsCorrected(before: readonly FoldedLot[], change: number): readonly FoldedLot[] {
  const newest = before.at(-1);
  if (!newest) return before;
  if (newest.size > 0 === change > 0) return before.with(-1, { ...newest, size: newest.size + change });
  const [oldest = newest, next, ...others] = before;
  const size = oldest.size + change;
  if (Math.abs(size) >= NOTHING && size > 0 === oldest.size > 0) return before.with(0, { ...oldest, size });
  return next ? lotsCorrected([{ ...next, cash: next.cash + oldest.cash }, ...others], size) : [];
}

/** Lots after a correction of money, which is of the newest. */
export const lotsPaid = (before: readonly FoldedLot[], amount: number): readonly FoldedLot[] =>
  before.map((lot, n) => (n === before.length - 1 ? { ...lot, cash: lot.cash + amount } : lot));

const shareOf = ({ size, cash }: FoldedLot, share: number): FoldedLot => ({ size: size * share, cash: cash * share });

function withLot(lots: readonly FoldedLot[], lot: FoldedLot): readonly FoldedLot[] {
  const [dust] = lots;
  const isDust = dust && lots.length === 1 && Math.abs(dust.size) * DUST <= Math.abs(lot.size);
  return isDust ? [{ size: lot.size + dust.size, cash: lot.cash + dust.cash }] : [...lots, lot];
}
