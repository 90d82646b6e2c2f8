import type { Mark, Marks } from '#core/portfolio/marks.ts';
import type { HeldInAll, HeldProduct } from '#core/portfolio/profit-state.ts';
import type { Line, ProfitTrack } from '#core/portfolio/profit-track.ts';
import { firstAt } from '#domain/columns-memory.ts';
import type { QuoteColumns, Rows } from '#domain/quote-columns.ts';
import type { QuoteTape } from '#domain/quote-tape.ts';
import type { PriceRing, RecentPrices } from './collar.ts';
import type { LossLimits } from './loss-limits.ts';
import type { MeasuredRows } from './measured-rows.ts';
import type { TradingState } from './trading-state.ts';

/** What a lane has, kept between its quotes. */
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

/** Quotes that move the profit of products in one currency, with no limit reached and no row of the journal due. */
export class QuietRows {
  private readonly options: QuietRowsOptions;

  constructor(options: QuietRowsOptions) {
    this.options = options;
  }

  /** The first place before `end` at which a quote does more; `end` where none does. `of` is what each lane of the tape has. */
  lookAhead(of: readonly Kept[], tape: QuoteTape, end: number): number {
    const { profit, marks, state } = this.options;
    const changesAt = Math.min(profit.dayEnds, state.stops.reducing?.until ?? Number.POSITIVE_INFINITY);
    let to = end;
    for (const [lane, { columns, from }] of tape.lanes.entries()) {
      const rows = tape.rows(lane, to);
      if (rows[1] === from) continue;
      const kept = of[lane];
      if (kept?.mark === undefined || kept.prices === undefined || !marks.hasOneLane(columns.product)) to = tape.placeOf(lane, from);
      else {
        const row = rowAt(columns, changesAt, rows);
        if (row < rows[1]) to = tape.placeOf(lane, row);
      }
    }
    if (profit.currencies === 0 || to === 0) return to;
    const held = profit.inAll();
    return held === undefined ? 0 : this.held(held, tape, to);
  }

  private held(held: HeldInAll, tape: QuoteTape, end: number): number {
    const { lossLimits, measured, state } = this.options;
    const { currency, dayStart, present } = held;
    const lanes = pricedBy(held, tape);
    if (lanes.every((lane) => lane === undefined)) return end;
    const isHeldTo = state.reducing === null ? lossLimits.ofOne(currency) : NO_LIMIT;
    if (isHeldTo === undefined || !measured.isSettled) return 0;
    let { dueAt } = measured;
    let { peak } = held;
    let value = present;
    let isChanged = measured.isChanged;
    if (lanes.every((lane) => lane?.prices === undefined)) {
      if (isHeldTo(dayStart - value, peak - value, peak)) return 0;
      if (!isChanged) return end;
    }
    const { order } = tape;
    const next = tape.lanes.map(({ from }) => from);
    for (let place = 0; place < end; place++) {
      const of = order[place] ?? 0;
      const row = next[of] ?? 0;
      next[of] = row + 1;
      const lane = lanes[of];
      if (lane === undefined) continue;
      if (lane.prices) value = lane.total(worthAt(lane, row));
      if (value > peak) {
        peak = value;
        isChanged = true;
      }
      if (isHeldTo(dayStart - value, peak - value, peak)) return place;
      const at = lane.at[row] ?? 0;
      if (at < dueAt) continue;
      if (isChanged) return place;
      dueAt = measured.after(at);
    }
    return end;
  }

  /** Takes the quotes before a place that `lookAhead` let pass; the last of each lane is its latest. */
  pass(of: readonly Kept[], tape: QuoteTape, { end, last }: { readonly end: number; readonly last: readonly (Mark | undefined)[] }): void {
    const { profit, marks, prices } = this.options;
    const held = profit.inAll();
    for (const [lane, { columns }] of tape.lanes.entries()) {
      const [kept, latest] = [of[lane], last[lane]];
      if (!kept || !latest) continue;
      kept.mark = marks.add(latest.quote, latest.at, kept.mark);
      if (kept.prices) prices.pass(kept.prices, columns, tape.rows(lane, end));
      kept.line ??= profit.line(columns.product);
    }
    if (held === undefined) return;
    const lanes = pricedBy(held, tape);
    if (lanes.every((lane) => lane === undefined)) return;
    const highest = this.follow(held, lanes, tape, end);
    profit.passed(
      tape.lanes.filter((_, lane) => last[lane] !== undefined).map(({ columns }) => columns.product),
      highest,
    );
  }

  /** Passes over the checks for changed measures; returns the most that profit comes to. */
  private follow(held: HeldInAll, lanes: readonly (Priced | undefined)[], { order, lanes: from }: QuoteTape, end: number): number {
    const { measured } = this.options;
    let highest = held.present;
    const next = from.map((lane) => lane.from);
    for (let place = 0; place < end; place++) {
      const of = order[place] ?? 0;
      const row = next[of] ?? 0;
      next[of] = row + 1;
      const lane = lanes[of];
      if (lane === undefined) continue;
      measured.passed(lane.at[row] ?? 0);
      if (lane.prices === undefined) continue;
      const value = lane.total(worthAt(lane, row));
      if (value > highest) highest = value;
    }
    return highest;
  }
}

/** A lane by whose quotes profit is measured. */
interface Priced extends Pick<HeldProduct, 'books' | 'total'> {
  readonly at: Float64Array;
  /** What closes positions; undefined where there are none. */
  readonly prices: { readonly buy: Float64Array; readonly sell: Float64Array } | undefined;
}

/** The lanes of a tape with a product that was traded; undefined for the others. */
function pricedBy({ products }: HeldInAll, { lanes }: QuoteTape): readonly (Priced | undefined)[] {
  return lanes.map(({ columns: { product: code, at, buy, sell } }) => {
    const product = products.find((one) => one.product === code);
    return product && { ...product, at, prices: product.isHeld ? { buy: buy.price, sell: sell.price } : undefined };
  });
}

/** What the books of a product come to at a row of its lane. */
function worthAt({ books, prices }: Priced, row: number): number {
  let value = 0;
  for (const { cash, size } of books) {
    value += cash;
    if (size !== 0) value += size * ((size < 0 ? prices?.buy : prices?.sell)?.[row] ?? 0);
  }
  return value;
}

const NO_LIMIT = (): boolean => false;

/** The first row of a span that comes at or behind a time. */
function rowAt({ at }: QuoteColumns, time: number, [from, to]: Rows): number {
  if (!((at[to - 1] ?? 0) >= time)) return to;
  return Math.min(to, Math.max(from, firstAt(at, time)));
}
