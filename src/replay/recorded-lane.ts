import type { Lane } from '../domain/lane.ts';
import { type Millis, type QuoteId, quoteId } from '../domain/names.ts';
import type { Quote } from '../domain/quote.ts';
import { type QuoteColumns, quotesOf } from '../domain/quote-columns.ts';

/** Where the quotes of a lane come from in a backtest. */
export type Provenance = 'exact' | 'modelled';

/** The quotes of one lane, one after the other, as a backtest plays them. */
export interface QuoteSource {
  readonly lane: Lane;
  /** Time of the next quote; infinite when there is none. */
  readonly nextAt: Millis;
  /** Place of the next quote in its recording: what came first among equal times. */
  readonly nextLine: number;
  /** Whether the next quote was on offer for this very amount, or is a model. */
  readonly provenance: Provenance;
  /** Takes the next quote; undefined where its place in the recording has none for this lane. */
  take(): Quote | undefined;
  /** True when the next quote belongs to another subscription than the one before. */
  readonly begins: boolean;
}

/** Whose next quote comes first: by time, then by place in the recording. */
export const before = (a: QuoteSource, b: QuoteSource): boolean =>
  a.nextAt < b.nextAt || (a.nextAt === b.nextAt && a.nextLine < b.nextLine);

/** Gives quotes without an id one of their own, so that an order can name them. */
export class LocalIds {
  private count = 0;

  next(): QuoteId {
    this.count += 1;
    const hex = this.count.toString(16).padStart(15, '0');
    return quoteId(`00000000-0000-4000-8${hex.slice(0, 3)}-${hex.slice(3)}`);
  }
}

export interface RecordedLaneOptions {
  readonly lane: Lane;
  readonly columns: QuoteColumns;
  readonly from: Millis;
  readonly to: Millis;
  readonly ids: LocalIds;
}

/**
 * The recorded quotes of a lane in the order of the recording. Those that a newer one had replaced before their turn are
 * left out, as they were then. Subscriptions are counted anew, since those of different runs have the same numbers.
 */
export class RecordedLane implements QuoteSource {
  readonly lane: Lane;
  readonly provenance: Provenance;
  nextAt: Millis = Number.POSITIVE_INFINITY;
  nextLine = 0;
  begins = true;
  private readonly columns: QuoteColumns;
  private readonly options: RecordedLaneOptions;
  private readonly quote: (index: number) => Quote;
  /** A lane without any number was imported: no run has numbered its quotes, and nothing replaced them. */
  private readonly numbered: boolean;
  private readonly plain: boolean;
  private index = -1;
  private epoch = 0;

  constructor(options: RecordedLaneOptions) {
    const { lane, columns } = options;
    this.lane = lane;
    this.options = options;
    this.columns = columns;
    this.quote = quotesOf(columns);
    this.numbered = columns.n.some((n) => !Number.isNaN(n));
    this.provenance = this.numbered || columns.ids.some((byte) => byte !== 0) ? 'exact' : 'modelled';
    this.plain = columns.lane === lane.id;
    this.advance();
  }

  take(): Quote {
    const recorded = this.quote(this.index);
    if (this.begins) this.epoch += 1;
    const { epoch } = this;
    const { lane, options, plain } = this;
    this.advance();
    if (plain && recorded.id !== null && recorded.epoch === epoch) return recorded;
    return Object.freeze({ ...recorded, lane: lane.id, epoch, id: recorded.id ?? options.ids.next() });
  }

  private advance(): void {
    const { columns, options, numbered } = this;
    const before = columns.epoch[this.index];
    const lineBefore = columns.line[this.index];
    for (;;) {
      this.index += 1;
      if (this.index >= columns.length) break;
      const at = columns.at[this.index] ?? 0;
      if (at < options.from || (numbered && Number.isNaN(columns.n[this.index] ?? Number.NaN))) continue;
      if (at >= options.to) break;
      this.nextAt = at;
      this.nextLine = columns.line[this.index] ?? 0;
      // A recording that begins anew is another run.
      this.begins = before !== columns.epoch[this.index] || this.nextLine < (lineBefore ?? 0);
      return;
    }
    this.nextAt = Number.POSITIVE_INFINITY;
  }
}
