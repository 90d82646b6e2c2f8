import { type OrderPlacer, requestOf } from '#core/execution/order-placer.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';
import { size } from '#core/execution/sizing.ts';
import { leastOrder } from '#core/portfolio/valuation.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { type Millis, orderId, productCode, quoteId } from '#domain/names.ts';
import type { OrderFigures } from '#domain/order.ts';
import type { Quote, QuoteSide, Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { EngineContext } from './engine-context.ts';
import { manualIntent, wanted } from './manual-amounts.ts';

/** An order that a person thinks of. */
interface ThoughtOf {
  readonly product: string;
  readonly side: Side;
  /** In base currency. */
  readonly size: Decimal;
}

/** What an order by hand would be, and what the checks would say of it, at the latest quote of a lane of its product. */
export interface PreviewedOrder {
  /** The lane whose price it is: that of the nearest size. */
  readonly lane: string;
  readonly quoteCcy: string;
  /** Of the latest quote, as if it were for this size; the fee is its share. Null where it could not be ordered in that size. */
  readonly figures: OrderFigures | null;
  /** The first check that says no; null where none does. */
  readonly reason: Reason | null;
  readonly checks: readonly CheckResult[];
}

/** So long an order that is only thought of may live: it has not to reach anybody. */
const UNHURRIED_MS: Millis = 60_000;
const NO_ORDER = orderId('0-0');
const NO_QUOTE = quoteId('preview');

/** Says of an order by hand what would come of it, without journaling or sending anything. */
export class OrderPreview {
  private readonly context: EngineContext;
  private readonly placer: OrderPlacer;

  constructor(context: EngineContext, placer: OrderPlacer) {
    this.context = context;
    this.placer = placer;
  }

  /** Undefined while the product or a price of it is not known. */
  of({ product: code, side, size: base }: ThoughtOf): PreviewedOrder | undefined {
    const { products, log } = this.context;
    const product = products.get(productCode(code));
    const seen = this.nearest(code, side, base);
    if (!product || !seen) return undefined;
    const price = seen[side].price;
    const about = { lane: seen.lane, quoteCcy: seen.quoteCcy };
    const sizing = wanted({ base: base.toString() }, { product, price, side, why: 'preview' });
    if (!('amount' in sizing) || !('base' in sizing.amount)) {
      const least = `at least ${leastOrder(product, price)}`;
      return {
        ...about,
        figures: null,
        reason: 'SIZE_LIMITS',
        checks: [{ check: 'SIZE_LIMITS', passed: false, figure: least, limit: base.toString() }],
      };
    }
    const quote = { ...resized(seen, sizing.amount.base.toNumber()), id: NO_QUOTE };
    const plan = { strategy: MANUAL_BOOK, signals: {} };
    const leg = {
      intent: manualIntent(side, { kind: 'amount', amount: sizing.amount }, 'preview'),
      lane: quote.lane,
      product: product.code,
    };
    const want = requestOf(this.context, plan, { leg, quote });
    const sized = want && size(want);
    if (!want || sized?.kind !== 'sized') return undefined;
    const { figures } = sized;
    const verdict = this.placer.assess(want, {
      id: NO_ORDER,
      strategy: MANUAL_BOOK,
      product: product.code,
      baseCcy: quote.baseCcy,
      quoteCcy: quote.quoteCcy,
      side,
      quoteId: NO_QUOTE,
      lane: quote.lane,
      validUntil: Math.max(quote.validUntil, log.now) + UNHURRIED_MS,
      figures,
      intentAt: log.now,
    });
    return { ...about, figures, reason: verdict.approved ? null : verdict.reason, checks: verdict.checks };
  }

  /** The latest quote of the product whose size is nearest. */
  private nearest(code: string, side: Side, base: Decimal): Quote | undefined {
    const quotes = [...this.context.market.lanes()].flatMap(({ lane, latest }) => (lane.product === code && latest ? [latest] : []));
    const apart = (quote: Quote): number => Math.abs(Math.log(quote[side].size / base.toNumber()));
    return quotes.sort((a, b) => apart(a) - apart(b))[0];
  }
}

/** A quote at its prices, for another size. */
function resized(quote: Quote, base: number): Quote {
  const side = (of: QuoteSide): QuoteSide => {
    const share = of.size > 0 ? base / of.size : 0;
    return {
      ...of,
      size: base,
      value: decimalOf(of.price).times(base).toNumber(),
      feeInBaseCcy: of.feeInBaseCcy * share,
      feeInQuoteCcy: of.feeInQuoteCcy * share,
    };
  };
  return { ...quote, buy: side(quote.buy), sell: side(quote.sell) };
}
