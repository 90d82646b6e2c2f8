import { figureAt } from '#domain/figure-at.ts';
import { Heap } from '#domain/heap.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis, ProductCode } from '#domain/names.ts';
import type { Quote, TimedQuote } from '#domain/quote.ts';
import type { RowRange } from '#domain/quote-columns.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { QuoteSources } from './quote-sources.ts';
import { before, type QuoteSource, RecordedLane } from './recorded-lane.ts';

/** The part of the sink for trading quotes. */
type RecordedSink = Pick<FeedSink, 'quote' | 'change'>;

/** A quote that was delivered, and whether it was on offer. */
export interface Offer {
  readonly quote: Quote;
  readonly provenance: QuoteSource['provenance'];
}

/** The last delivered quote of a lane. */
interface DeliveredQuote extends Offer, TimedQuote {
  /** True for the range of a bar, which counts for open positions only: strategies do not see it. */
  readonly isRange: boolean;
}

/** Rows of a lane that are passed over. */
interface SkippedRows {
  readonly source: RecordedLane;
  readonly rows: RowRange;
}

/**
 * Delivers recorded quotes lane by lane in the order of time; of equal times, in the order of the recording, imports in that of their lanes' names. A lane is
 * opened and acknowledged just before the first quote of each of its subscriptions.
 */
export class RecordedFeed {
  private readonly sources: QuoteSources;
  private readonly sink: RecordedSink;
  /** By the next quote of each. */
  private readonly lanes = new Heap(before);
  /** The same in the order in which they were opened. */
  private opened: readonly QuoteSource[] = [];
  private left: readonly RecordedLane[] | string | undefined;
  private readonly epochs = new Map<LaneId, number>();
  private readonly last = new Map<LaneId, DeliveredQuote>();
  /** Whose quote was delivered last, and when. */
  private newest: { readonly source: QuoteSource; readonly at: Millis } | undefined;
  /** How far the bars of a product were played, where they have ranges. */
  private readonly reached = new Map<ProductCode, { readonly at: Millis; readonly line: number }>();
  /** Quotes delivered: a recorded one as often as there are lanes that it makes quotes for. */
  delivered = 0;

  constructor(sources: QuoteSources, sink: RecordedSink) {
    this.sources = sources;
    this.sink = sink;
  }

  /** Opens a standing lane. It has no quotes if no amount of its product was recorded. */
  open(lane: Lane): void {
    this.add(this.sources.of(lane));
  }

  /** Opens a lane of an amount that only now became known. It has no quotes if its product was not recorded. */
  acquire(lane: Lane, now: Millis): void {
    const reached = this.reached.get(lane.product);
    // After a bar's last price, its range is no longer tradable.
    this.add(this.sources.of(lane, now, reached?.at === now ? reached.line : 0));
  }

  release(id: LaneId): void {
    this.lanes.rebuild(({ lane }) => lane.id !== id);
    this.opened = this.opened.filter(({ lane }) => lane.id !== id);
    this.left = undefined;
    this.epochs.delete(id);
    this.last.delete(id);
  }

  /** Loses a lane's connection, until the next quote of another subscription. */
  lose(lane: LaneId, why: string): void {
    const epoch = this.epochs.get(lane);
    if (epoch !== undefined) this.sink.change({ phase: 'lost', lane, epoch, why });
  }

  /** Time of the next quote; infinite once all were delivered. */
  get nextAt(): Millis {
    return this.lanes.first?.nextAt ?? Number.POSITIVE_INFINITY;
  }

  latest(lane: LaneId): DeliveredQuote | undefined {
    return this.last.get(lane);
  }

  /** Recorded quotes that were played, each once. */
  get played(): number {
    return this.sources.played.count;
  }

  /** Delivers the next quote. */
  deliver(): void {
    const { sink } = this;
    const next = this.lanes.first;
    if (!next) return;
    const { id } = next.lane;
    if (next.begins) this.begin(id);
    const { nextAt: at, nextLine: line } = next;
    const quote = next.next();
    this.lanes.firstMoved();
    if (!quote) return;
    if (this.sources.hasRanges(next.lane.product)) this.reached.set(next.lane.product, { at, line });
    this.delivered += 1;
    this.last.set(id, { quote, at, provenance: next.provenance, isRange: next.isRange });
    this.newest = next.isImported ? { source: next, at } : undefined;
    sink.quote(quote);
  }

  /** The last quotes that other lanes are about to be given at the time of the newest one, where all are imported: bars that end together. */
  alongside(): readonly Quote[] {
    const { newest } = this;
    if (newest === undefined || this.nextAt !== newest.at) return NONE;
    const others = this.opened.filter((one) => one !== newest.source && one.isImported && one.nextAt === newest.at);
    return others.flatMap(({ ahead }) => ahead ?? []);
  }

  /** The lanes that have quotes left, if all are played as recorded; else a text that says why there are none. */
  get recorded(): readonly RecordedLane[] | string {
    if (this.left === undefined || (typeof this.left !== 'string' && this.left.some(hasEnded))) this.left = this.lanesLeft();
    return this.left;
  }

  private lanesLeft(): readonly RecordedLane[] | string {
    const lanes: RecordedLane[] = [];
    for (const source of this.opened) {
      if (hasEnded(source)) continue;
      if (!(source instanceof RecordedLane)) return `no quotes of ${source.lane.id} were recorded, and those of other amounts are a model`;
      lanes.push(source);
    }
    return lanes;
  }

  /** Skips rows of lanes; returns the last quote of each and its time, undefined where none is skipped. */
  pass(skipped: readonly SkippedRows[], localIds: number): readonly (TimedQuote | undefined)[] {
    const last = skipped.map(({ source, rows: [from, to] }): TimedQuote | undefined => {
      if (to === from) return undefined;
      const at = figureAt(source.recorded.at, to - 1);
      const quote = source.takeTo(to - 1);
      this.delivered += to - from;
      this.last.set(source.lane.id, { quote, at, provenance: source.provenance, isRange: false });
      return { quote, at };
    });
    skipped[0]?.source.skipIds(localIds);
    if (skipped.length === 1) this.lanes.firstMoved();
    else this.lanes.rebuild(() => true);
    return last;
  }

  private begin(lane: LaneId): void {
    const epoch = (this.epochs.get(lane) ?? 0) + 1;
    this.epochs.set(lane, epoch);
    if (epoch > 1) this.sink.change({ phase: 'lost', lane, epoch: epoch - 1, why: 'the recording goes on with another subscription' });
    this.sink.change({ phase: 'opening', lane, epoch });
    this.sink.change({ phase: 'acked', lane, epoch });
  }

  private add(source: QuoteSource | undefined): void {
    if (!source) return;
    this.lanes.rebuild(() => true, source);
    this.opened = [...this.opened, source];
    this.left = undefined;
  }
}

const NONE: readonly Quote[] = [];

const hasEnded = ({ nextAt }: QuoteSource): boolean => nextAt === Number.POSITIVE_INFINITY;
