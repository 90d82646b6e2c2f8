import { conversionsFrom, type Hop } from '#domain/conversions.ts';
import { standingFrom } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import type { Brought } from './quote-walk.ts';

/** Newest quote of a lane, by its place in the columns. */
interface Mark {
  readonly columns: PriceColumns;
  row: number;
  at: Millis;
}

type Conversion = readonly Hop<PriceColumns>[];

/**
 * Values at the newest recorded quotes: the price at which a position could be closed, at the closing side of the
 * smallest lane that covers the size, else of the largest. Before the first quote of a product its price is that of this one,
 * so that what was traded until then has a value.
 */
export class Marks {
  private readonly lanes: readonly Mark[];
  private readonly byProduct = new Map<string, Mark[]>();
  /** One for each product. */
  private readonly pairs: readonly PriceColumns[];
  private readonly conversions = new Map<string, ReadonlyMap<string, Conversion>>();

  constructor(columns: readonly PriceColumns[]) {
    this.lanes = columns.map((one): Mark => ({ columns: one, row: -1, at: Number.NEGATIVE_INFINITY }));
    for (const mark of this.lanes) {
      const { product } = mark.columns;
      this.byProduct.set(product, [...(this.byProduct.get(product) ?? []), mark]);
    }
    this.pairs = [...this.byProduct.values()].flatMap(([first]) => first?.columns ?? []);
  }

  /** Takes a lane's newer quote. */
  see(lane: number, row: number, at: Millis): void {
    const mark = this.lanes[lane];
    if (!mark) return;
    mark.row = row;
    mark.at = at;
  }

  /**
   * Takes what came at one instant, which is one price of all that is held, and calls `onPrice` with it: before that at each range of a bar with
   * the last prices of the others.
   */
  seeAll(brought: readonly Brought[], at: Millis, onPrice: () => void): void {
    for (const { lane, rows } of brought) this.see(lane, rows[1] - 1, at);
    for (const { lane, rows } of brought) {
      for (let row = rows[0]; row < rows[1] - 1; row++) {
        this.see(lane, row, at);
        onPrice();
        this.see(lane, rows[1] - 1, at);
      }
    }
    onPrice();
  }

  /** Lanes, by their places, that had no quote after an instant. */
  silentSince(from: Millis): readonly number[] {
    return this.lanes.flatMap(({ at }, lane) => (at <= from ? lane : []));
  }

  /** Price in quote currency at which `size` of a product could be closed; longs are sold, shorts bought back. */
  price(product: string, size: number): number | undefined {
    const marks = this.byProduct.get(product);
    if (!marks) return undefined;
    const [only] = marks;
    const best = marks.length === 1 && only && only.row >= 0 ? only : (this.choose(marks, size) ?? firstOf(marks));
    if (!best) return undefined;
    return (size < 0 ? best.columns.buy : best.columns.sell).price[Math.max(0, best.row)];
  }

  /** The rows that prices are taken from: the newest of each lane that still stands. */
  standing(): readonly Readonly<Mark>[] {
    return [...this.byProduct.values()].flatMap((marks) => {
      const from = standingFrom(marks);
      return marks.filter(({ row, at }) => row >= 0 && (marks.length === 1 || at >= from));
    });
  }

  /** The value of an amount in another currency; undefined if no quote converts it. */
  worth(amount: number, currency: string, into: string): number | undefined {
    if (currency === into || amount === 0) return amount;
    const path = this.pathOf(currency, into);
    if (!path) return undefined;
    let value = amount;
    for (const { by, forward } of path) {
      const { product } = by;
      const about = forward ? value : -value / (this.price(product, 1) ?? Number.NaN);
      const price = this.price(product, about);
      if (price === undefined) return undefined;
      value = forward ? value * price : value / price;
    }
    return Number.isFinite(value) ? value : undefined;
  }

  /** True if recorded lanes convert one currency into the other. */
  leads(currency: string, into: string): boolean {
    return currency === into || this.pathOf(currency, into) !== undefined;
  }

  /** Time of the first quotes that convert one currency into the other; undefined where none do, or no quote is needed. */
  convertsFrom(currency: string, into: string): Millis | undefined {
    const path = currency === into ? [] : (this.pathOf(currency, into) ?? []);
    const firsts = path.map(({ by }) => firstOf(this.byProduct.get(by.product) ?? [])?.columns.at[0] ?? Number.POSITIVE_INFINITY);
    const from = Math.max(...firsts);
    return Number.isFinite(from) ? from : undefined;
  }

  private choose(marks: readonly Mark[], size: number): Mark | undefined {
    const from = standingFrom(marks);
    const wanted = Math.abs(size);
    let [covering, largest]: (Mark | undefined)[] = [];
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const mark of marks) {
      if (mark.row < 0 || mark.at < from) continue;
      const offered = (size < 0 ? mark.columns.buy : mark.columns.sell).size[mark.row] ?? 0;
      if (offered > most) [largest, most] = [mark, offered];
      if (offered >= wanted && offered < least) [covering, least] = [mark, offered];
    }
    return covering ?? largest;
  }

  private pathOf(currency: string, into: string): Conversion | undefined {
    const known = this.conversions.get(currency) ?? conversionsFrom(currency, this.pairs);
    this.conversions.set(currency, known);
    return known.get(into);
  }
}

/** The lane with the first quote of all. */
function firstOf(marks: readonly Mark[]): Mark | undefined {
  let first: Mark | undefined;
  const at = ({ columns }: Mark): Millis => columns.at[0] ?? Number.POSITIVE_INFINITY;
  for (const mark of marks) if (mark.columns.length > 0 && (!first || at(mark) < at(first))) first = mark;
  return first;
}
