import type { Lane } from '#domain/lane.ts';
import { type Millis, type QuoteId, quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { idsOf, idTexts, type QuoteColumns, quoteNamed } from '#domain/quote-columns.ts';

/** Where the quotes of a lane come from in a backtest. */
type Provenance = 'exact' | 'modelled';

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
  /** True when the quote taken last is the range of a bar, whose last price comes next. */
  readonly isRange: boolean;
}

/** Whose next quote comes first: by time, then by place in the recording. */
export const before = (a: QuoteSource, b: QuoteSource): boolean =>
  a.nextAt < b.nextAt || (a.nextAt === b.nextAt && a.nextLine < b.nextLine);

/** Local ids whose text is made at once: each keeps the text of all of them in memory. */
const IDS_AT_ONCE = 64;

/** Gives quotes without an id one of their own, so that an order can name them: a UUID whose last 15 digits count. */
export class LocalIds {
  private count = 0;
  private texts = '';
  private readonly bytes = new Uint8Array(IDS_AT_ONCE * 16);

  next(): QuoteId {
    const place = this.count % IDS_AT_ONCE;
    if (place === 0) this.texts = this.textsFrom(this.count + 1);
    this.count += 1;
    return quoteId(this.texts.slice(place * 36, place * 36 + 36));
  }

  private textsFrom(first: number): string {
    const bytes = new DataView(this.bytes.buffer);
    for (let place = 0; place < IDS_AT_ONCE; place += 1) {
      const at = place * 16;
      const number = first + place;
      bytes.setUint8(at + 6, 0x40);
      bytes.setUint8(at + 8, 0x80);
      bytes.setUint32(at + 12, number % 2 ** 32);
      bytes.setUint16(at + 10, Math.floor(number / 2 ** 32));
    }
    return idTexts(this.bytes);
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
  /** Of two quotes of one time the first is the range of a bar. */
  readonly hasRanges?: boolean;
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
  isRange = false;
  private readonly columns: QuoteColumns;
  private readonly options: RecordedLaneOptions;
  /** The recorded id; always null where none was recorded. */
  private readonly id: (index: number) => QuoteId | null;
  /** A lane without any number was imported: no run has numbered its quotes, and nothing replaced them. */
  private readonly numbered: boolean;
  private index = -1;
  private epoch = 0;

  constructor(options: RecordedLaneOptions) {
    const { lane, columns } = options;
    this.lane = lane;
    this.options = options;
    this.columns = columns;
    const { numbered, identified, ordered } = naturesOf(columns);
    this.id = identified || columns.oddIds.size > 0 ? idsOf(columns) : () => null;
    this.numbered = numbered;
    this.provenance = numbered || identified ? 'exact' : 'modelled';
    this.advance(ordered ? rowsBefore(columns.at, options.from) : 0);
  }

  take(): Quote {
    const { columns, index, lane, options } = this;
    if (this.begins) this.epoch += 1;
    const id = this.id(index) ?? options.ids.next();
    const quote = quoteNamed(columns, index, { id, lane: lane.id, epoch: this.epoch });
    this.isRange = options.hasRanges === true && columns.at[index + 1] === columns.at[index];
    this.advance(index + 1);
    return quote;
  }

  /** Goes to the first quote from `row` on that is played. */
  private advance(row: number): void {
    const { columns, options, numbered } = this;
    const before = columns.epoch[this.index];
    const lineBefore = columns.line[this.index];
    for (this.index = row; this.index < columns.length; this.index += 1) {
      const at = columns.at[this.index] ?? 0;
      if (at < options.from || (at === options.from && (columns.line[this.index] ?? 0) < (options.line ?? 0))) continue;
      if (numbered && Number.isNaN(columns.n[this.index] ?? Number.NaN)) continue;
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

/** What the quotes of some columns have in common. */
interface Natures {
  /** At least one has the number of a run's inbox. */
  readonly numbered: boolean;
  /** At least one has an id that 16 bytes tell. */
  readonly identified: boolean;
  /** Times never fall; those of runs that overlap do. */
  readonly ordered: boolean;
}

/** Looked at once: a lane that is lent begins anew each time, and has as many rows as were ever recorded. */
const natures = new WeakMap<QuoteColumns, Natures>();

function naturesOf(columns: QuoteColumns): Natures {
  let known = natures.get(columns);
  if (!known) {
    const { n, ids, at } = columns;
    const ordered = at.every((time, row) => row === 0 || time >= (at[row - 1] ?? 0));
    known = { numbered: n.some((one) => !Number.isNaN(one)), identified: ids.some((byte) => byte !== 0), ordered };
    natures.set(columns, known);
  }
  return known;
}

/** How many entries of a column that does not fall are before a time, by halving. */
function rowsBefore(at: Float64Array, time: Millis): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
