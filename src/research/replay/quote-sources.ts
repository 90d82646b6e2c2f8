import { beginWithin, endWithin } from '#domain/columns-memory.ts';
import { type FreshnessOf, USUAL_FRESHNESS } from '#domain/freshness.ts';
import { type Amount, isLentLane, type Lane, laneFor } from '#domain/lane.ts';
import type { Millis, ProductCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { columnsOf } from './modelled-columns.ts';
import { ModelledLane } from './modelled-lane.ts';
import { PlayedQuotes } from './played-rows.ts';
import { LocalIds, type QuoteSource, RecordedLane } from './recorded-lane.ts';

interface QuoteSourcesOptions {
  readonly columns: readonly QuoteColumns[];
  readonly products: ReadonlyMap<ProductCode, Product>;
  /** Quotes from this time on, and before that one; bars also at it. */
  readonly from: Millis;
  readonly to: Millis;
  readonly slippagePct: number;
  /** How long a lane's last quote says what its amount costs; as usual by default. */
  readonly freshnessOf?: FreshnessOf;
  /** Products whose bars are played with their ranges; none by default. */
  readonly withRanges?: ReadonlySet<string>;
}

/** Finds the source of each lane's quotes: its own recording, or a model by other sizes. */
export class QuoteSources {
  private readonly options: QuoteSourcesOptions;
  private readonly ids = new LocalIds();
  readonly played = new PlayedQuotes();
  private readonly standing: readonly QuoteColumns[];

  constructor(options: QuoteSourcesOptions) {
    this.options = options;
    this.standing = options.columns.filter(({ lane, length }) => length > 0 && !isLentLane(lane));
  }

  /** What a standing lane is played from: its own recording, or those of the nearest amounts. */
  columnsFor(lane: Lane): readonly QuoteColumns[] {
    const own = this.recordedFor(lane, this.options.from);
    return own ? [own] : this.neighboursOf(lane);
  }

  /** Quotes of a lane from a time and a line of the recording on; undefined if no amount of its product was recorded. */
  of(lane: Lane, from: Millis = this.options.from, line = 0): QuoteSource | undefined {
    const recorded = this.recordedFor(lane, from);
    if (recorded) return this.play(lane, recorded, { from, line });
    const neighbours = this.neighboursOf(lane);
    const [nearest, ...others] = neighbours.map((columns) => this.play(lane, columns, { from, line }));
    const product = this.options.products.get(lane.product);
    if (!nearest || !product) return undefined;
    const { slippagePct, freshnessOf } = this.options;
    const { staleMs } = freshnessOf?.(lane.product) ?? USUAL_FRESHNESS;
    return new ModelledLane({ lane, product, neighbours: [nearest, ...others], slippagePct, staleMs, ids: this.ids });
  }

  /** All quotes of those of some lanes that are modelled. */
  modelled(lanes: readonly Lane[]): readonly PriceColumns[] {
    return lanes.flatMap((lane) => {
      const source = this.of(lane);
      const [nearest] = this.neighboursOf(lane);
      return source instanceof ModelledLane && nearest ? [columnsOf(source, nearest)] : [];
    });
  }

  /** True where bars are played with their ranges, two quotes at one time. */
  hasRanges(product: ProductCode): boolean {
    return this.options.withRanges?.has(product) === true;
  }

  private play(lane: Lane, columns: QuoteColumns, { from, line }: { readonly from: Millis; readonly line: number }): RecordedLane {
    const hasRanges = this.hasRanges(lane.product);
    const { options } = this;
    const to = endWithin(columns, options.to);
    // A lane that opens later hears all that comes from then on.
    const begin = from === options.from ? beginWithin(columns, from) : from;
    return new RecordedLane({ lane, columns, from: begin, line, to, ids: this.ids, played: this.played.of(columns), hasRanges });
  }

  /** The lane's own recording; for an acquired lane also one of the same amount that was acquired at that time. */
  private recordedFor(lane: Lane, from: Millis): QuoteColumns | undefined {
    const name = laneFor(lane.product, lane.amount).id;
    const lent = isLentLane(lane.id) ? this.lentThen(name, from) : undefined;
    return lent ?? this.standing.find((columns) => columns.lane === name);
  }

  /** The next of the lanes of the same amount that were acquired about that time. */
  private lentThen(name: string, from: Millis): QuoteColumns | undefined {
    const near = this.options.columns.filter((columns) => columns.lane.startsWith(`${name}#`) && withinReach(columns, from));
    return near.sort((a, b) => distance(a) - distance(b))[0];
    function distance({ at }: QuoteColumns): number {
      const wait = (at[0] ?? 0) - from;
      return wait >= 0 ? wait : REACH_MS - wait;
    }
  }

  /** The nearest recorded amount, and the nearest on the other side of the wanted one that was recorded in that time, where there is one. */
  private neighboursOf(lane: Lane): readonly QuoteColumns[] {
    const sized = this.standing
      .filter(({ product }) => product === lane.product)
      .map((columns) => ({ columns, distance: Math.log(sizeOf(lane.amount, columns) / (columns.buy.size[0] ?? 1)) }))
      .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
    const [nearest] = sized;
    if (!nearest) return [];
    const beyond = sized.find(
      ({ columns, distance }) => Math.sign(distance) === -Math.sign(nearest.distance) && overlapInTime(columns, nearest.columns),
    );
    return beyond ? [nearest.columns, beyond.columns] : [nearest.columns];
  }
}

/** Tolerance for a lane that was acquired slightly later, in milliseconds. */
const REACH_MS = 1500;

/** True for lanes of which neither ends before the other begins. */
const overlapInTime = (one: QuoteColumns, other: QuoteColumns): boolean =>
  (one.at[0] ?? 0) <= (other.at[other.length - 1] ?? 0) && (other.at[0] ?? 0) <= (one.at[one.length - 1] ?? 0);

function withinReach(columns: QuoteColumns, from: Millis): boolean {
  const first = columns.at[0] ?? Number.POSITIVE_INFINITY;
  const last = columns.at[columns.length - 1] ?? Number.NEGATIVE_INFINITY;
  return first <= from + REACH_MS && last >= from;
}

/** About how much base currency an amount is, at the first price of a recording. */
export function sizeOf(amount: Amount, columns: QuoteColumns): number {
  return 'base' in amount ? amount.base.toNumber() : amount.quote.toNumber() / (columns.buy.price[0] ?? 1);
}
