import type { Mark, Marks } from '#core/portfolio/marks.ts';
import type { HeldAlone } from '#core/portfolio/profit-state.ts';
import type { Line, ProfitTrack } from '#core/portfolio/profit-track.ts';
import { firstAt } from '#domain/columns-memory.ts';
import type { QuoteColumns, Rows } from '#domain/quote-columns.ts';
import type { PriceRing, RecentPrices } from './collar.ts';
import type { LossLimits } from './loss-limits.ts';
import type { MeasuredRows } from './measured-rows.ts';
import type { TradingState } from './trading-state.ts';

/** What the span's lane has, kept between its quotes. */
interface Kept {
  mark?: Mark | undefined;
  readonly prices?: PriceRing | undefined;
  line?: Line | undefined;
}

interface QuietRowsOptions {
  readonly profit: ProfitTrack;
  readonly marks: Marks;
  readonly prices: RecentPrices;
  readonly lossLimits: LossLimits;
  readonly measured: MeasuredRows;
  readonly state: Pick<TradingState, 'reducing' | 'stops'>;
}

/** Rows of quotes that move the profit of one product, with no limit reached and no row of the journal due. */
export class QuietRows {
  private readonly options: QuietRowsOptions;

  constructor(options: QuietRowsOptions) {
    this.options = options;
  }

  /** The first row at which a quote does more; the end of the span where none does. */
  lookAhead(of: Kept, columns: QuoteColumns, span: Rows): number {
    const { profit, marks, state } = this.options;
    const [from] = span;
    if (of.mark === undefined || of.prices === undefined || !marks.hasOneLane(columns.product)) return from;
    const changesAt = Math.min(profit.dayEnds, state.stops.reducing?.until ?? Number.POSITIVE_INFINITY);
    const to = rowAt(columns, changesAt, span);
    if (profit.currencies === 0) return to;
    const held = profit.alone(columns.product);
    return held === undefined ? from : this.held(held, columns, [from, to]);
  }

  private held(held: HeldAlone, columns: QuoteColumns, [from, to]: Rows): number {
    const { lossLimits, measured, state } = this.options;
    const { currency, dayStart } = held;
    const isHeldTo = state.reducing === null ? lossLimits.ofOne(currency) : NO_LIMIT;
    if (isHeldTo === undefined || !measured.isSettled) return from;
    let { dueAt } = measured;
    let { peak } = held;
    if (held.size === 0) {
      if (isHeldTo(dayStart - held.cash, peak - held.cash, peak)) return from;
      const due = rowAt(columns, dueAt, [from, to]);
      return due < to && measured.isChanged ? due : to;
    }
    let isChanged = false;
    const prices = closing(held, columns);
    for (let row = from; row < to; row++) {
      const value = held.cash + held.size * (prices[row] ?? 0);
      if (value > peak) {
        peak = value;
        isChanged = true;
      }
      if (isHeldTo(dayStart - value, peak - value, peak)) return row;
      const at = columns.at[row] ?? 0;
      if (at < dueAt) continue;
      if (isChanged || measured.isChanged) return row;
      dueAt = measured.after(at);
    }
    return to;
  }

  /** Takes rows that `lookAhead` let pass; the last brought the lane's latest quote. */
  pass(of: Kept, { columns, span, last }: { readonly columns: QuoteColumns; readonly span: Rows; readonly last: Mark }): void {
    const { profit, marks, prices, measured } = this.options;
    const held = profit.alone(columns.product);
    of.mark = marks.add(last.quote, last.at, of.mark);
    if (of.prices) prices.pass(of.prices, columns, span);
    of.line ??= profit.line(columns.product);
    if (held === undefined) return;
    measured.passed(columns.at, span);
    profit.passed(columns.product, highestOf(held, columns, span));
  }
}

const NO_LIMIT = (): boolean => false;

/** What closes the position; any column where there is none, since nothing times a price is nothing. */
const closing = ({ size }: HeldAlone, { buy, sell }: QuoteColumns): Float64Array => (size < 0 ? buy.price : sell.price);

/** The first row of a span that comes at or behind a time. */
function rowAt({ at }: QuoteColumns, time: number, [from, to]: Rows): number {
  if (!((at[to - 1] ?? 0) >= time)) return to;
  return Math.min(to, Math.max(from, firstAt(at, time)));
}

/** The most that the position comes to at the rows of a span. */
function highestOf(held: HeldAlone, columns: QuoteColumns, [from, to]: Rows): number {
  if (held.size === 0) return held.cash;
  let highest = Number.NEGATIVE_INFINITY;
  const prices = closing(held, columns);
  for (let row = from; row < to; row++) {
    const value = held.cash + held.size * (prices[row] ?? 0);
    if (value > highest) highest = value;
  }
  return highest;
}
