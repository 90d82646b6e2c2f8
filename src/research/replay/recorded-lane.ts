import { figureAt } from '#domain/figure-at.ts';
import { firstAt } from '#domain/first-where.ts';
import type { Lane } from '#domain/lane.ts';
import { type Millis, type QuoteId, quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { idsOf, idTexts, naturesOf, type QuoteColumns, quoteNamed } from '#domain/quote-columns.ts';
import type { PlayedRows } from './played-rows.ts';

/** The source of a lane's quotes in a backtest. */
type Provenance = 'exact' | 'modelled';

/** The quotes of one lane, one after the other, as a backtest plays them. */
export interface QuoteSource {
  readonly lane: Lane;
  /** Time of the next quote; infinite when there is none. */
  readonly nextAt: Millis;
  /** Line of the next quote in its recording. */
  readonly nextLine: number;
  /** True for an import, which is a recording of its own: its lines say nothing of what other lanes have. */
  readonly isImported: boolean;
  /** Whether the next quote was recorded for this amount, or is modelled. */
  readonly provenance: Provenance;
  /** Takes the next quote; undefined if its row has none for this lane. */
  next(): Quote | undefined;
  /** The last quote at the time of the next one, before any is taken; undefined if there is none. */
  readonly ahead: Quote | undefined;
  /** True if the next quote begins another subscription. */
  readonly begins: boolean;
  /** True if the last taken quote is the range of a bar, whose last price comes next. */
  readonly isRange: boolean;
}

/** Whose next quote comes first: by time, then by place in the recording, and by name where that does not tell, whatever else is played. */
export function before(a: QuoteSource, b: QuoteSource): boolean {
  if (a.nextAt !== b.nextAt) return a.nextAt < b.nextAt;
  const [line, other] = [lineOf(a), lineOf(b)];
  return line === other ? a.lane.id < b.lane.id : line < other;
}

const lineOf = ({ isImported, nextLine }: QuoteSource): number => (isImported ? 0 : nextLine);

/** Number of local ids whose text is made at once, which keeps all of it in memory. */
const IDS_AT_ONCE = 64;

/** Gives quotes without an id a local one, which orders can name: a UUID whose last 15 digits count up. */
export class LocalIds {
  private count = 0;
  private texts = '';
  /** Ids that were given before the first whose text is made. */
  private block = -1;
  private readonly bytes = new Uint8Array(IDS_AT_ONCE * 16);
  private readonly view = new DataView(this.bytes.buffer);

  next(): QuoteId {
    const place = this.count % IDS_AT_ONCE;
    const block = this.count - place;
    // In a block that was jumped into one text is made alone.
    if (block !== this.block && place !== 0) return this.alone();
    if (block !== this.block) this.texts = this.textsFrom(block + 1);
    this.block = block;
    this.count += 1;
    return quoteId(this.texts.slice(place * 36, place * 36 + 36));
  }

  /** The id that comes so many places after the next one. */
  peek(places: number): QuoteId {
    return quoteId(`00000000-0000-4000-8000-${(this.count + 1 + places).toString(16).padStart(12, '0')}`);
  }

  /** Skips a number of ids. */
  skip(count: number): void {
    this.count += count;
  }

  private alone(): QuoteId {
    const id = this.peek(0);
    this.count += 1;
    return id;
  }

  private textsFrom(first: number): string {
    for (let place = 0; place < IDS_AT_ONCE; place += 1) this.write(place * 16, first + place);
    return idTexts(this.bytes);
  }

  private write(at: number, number: number): void {
    this.view.setUint8(at + 6, 0x40);
    this.view.setUint8(at + 8, 0x80);
    this.view.setUint32(at + 12, number % 2 ** 32);
    this.view.setUint16(at + 10, Math.floor(number / 2 ** 32));
  }
}

interface RecordedLaneOptions {
  readonly lane: Lane;
  readonly columns: QuoteColumns;
  readonly from: Millis;
  /** Quotes of `from` itself are played from this place in the recording on. */
  readonly line?: number;
  readonly to: Millis;
  readonly ids: LocalIds;
  /** Counts what was played of the columns. */
  readonly played: PlayedRows;
  /** True if the first of two quotes of one time is the range of a bar. */
  readonly hasRanges?: boolean;
}

/**
 * The recorded quotes of a lane in the order of the recording, without conflated ones. Subscriptions are numbered anew,
 * since different runs use the same numbers.
 */
export class RecordedLane implements QuoteSource {
  readonly lane: Lane;
  readonly provenance: Provenance;
  readonly isImported: boolean;
  nextAt: Millis = Number.POSITIVE_INFINITY;
  nextLine = 0;
  begins = true;
  isRange = false;
  private readonly columns: QuoteColumns;
  private readonly options: RecordedLaneOptions;
  /** The recorded id; always null where none was recorded. */
  private readonly id: (index: number) => QuoteId | null;
  /** False for an imported lane, whose quotes have no inbox numbers and were not conflated. */
  private readonly numbered: boolean;
  private index = -1;
  private epoch = 0;
  /** Rows in front of the next one whose quotes were replaced. */
  private replaced = 0;

  constructor(options: RecordedLaneOptions) {
    const { lane, columns } = options;
    this.lane = lane;
    this.options = options;
    this.columns = columns;
    const { numbered, identified, ordered } = naturesOf(columns);
    this.id = identified || columns.oddIds.size > 0 ? idsOf(columns) : () => null;
    this.numbered = numbered;
    this.isImported = !numbered && !identified;
    this.provenance = this.isImported ? 'modelled' : 'exact';
    this.advance(ordered ? firstAt(columns.at, options.from) : 0);
  }

  next(): Quote {
    const { columns, index, lane, options } = this;
    if (this.begins) this.epoch += 1;
    const id = this.id(index) ?? options.ids.next();
    const quote = quoteNamed(columns, index, { id, lane: lane.id, epoch: this.epoch });
    this.isRange = options.hasRanges === true && columns.at[index + 1] === columns.at[index];
    options.played.add(index - this.replaced, index);
    this.advance(index + 1);
    return quote;
  }

  /** True if the next quote is the range of a bar. */
  get isRangeNext(): boolean {
    return this.options.hasRanges === true && this.columns.at[this.index + 1] === this.nextAt;
  }

  get ahead(): Quote | undefined {
    const { columns, nextAt, lane, epoch, begins, options } = this;
    if (nextAt === Number.POSITIVE_INFINITY) return undefined;
    const index = this.isRangeNext ? this.index + 1 : this.index;
    return quoteNamed(columns, index, { id: this.id(index) ?? options.ids.peek(0), lane: lane.id, epoch: begins ? epoch + 1 : epoch });
  }

  /** The row of the next quote, where those that follow it in the columns are played as they stand; undefined otherwise. */
  get row(): number | undefined {
    return this.begins || this.options.hasRanges === true || this.nextAt === Number.POSITIVE_INFINITY ? undefined : this.index;
  }

  /** What is played comes from these. */
  get recorded(): QuoteColumns {
    return this.columns;
  }

  /** Quotes from this time on are left out. */
  get endsAt(): Millis {
    return this.options.to;
  }

  /** How many local ids are given before that of a row; undefined where this lane alone is played. */
  idsBefore: ((row: number) => number) | undefined;

  /** True where its quotes have no ids of their own. */
  get isLocal(): boolean {
    return this.id(this.index) === null;
  }

  /** The quote of a row from the next one on, before it is taken. */
  readonly quoteOf = (row: number): Quote => {
    const { columns, lane, epoch, options, idsBefore } = this;
    const id = this.id(row) ?? options.ids.peek(idsBefore ? idsBefore(row) : row - this.index);
    return quoteNamed(columns, row, { id, lane: lane.id, epoch });
  };

  /** Local ids that were given to quotes of this lane and of others. */
  skipIds(count: number): void {
    this.options.ids.skip(count);
  }

  /**
   * Takes the quotes up to and including a row, none of which begins a subscription or lacks an id that others have; returns the last.
   * `skipIds` must follow.
   */
  takeTo(row: number): Quote {
    const { options, index: from } = this;
    const quote = this.quoteOf(row);
    this.isRange = false;
    options.played.add(from - this.replaced, row);
    this.index = row;
    this.advance(row + 1);
    return quote;
  }

  /** Goes to the first quote from `row` on that is played. */
  private advance(row: number): void {
    const { columns, options, numbered } = this;
    const before = columns.epoch[this.index];
    const lineBefore = columns.line[this.index];
    this.replaced = 0;
    for (this.index = row; this.index < columns.length; this.index += 1) {
      const at = figureAt(columns.at, this.index);
      if (at < options.from || (at === options.from && figureAt(columns.line, this.index) < (options.line ?? 0))) continue;
      if (numbered && Number.isNaN(figureAt(columns.n, this.index))) {
        if (at < options.to) this.replaced += 1;
        continue;
      }
      if (at >= options.to) break;
      this.nextAt = at;
      this.nextLine = figureAt(columns.line, this.index);
      // A new recording belongs to another run.
      this.begins = before !== columns.epoch[this.index] || this.nextLine < (lineBefore ?? 0);
      return;
    }
    this.nextAt = Number.POSITIVE_INFINITY;
  }
}
