import { type ClosedLot, Lots, type OpenLot } from '#core/portfolio/lots.ts';
import { closing, closingSide } from '#core/portfolio/valuation.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { PastFill } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import { fillOf } from '#domain/order.ts';
import { unrealisedAt } from '#domain/position.ts';
import type { TimedQuote } from '#domain/quote.ts';

/** A round trip with its book, product and currency. */
export interface BookTrip extends ClosedLot {
  readonly book: string;
  readonly product: string;
  readonly currency: string;
}

/** What an open position would bring if it were closed at a quote that was seen: an estimate, never booked. */
interface Estimate {
  readonly price: Decimal;
  readonly lane: string;
  /** Won or lost against what the lots cost, before the fee of closing. */
  readonly unrealised: Decimal;
}

/** One book's position in one product. */
export interface BookHolding {
  readonly book: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** Base currency; long is positive. */
  readonly size: Decimal;
  readonly lots: readonly OpenLot[];
  /** The estimated result of closing; undefined without a recorded quote. */
  readonly estimate: Estimate | undefined;
}

/** What a correction brought or took that no round trip and no open lot has: it came, or its position went, while nothing else was held. */
export interface LooseCorrection {
  readonly at: Millis;
  readonly book: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/** The result of all fills: round trips and open positions. */
export interface BookReport {
  /** In the order in which they ended. */
  readonly trades: readonly BookTrip[];
  readonly holdings: readonly BookHolding[];
  readonly corrections: readonly LooseCorrection[];
}

/** A correction of a book's position, in one of its product's currencies. */
interface PositionCorrection {
  readonly at: Millis;
  readonly book: string;
  readonly product: string;
  readonly currency: string;
  readonly amount: string;
}

/** The corrections of positions in a ledger. */
export function positionCorrections(
  ledger: Iterable<{
    readonly at: string | Millis;
    readonly book: string;
    readonly product: string | null;
    readonly kind: string;
    readonly currency: string;
    readonly amount: string;
  }>,
): readonly PositionCorrection[] {
  return [...ledger].flatMap(({ at, book, product, kind, currency, amount }) =>
    kind === 'correction' && product !== null ? [{ at: new Date(at).getTime(), book, product, currency, amount }] : [],
  );
}

/** Follows all fills through their lots, first in first out, each book and product by itself. */
export function reportBooks(
  fills: readonly PastFill[],
  tags: ReadonlyMap<string, string>,
  quotes: readonly TimedQuote[],
  corrections: readonly PositionCorrection[] = [],
): BookReport {
  const books = new BooksOfFills();
  const trades = books.apply(fills, corrections, tags);
  return { trades, holdings: books.holdings(quotes), corrections: books.loose };
}

/** A book in a product with its lots. */
interface Book {
  readonly of: Omit<BookHolding, 'size' | 'lots' | 'estimate'>;
  readonly lots: Lots;
}

const keyOf = (book: string, product: string): string => JSON.stringify([book, product]);

/** The lots of every book and product, fill after fill. */
export class BooksOfFills {
  /** Of all corrections so far. */
  readonly loose: LooseCorrection[] = [];
  private readonly books = new Map<string, Book>();

  /** Books as `text` gave them; with no text there are none. */
  static from(text: string | undefined): BooksOfFills {
    const books = new BooksOfFills();
    const { open, loose } = JSON.parse(text ?? '{"open":[],"loose":[]}') as KeptBooks;
    for (const one of loose) books.loose.push({ ...one, amount: decimalOf(one.amount) });
    for (const { of, lots } of open) books.books.set(keyOf(of.book, of.product), { of, lots: new Lots(lots.map(lotOf)) });
    return books;
  }

  /** What is open, and loose corrections, as JSON, to go on from there with `from`. */
  text(): string {
    const open = [...this.books.values()].flatMap(({ of, lots }) => (lots.open.length > 0 ? [{ of, lots: lots.open }] : []));
    return JSON.stringify({ open, loose: this.loose });
  }

  /** Books further fills and returns the round trips that they ended. */
  apply(
    fills: readonly PastFill[],
    corrections: readonly PositionCorrection[],
    tags: ReadonlyMap<string, string> = new Map(),
  ): readonly BookTrip[] {
    const trades: BookTrip[] = [];
    const waiting = [...corrections];
    const correct = (upTo: number): void => {
      for (let next = waiting[0]; next && next.at < upTo; next = waiting[0]) {
        waiting.shift();
        const book = this.books.get(keyOf(next.book, next.product));
        if (!book) continue;
        const { at, book: name } = next;
        const amount = book.lots.correct(decimalOf(next.amount), next.currency === book.of.quoteCcy);
        if (!amount.isZero()) this.loose.push({ at, book: name, currency: book.of.quoteCcy, amount });
      }
    };
    for (const { orderId, strategy, product, at, fill: text } of fills) {
      correct(at);
      const fill = fillOf(text);
      const key = keyOf(strategy, product);
      const { baseCcy, quoteCcy } = fill;
      const book = this.books.get(key) ?? { of: { book: strategy, product, baseCcy, quoteCcy }, lots: new Lots() };
      this.books.set(key, book);
      const closed = book.lots.apply({ orderId, at, tag: tags.get(orderId) ?? null, fill });
      for (const lot of closed) trades.push({ ...lot, book: strategy, product, currency: quoteCcy });
    }
    correct(Number.POSITIVE_INFINITY);
    return trades;
  }

  holdings(quotes: readonly TimedQuote[]): readonly BookHolding[] {
    const held = [...this.books.values()].filter(({ lots }) => lots.open.length > 0);
    return held.map(({ of, lots }): BookHolding => {
      const ofProduct = quotes.filter(({ quote }) => quote.product === of.product);
      const sizes = held.filter((one) => one.of.product === of.product).map((one) => one.lots.position.abs());
      const largest = sizes.reduce((most, size) => Decimal.max(most, size), ZERO);
      return { ...of, size: lots.position, lots: [...lots.open], estimate: estimate(lots, ofProduct, largest) };
    });
  }
}

/** At the lane that covers the largest position of the product, which one quote marks for all. */
function estimate({ open, position }: Lots, quotes: readonly TimedQuote[], largest: Decimal): Estimate | undefined {
  const size = position.isNegative() ? largest.negated() : largest;
  const seen = closing(quotes, size.toNumber());
  if (!seen) return undefined;
  const price = decimalOf(closingSide(seen.quote, size.toNumber()).price);
  return { price, lane: seen.quote.lane, unrealised: unrealisedAt(open, price) };
}

/** Books as JSON has them: decimals are text. */
interface KeptBooks {
  readonly open: readonly KeptBook[];
  readonly loose: readonly (Omit<LooseCorrection, 'amount'> & { readonly amount: string })[];
}

interface KeptBook {
  readonly of: Book['of'];
  readonly lots: readonly KeptLot[];
}

type KeptLot = { readonly [Name in keyof OpenLot]: OpenLot[Name] extends Decimal ? string : OpenLot[Name] };

const lotOf = ({ price, size, cash, fees, ...rest }: KeptLot): OpenLot => ({
  ...rest,
  price: decimalOf(price),
  size: decimalOf(size),
  cash: decimalOf(cash),
  fees: decimalOf(fees),
});
