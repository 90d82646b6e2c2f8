import { countedIn, isDust } from '#core/portfolio/valuation.ts';
import { OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import type { Millis } from '#domain/names.ts';
import type { TradingBlock } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';

type Parts = Pick<EngineContext, 'market' | 'books' | 'monitor' | 'budgets' | 'limits' | 'products'>;

/**
 * A flat strategy that goes long with its lane's amount cannot pay for it: names budget, account and limits of value, whichever the
 * order is over, so that mending one does not run into the next. Undefined where budget and account cover it.
 */
export function lackingFunds(
  { market, books, monitor, budgets, limits, products }: Parts,
  { id, product, lane }: Pick<EngineStrategy, 'id' | 'product' | 'lane'>,
  now: Millis,
):
  | { readonly reason: 'BUDGET' | 'INSUFFICIENT_FUNDS'; readonly figures: Extract<TradingBlock, { state: 'NO_FUNDS' }>['figures'] }
  | undefined {
  const quote = market.latest(lane);
  const known = products.get(product);
  if (!quote || !known || !isDust(books.book(id, product), known, quote) || books.inFlight(id, product)) return undefined;
  const { quoteCcy: currency } = quote;
  const cost = quote.buy.price * quote.buy.size;
  const left = budgets.left(id, currency);
  const free = monitor.funds.free(currency);
  const isOverBudget = left.toNumber() < cost;
  const isOverAccount = free !== undefined && free.toNumber() < cost;
  if (!isOverBudget && !isOverAccount) return undefined;
  const over = OPENING_VALUE_LIMITS.flatMap((name) => {
    const cap = limits[name];
    const counted = cap && countedIn(cap, { amount: cost, currency }, monitor.marks.ratesAt(now));
    if (!counted || counted.factor.toNumber() * cost <= counted.limit.toNumber()) return [];
    return { setting: `risk.${name}`, limit: counted.limit.toString(), currency: counted.currency };
  });
  const figures = {
    ...{ cost: cost.toFixed(2), currency, limits: over },
    ...(isOverBudget && { budgetLeft: left.toFixed(2) }),
    ...(isOverAccount && { accountLeft: free.toFixed(2) }),
  };
  return { reason: isOverBudget ? 'BUDGET' : 'INSUFFICIENT_FUNDS', figures };
}
