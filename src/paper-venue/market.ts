import { type Amount, amountText } from '#domain/lane.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { bookOf, midOnGrid, type QuoteFigures, quoteFigures, sent, type Top } from './core/quote-making.ts';
import type { PriceSource } from './prices/sources.ts';
import type { QuotedProduct } from './products.ts';

/** Figures of a quote, and their JSON without the closing brace, shared by all who ask for the same amount. */
interface PreparedQuote {
  readonly figures: QuoteFigures;
  readonly json: string;
}

interface ProductMarket {
  readonly product: QuotedProduct;
  readonly source: PriceSource;
  top: Top;
  /** The price of a basic quote, and the book of a full one, at the present price; undefined until somebody asks. */
  mid: number | undefined;
  book: ReturnType<typeof bookOf> | undefined;
  /** The mid a day ago or at the start, from which the daily change is computed. */
  reference: { mid: number; sinceMs: number };
  /** Quotes at the present price, by amount. */
  readonly prepared: Map<string, PreparedQuote | undefined>;
}

/** Maximum number of amounts with prepared quotes while prices do not change. */
const MAX_PREPARED = 10_000;

/** The prices of all products at one instant, and the quotes at these prices. */
export class VenueMarket {
  private readonly markets = new Map<string, ProductMarket>();
  private readonly feePercentage: number;
  private shownMs = 0;

  constructor(sources: ReadonlyMap<QuotedProduct, PriceSource>, feePercentage: number) {
    this.feePercentage = feePercentage;
    for (const [product, source] of sources) {
      const top = source.at(0);
      const reference = { mid: midOnGrid(product, top).toNumber(), sinceMs: 0 };
      this.markets.set(product.code, { product, source, top, mid: undefined, book: undefined, reference, prepared: new Map() });
    }
  }

  /** The codes of the quoted products. */
  codes(): readonly string[] {
    return [...this.markets.keys()];
  }

  product(code: string): QuotedProduct | undefined {
    return this.markets.get(code)?.product;
  }

  top(code: string): Top | undefined {
    return this.markets.get(code)?.top;
  }

  /** Market time of the present prices since the start, in milliseconds. */
  get elapsedMs(): number {
    return this.shownMs;
  }

  /** Moves every price to `elapsedMs` after the start. */
  advance(elapsedMs: number): void {
    this.shownMs = elapsedMs;
    for (const market of this.markets.values()) {
      const top = market.source.at(elapsedMs);
      if (top.bid !== market.top.bid || top.ask !== market.top.ask) {
        market.top = top;
        market.mid = undefined;
        market.book = undefined;
        if (market.prepared.size > 0) market.prepared.clear();
      }
      if (elapsedMs - market.reference.sinceMs < DAY_MS) continue;
      market.reference = { mid: midOnGrid(market.product, top).toNumber(), sinceMs: elapsedMs };
    }
  }

  /** The present trading quote for an amount; undefined if the amount buys less than the minimum size. */
  quote(code: string, amount: Amount): PreparedQuote | undefined {
    const market = this.markets.get(code);
    if (!market) return undefined;
    const key = amountText(amount);
    if (market.prepared.has(key)) return market.prepared.get(key);
    const figures = quoteFigures({
      product: market.product,
      top: market.top,
      amount,
      feePercentage: this.feePercentage,
      referenceMid: market.reference.mid,
    });
    const prepared = figures && { figures, json: JSON.stringify(figures).slice(1, -1) };
    if (market.prepared.size >= MAX_PREPARED) market.prepared.clear();
    market.prepared.set(key, prepared);
    return prepared;
  }

  /** The one price of a basic quote. */
  midPrice(code: string): number | undefined {
    const market = this.markets.get(code);
    if (!market) return undefined;
    market.mid ??= sent(midOnGrid(market.product, market.top));
    return market.mid;
  }

  book(code: string): ReturnType<typeof bookOf> | undefined {
    const market = this.markets.get(code);
    if (!market) return undefined;
    market.book ??= bookOf(market.product, market.top);
    return market.book;
  }
}
