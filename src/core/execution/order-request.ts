import type { Decimal } from '#domain/decimal.ts';
import type { IntentDetail } from '#domain/decision.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import { isoTime, type LaneId, type Millis, type StrategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { type Quote, type Side, sideOf, spreadPctOf } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { Leg, Plan } from './plan.ts';
import type { PlanBegin } from './plan-begin.ts';
import { describe } from './sizing.ts';

/** What is wanted on a quote, with everything about its lane and book that it is checked against. */
export interface OrderRequest {
  readonly strategy: StrategyId;
  readonly intent: Intent;
  /** Values that led to it, for the journal. */
  readonly signals: Readonly<Record<string, unknown>>;
  readonly quote: Quote;
  readonly laneAmount: Amount;
  readonly product: Product;
  /** Why the market says that the quote cannot be used, or null. */
  readonly untradable: Reason | null;
  /** An input of the strategy, beside the lane of the quote, that is silent; null for none. */
  readonly silentInput: LaneId | null;
  /** True while another lane of the product is set aside because of its prices. */
  readonly quarantined: boolean;
  readonly disabled: boolean;
  /** Why its windows let the strategy open nothing now, or null. */
  readonly closed: string | null;
  /** Opening capital in the product's quote currency. */
  readonly budget: Decimal;
  readonly canShort: boolean;
  /** The leg at work that it serves, by its name in the journal; undefined where that does not outlive its quote. */
  readonly work: string | undefined;
  readonly begin: PlanBegin | undefined;
}

/** The request of a leg on a quote; undefined while its product or lane is not known. */
export function requestOf(
  context: ExecutionContext,
  plan: Pick<Plan, 'strategy' | 'signals'>,
  { leg, quote }: { leg: Leg; quote: Quote },
): OrderRequest | undefined {
  const { products, laneById, lanePool, market, log, heard, canShort, disabled, hours, budgets } = context;
  const { strategy, signals } = plan;
  const product = products.get(leg.product);
  const lane = laneById.get(quote.lane) ?? lanePool.lane(quote.lane);
  if (!product || !lane) return undefined;
  return {
    strategy,
    intent: leg.intent,
    signals,
    quote,
    laneAmount: lane.amount,
    product,
    untradable: market.untradable(lane.id, log.now),
    silentInput: heard.get(strategy)?.find((source) => source !== lane.id && market.isSilent(source, log.now)) ?? null,
    quarantined: market.isQuarantined(leg.product),
    disabled: disabled.has(strategy),
    closed: hours.get(strategy)?.closedAt(log.now) ?? null,
    budget: budgets.beside(strategy, leg.product, quote.quoteCcy),
    canShort: canShort.has(leg.product),
    work: leg.work,
    begin: leg.begin,
  };
}

/** An intent as its rows have it. */
export function intentDetail({ intent, signals, quote }: OrderRequest, side: Side, timeLeftMs: Millis): IntentDetail {
  return {
    side,
    why: intent.reason,
    tag: intent.tag,
    wants: describe(intent),
    signals,
    quote: {
      lane: quote.lane,
      buy: quote.buy.price,
      sell: quote.sell.price,
      size: sideOf(quote, side).size,
      spreadPercentage: spreadPctOf(quote),
      validUntil: isoTime(quote.validUntil),
      timeLeftMs,
    },
  };
}
