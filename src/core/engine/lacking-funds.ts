import { OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { countedIn } from '#core/risk/value-checks.ts';
import type { Millis } from '#domain/names.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';

type Parts = Pick<EngineContext, 'market' | 'books' | 'monitor' | 'budgets' | 'limits'>;

/** Why a strategy cannot pay for its amount, and what ends that. */
interface LackingFunds {
  readonly reason: 'BUDGET' | 'INSUFFICIENT_FUNDS';
  readonly why: string;
  readonly mend: string;
}

/**
 * A flat strategy that goes long with its lane's amount cannot pay for it: names budget, account and limits of value, whichever the
 * order is over, so that mending one does not run into the next. Undefined where budget and account cover it.
 */
export function lackingFunds(
  { market, books, monitor, budgets, limits }: Parts,
  { id, product, lane }: Pick<EngineStrategy, 'id' | 'product' | 'lane'>,
  now: Millis,
): LackingFunds | undefined {
  const quote = market.latest(lane);
  if (!quote || !books.book(id, product).size.isZero()) return undefined;
  const { quoteCcy: currency } = quote;
  const cost = quote.buy.price * quote.buy.size;
  const left = budgets.left(id, product, currency);
  const free = monitor.funds.free(currency);
  const isOverBudget = left.toNumber() < cost;
  const isOverAccount = free !== undefined && free.toNumber() < cost;
  if (!isOverBudget && !isOverAccount) return undefined;
  const over = OPENING_VALUE_LIMITS.flatMap((name) => {
    const cap = limits[name];
    const counted = cap && countedIn(cap, { amount: cost, currency }, monitor.marks.ratesAt(now));
    if (!counted || counted.factor.toNumber() * cost <= counted.limit.toNumber()) return [];
    return [`risk.${name} is ${counted.limit} ${counted.currency}`];
  });
  const facts = [
    ...(isOverBudget ? [`${left.toFixed(2)} of its budget is left`] : []),
    ...(isOverAccount ? [`the account has ${free.toFixed(2)} to spend`] : []),
    ...over,
  ];
  const mends = [
    'a smaller amount',
    ...(isOverBudget ? ['a larger budget, in its entry'] : []),
    ...(isOverAccount ? ['more in the account (book what came in: kairos ledger add)'] : []),
    ...(over.length > 0 ? ['larger limits'] : []),
  ];
  return {
    reason: isOverBudget ? 'BUDGET' : 'INSUFFICIENT_FUNDS',
    why: `an order costs some ${cost.toFixed(2)} ${currency}, and ${facts.join(', ')}`,
    mend: mends.length > 2 ? `${mends[0]}, or all of: ${mends.slice(1).join('; ')}` : mends.join(', or '),
  };
}
