import type { TradingQuoteMessage } from '#adapters/service/quotes/messages.ts';
import { tradingQuoteIn } from '#venue/dialect/quotes.ts';
import type { IssuedQuote, IssuedQuotes } from './issued.ts';
import type { PriceWalks, QuotedAmount, SideFigures } from './price-walks.ts';
import type { ServedProduct } from './products.ts';
import type { Scene } from './scene.ts';

/** What a connection is subscribed to. */
export interface Subscribed {
  readonly product: ServedProduct;
  readonly amount: QuotedAmount;
  /** The request as it came, which names the lane. */
  readonly text: string;
}

/** A frame with the quote that stands in it; null for one that holds none. */
export interface QuoteFrame {
  readonly text: string;
  readonly quote: IssuedQuote | null;
}

type Spoil = (buy: SideFigures, sell: SideFigures) => { readonly buy: object; readonly sell: object };

/** Figures that no market has (F33). */
const SPOILED: readonly Spoil[] = [
  (buy, sell) => ({ buy: { ...buy, price: sell.price * 0.9 }, sell: { ...sell, price: sell.price * 1.1 } }),
  (buy, sell) => ({ buy: { ...buy, price: 0 }, sell }),
  (buy, sell) => ({ buy, sell: { ...sell, price: -sell.price } }),
  (buy, sell) => ({ buy: tenfold(buy), sell: tenfold(sell) }),
  (buy, sell) => ({ buy: { ...buy, price: 'NaN' }, sell: { ...sell, price: 'NaN' } }),
];

const tenfold = (side: SideFigures): SideFigures => ({ ...side, price: side.price * 10, value: side.value * 10 });

/** Writes the quotes of the feed, the faults of single quotes included. */
export class QuoteFrames {
  private readonly scene: Scene;
  private readonly market: PriceWalks;
  private readonly issued: IssuedQuotes;

  constructor(scene: Scene, market: PriceWalks, issued: IssuedQuotes) {
    this.scene = scene;
    this.market = market;
    this.issued = issued;
  }

  /** The frames of one moment on a connection; `isKnown` once it has sent enough for a price to be held against the others. */
  next(subscribed: Subscribed, connection: number, isKnown: boolean): readonly QuoteFrame[] {
    const { scene, market, issued } = this;
    const { world, plan, time, draws, troubles, dialect } = scene;
    const { product, amount, text: query } = subscribed;
    const sides = market.quote(product, amount, world.now);
    if (!sides) return [];
    const id = draws.uuid();
    const early = troubles.strikes('F30', 'a quote ends earlier than the one before');
    const validUntil = time.now + (early ? Math.floor(plan.validityMs * 0.6) : plan.validityMs);
    const spoiled = isKnown ? troubles.strikes('F33', 'a price that no market has') : undefined;
    const anonymous = troubles.strikes('F32', 'a quote without an id');
    const { code, baseCcy, quoteCcy } = product;
    const spread = sides.buy.price - sides.sell.price;
    const message: TradingQuoteMessage = {
      msgType: 'TQ',
      id,
      productCode: code,
      baseCcy,
      quoteCcy,
      buyQuote: sides.buy,
      sellQuote: sides.sell,
      avgQuote: sides.sell,
      feePercentage: plan.market.feePct,
      spread,
      spreadPercentage: Math.round((spread / sides.sell.price) * 1e6) / 1e4,
      dailyChangePercentage: 0,
      validUntil: new Date(validUntil).toISOString(),
    };
    const written = tradingQuoteIn(dialect, message, anonymous ? undefined : id);
    if (spoiled) {
      const { buy, sell } = spoiled.draws.pick(SPOILED)(sides.buy, sides.sell);
      Object.assign(written, { buyQuote: buy, sellQuote: sell });
    }
    const quote = {
      id,
      product: code,
      baseCcy,
      quoteCcy,
      ...sides,
      validUntil,
      connection,
      query,
      deliveredAt: null,
      spoiled: spoiled !== undefined,
    };
    if (!anonymous) issued.add(quote);
    issued.forget(time.now);
    return [{ text: JSON.stringify(written), quote: anonymous ? null : quote }];
  }
}
