// Rows at once. One quote is defined in `lane-state.ts`; row by row this is held to it by `test/research/backtest/spans/equal.test.ts`.
import { firstAt } from '#domain/first-where.ts';
import type { Quote } from '#domain/quote.ts';
import { naturesOf, type QuoteColumns, quoteAt, type SideColumns } from '#domain/quote-columns.ts';

/** What decides which rows are odd on a lane. */
interface OddRowsOptions {
  /** All that decides `fits`, as a text. */
  readonly amount: string;
  /** The lane's base amount; no number where it is a value. */
  readonly base: number;
  /** Whether a quote is for the lane's amount. */
  readonly fits: (quote: Quote) => boolean;
  readonly jumpPct: number | null;
  /** A quote so long after the one before does not count as fresh by itself. */
  readonly gapMs: number;
}

/** Figures beyond this may overflow in sums and squares; they are none that a market has. */
const MAX_FIGURE = 1e100;

/**
 * The rows of a recorded lane that are not like the one before them: those that a lane may refuse or learn something from, that follow
 * a gap, jump, belong to another subscription, or have an id that comes twice. Every other row that follows an accepted one is
 * accepted, and changes nothing but what is newest.
 */
export class OddRows {
  /** False where times fall; no row can be told to be like the one before it then. */
  readonly isOrdered: boolean;
  /** True where a later row expires before the one before it. */
  readonly goesBack: boolean;
  private readonly rows: Int32Array;
  /** Rows without a spread, and the smaller of their sizes. */
  private readonly zeroSpreads: { readonly rows: Int32Array; readonly sizes: Float64Array };

  constructor(columns: QuoteColumns, options: OddRowsOptions) {
    const { buy, sell, at, validUntil } = columns;
    const isOdd = oddness(columns, options);
    const rows: number[] = [];
    const zeroSpreads: number[] = [];
    let [isOrdered, goesBack] = [true, false];
    for (let row = 0; row < columns.length; row++) {
      if (isOdd(row)) rows.push(row);
      if (row > 0 && !(of(at, row) >= of(at, row - 1))) isOrdered = false;
      if (row > 0 && of(validUntil, row) < of(validUntil, row - 1)) goesBack = true;
      if (of(buy.price, row) - of(sell.price, row) === 0) zeroSpreads.push(row);
    }
    this.isOrdered = isOrdered;
    this.goesBack = goesBack;
    this.rows = Int32Array.from(rows);
    const sizes = Float64Array.from(zeroSpreads, (row) => Math.min(of(buy.size, row), of(sell.size, row)));
    this.zeroSpreads = { rows: Int32Array.from(zeroSpreads), sizes };
  }

  /** The first odd row from `row` on, or `upTo` where none comes before it. */
  next(row: number, upTo: number): number {
    return Math.min(this.rows[firstAt(this.rows, row)] ?? upTo, upTo);
  }

  /** The first row from `row` on that is quoted without a spread in a size of at least `size`, or `upTo`. */
  nextZeroSpread(row: number, upTo: number, size: number): number {
    const { rows, sizes } = this.zeroSpreads;
    for (let place = firstAt(rows, row); (rows[place] ?? upTo) < upTo; place++) if ((sizes[place] ?? 0) >= size) return rows[place] ?? upTo;
    return upTo;
  }
}

const known = new WeakMap<QuoteColumns, Map<string, OddRows>>();

/** As `new OddRows`, looked for once: many backtests on the same quotes share them. */
export function oddRowsOf(columns: QuoteColumns, options: OddRowsOptions): OddRows {
  const of = known.get(columns) ?? new Map<string, OddRows>();
  known.set(columns, of);
  const key = `${options.amount} ${options.jumpPct} ${options.gapMs}`;
  const found = of.get(key) ?? new OddRows(columns, options);
  of.set(key, found);
  return found;
}

const of = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;

/** What each row is judged by, each from what it needs of the columns as a whole. */
function oddness(columns: QuoteColumns, options: OddRowsOptions): (row: number) => boolean {
  const { jumpPct, gapMs, base, fits } = options;
  const { at, n, epoch, line, buy, sell } = columns;
  const areNumbered = naturesOf(columns).numbered;
  const hasOddId = oddIds(columns);
  const wild = [...sideFigures(buy), ...sideFigures(sell), ...quoteFigures(columns)].filter((column) => hasWild(column, columns.length));
  const isWrongSize = (row: number): boolean =>
    !(of(buy.size, row) === base && of(sell.size, row) === base) && !fits(quoteAt(columns, row));
  const mid = (row: number): number => (of(buy.price, row) + of(sell.price, row)) / 2;
  return (row) => {
    const before = row - 1;
    if (row === 0 || (areNumbered && (Number.isNaN(of(n, row)) || Number.isNaN(of(n, before))))) return true;
    if (of(epoch, row) !== of(epoch, before) || of(line, row) < of(line, before) || hasOddId(row)) return true;
    if (!(of(at, row) - of(at, before) < gapMs)) return true;
    const [bought, sold] = [of(buy.price, row), of(sell.price, row)];
    if (!(bought > 0 && sold > 0 && bought >= sold)) return true;
    for (const column of wild) if (isWild(of(column, row))) return true;
    return isWrongSize(row) || (jumpPct !== null && Math.abs(mid(row) - mid(before)) > (mid(before) * jumpPct) / 100);
  };
}

const isWild = (figure: number): boolean => !(Math.abs(figure) < MAX_FIGURE);

/** Most columns have no such figure, and need not be looked at row by row. */
function hasWild(column: Float64Array, rows: number): boolean {
  for (let row = 0; row < rows; row++) if (isWild(of(column, row))) return true;
  return false;
}

const quoteFigures = ({ feePercentage, spread, spreadPercentage, dailyChangePercentage, validUntil }: QuoteColumns) => [
  feePercentage,
  spread,
  spreadPercentage,
  dailyChangePercentage,
  validUntil,
];

const sideFigures = (side: SideColumns): readonly Float64Array[] => Object.values(side);

/** Rows whose id comes twice, is missing among others that are not, or is told in full: 16 bytes do not say all of it. */
function oddIds(columns: QuoteColumns): (row: number) => boolean {
  const { ids, oddIds, length } = columns;
  if (oddIds.size === 0 && !naturesOf(columns).identified) return () => false;
  const bytes = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
  const sums = new Map<number, number>();
  // Two ids of one sum are taken for one: the rows are odd, which costs time and is never wrong.
  const sumOf = (row: number): number => {
    const high = bytes.getUint32(row * 16) ^ bytes.getUint32(row * 16 + 8);
    const low = bytes.getUint32(row * 16 + 4) ^ bytes.getUint32(row * 16 + 12);
    return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
  };
  for (let row = 0; row < length; row++) sums.set(sumOf(row), (sums.get(sumOf(row)) ?? 0) + 1);
  return (row) => oddIds.has(row) || sumOf(row) === 0 || (sums.get(sumOf(row)) ?? 0) > 1;
}
