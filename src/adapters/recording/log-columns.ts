import { type ColumnNames, columnsOver, figuresOf, ROW_BYTES, slicedColumns } from '#domain/columns-memory.ts';
import type { Millis } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import { type QuoteColumns, type SideColumns, writeId } from '#domain/quote-columns.ts';
import type { LogEntry } from './log-format.ts';

const FIRST_ROWS = 1024;

/**
 * The recorded quotes of a run as columns, one set a lane, lanes in the order in which they were first heard. Quotes that
 * newer ones replaced before their turn are among them, without a number. `before` is how many events and quotes there
 * are before these items.
 */
export function columnsOf(items: Iterable<LogEntry>, before = 0): readonly QuoteColumns[] {
  const lanes = new LaneColumns();
  let line = before;
  for (const item of items) {
    line += 1;
    lanes.add(line, item);
  }
  return lanes.columns();
}

/** Gathers quotes by lane. */
export class LaneColumns {
  private readonly builders = new Map<string, ColumnsBuilder[]>();

  /** Takes an item of a recording; what is no quote is passed over. Returns whether it was one. */
  add(line: number, item: LogEntry): boolean {
    if (item.kind === 'conflated') {
      this.builderFor(item.quote).add({ line, n: null, at: item.at }, item.quote);
      return true;
    }
    const { n, at, event } = item.event;
    if (event.kind !== 'quote') return false;
    this.builderFor(event.quote).add({ line, n, at }, event.quote);
    return true;
  }

  columns(): readonly QuoteColumns[] {
    return [...this.builders.values()].flat().map((builder) => builder.columns());
  }

  private builderFor(quote: Parameters<ColumnsBuilder['add']>[1]): ColumnsBuilder {
    const known = this.builders.get(quote.lane);
    const fitting = known?.find((builder) => builder.accepts(quote));
    if (fitting) return fitting;
    const fresh = new ColumnsBuilder(quote);
    if (known) known.push(fresh);
    else this.builders.set(quote.lane, [fresh]);
    return fresh;
  }
}

/** Gathers the quotes of one lane as columns that double as they fill. */
export class ColumnsBuilder {
  private readonly names: ColumnNames;
  private readonly oddIds = new Map<number, string>();
  private held: QuoteColumns;
  private rows = 0;

  /** `names` are those of any quote of the lane. */
  constructor(names: ColumnNames) {
    this.names = names;
    this.held = this.room(FIRST_ROWS);
  }

  get length(): number {
    return this.rows;
  }

  /** True where the quote belongs to these columns. */
  accepts({ lane, product, baseCcy, quoteCcy }: Quote): boolean {
    const { names } = this;
    return lane === names.lane && product === names.product && baseCcy === names.baseCcy && quoteCcy === names.quoteCcy;
  }

  /** `n` is null for a quote without a number. */
  add(place: { readonly line: number; readonly n: number | null; readonly at: Millis }, quote: Quote): void {
    const row = this.rows;
    if (row === this.held.length) this.grow();
    const { held } = this;
    held.line[row] = place.line;
    held.n[row] = place.n ?? Number.NaN;
    held.at[row] = place.at;
    held.epoch[row] = quote.epoch;
    held.validUntil[row] = quote.validUntil;
    setSide(held.buy, row, quote.buy);
    setSide(held.sell, row, quote.sell);
    held.feePercentage[row] = quote.feePercentage;
    held.spread[row] = quote.spread;
    held.spreadPercentage[row] = quote.spreadPercentage;
    held.dailyChangePercentage[row] = quote.dailyChangePercentage;
    if (quote.id !== null && !writeId(quote.id, held.ids, row * 16)) this.oddIds.set(row, quote.id);
    this.rows = row + 1;
  }

  /** The columns so far, in memory of their own that threads can share. */
  columns(): QuoteColumns {
    return slicedColumns({ ...this.held, oddIds: this.oddIds }, 0, this.rows);
  }

  private grow(): void {
    const larger = this.room(this.rows * 2);
    const targets = figuresOf(larger);
    for (const [place, figure] of figuresOf(this.held).entries()) targets[place]?.set(figure);
    larger.ids.set(this.held.ids);
    this.held = larger;
  }

  private room(rows: number): QuoteColumns {
    return columnsOver(new ArrayBuffer(rows * ROW_BYTES), rows, { names: this.names, oddIds: this.oddIds });
  }
}

function setSide(columns: SideColumns, row: number, side: QuoteSide): void {
  columns.price[row] = side.price;
  columns.size[row] = side.size;
  columns.value[row] = side.value;
  columns.feeInBaseCcy[row] = side.feeInBaseCcy;
  columns.feeInQuoteCcy[row] = side.feeInQuoteCcy;
  columns.slippage[row] = side.slippage;
  columns.slippagePercentage[row] = side.slippagePercentage;
}
