import type { TradingQuoteMessage } from '#adapters/service-client/quotes/messages.ts';
import { fullQuoteIn, tradingQuoteIn } from '#paper-venue/dialect/quotes.ts';
import type { IssuedQuotes, SimulatedQuote } from './issued.ts';
import type { PriceWalks, QuotedAmount, SideFigures } from './price-walks.ts';
import type { ServedProduct } from './products.ts';
import type { Scene } from './scene.ts';

/** What a connection is subscribed to. */
export interface LaneSubscription {
  readonly product: ServedProduct;
  /** Null for an order book. */
  readonly amount: QuotedAmount | null;
  /** The request as it came, which names the lane. */
  readonly text: string;
}

/** A frame with its quote; null if it has none. */
export interface QuoteFrame {
  readonly text: string;
  readonly quote: SimulatedQuote | null;
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

  /** An order book, for display. */
  private book(product: ServedProduct): object {
    const { world, time, draws, dialect } = this.scene;
    const { code, baseCcy, quoteCcy, minSize, pricePlaces } = product;
    const best = this.market.quote(product, { size: minSize }, world.now);
    const levels = (price: number, away: number) =>
      [0, 1, 2, 3, 4].map((level) => ({
        price: Number((price + (away * level) / 10 ** pricePlaces).toFixed(pricePlaces)),
        size: Number((minSize * draws.whole(1, 50)).toFixed(8)),
      }));
    const shown = { msgType: 'FQ', productCode: code, baseCcy, quoteCcy, time: new Date(time.now).toISOString() } as const;
    return fullQuoteIn(dialect, { ...shown, bids: levels(best?.sell.price ?? 1, -1), asks: levels(best?.buy.price ?? 1, 1) });
  }

  /** The frames of one instant on a connection; `isKnown` once it has sent enough quotes to recognize a wrong price. */
  next(subscribed: LaneSubscription, connection: number, isKnown: boolean): readonly QuoteFrame[] {
    const { scene, market, issued } = this;
    const { world, plan, time, draws, troubles, dialect } = scene;
    const { product, amount, text: query } = subscribed;
    if (amount === null) return [{ text: JSON.stringify(this.book(product)), quote: null }];
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
