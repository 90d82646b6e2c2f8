import { refusalWords } from '#domain/check-words.ts';
import type { ClosingAtWork, ClosingWait } from '#domain/closing-wait.ts';
import type { Millis, OrderId, ProductCode, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import { settleText } from '#domain/settle-text.ts';
import type { ExecutionContext } from './execution-context.ts';
import { opensAgain, outlivesItsQuote, type Work } from './plan.ts';
import { describe } from './sizing.ts';

/** A plan that waits for quotes or an answer, as people see it: its present leg and how far that has come. */
export interface AtWork {
  readonly strategy: StrategyId;
  /** Counted from 1. */
  readonly leg: number;
  readonly of: number;
  readonly product: ProductCode;
  readonly wants: string;
  readonly why: string;
  /** The worst price that it takes; null: none. */
  readonly limit: number | null;
  /** When the leg lapses; null: it is tried until it is executed. */
  readonly until: Millis | null;
  readonly attempts: number;
  /** What the last attempt came to: a reason code, or the state of its order; null before the first. */
  readonly last: string | null;
  /** On its way. */
  readonly order: OrderId | null;
}

/** What a plan is at; nothing for one that does not outlive its first quote. */
export function atWorkOf(work: Work): readonly AtWork[] {
  const { plan, legs, index, attempts, last, order } = work;
  const leg = legs[index];
  if (!leg || !outlivesItsQuote(work)) return [];
  const { side, reason, limit } = leg.intent;
  return [
    {
      strategy: plan.strategy,
      leg: index + 1,
      of: legs.length,
      product: leg.product,
      wants: side === null ? describe(leg.intent) : `${side} ${describe(leg.intent)}`,
      why: reason,
      limit,
      until: Number.isFinite(work.until) ? work.until : null,
      attempts,
      last,
      order: order ?? null,
    },
  ];
}

type WaitContext = Pick<ExecutionContext, 'books' | 'exits'>;

/** The closings among plans of one strategy. Of several in a product the first stands for all: the others come behind it. */
export function closingsOf(works: readonly Work[], context: WaitContext): readonly ClosingAtWork[] {
  const products = Map.groupBy(
    works.flatMap(({ legs, index, plan, refused }) => {
      const leg = legs[index];
      return leg && !opensAgain(leg) ? [{ leg, plan, refused }] : [];
    }),
    ({ leg }) => leg.product,
  );
  return [...products].flatMap(([product, [first, ...others]]) => {
    if (!first) return [];
    const refused = first.refused ?? others.find((other) => other.refused)?.refused;
    const told = refused && { reason: refused.reason, why: refusalWords(refused.reason, refused.checks) };
    return [{ product, due: first.leg.intent.reason, ...waitOf(context, { strategy: first.plan.strategy, product }, told) }];
  });
}

/** What a closing waits for: the answer to an order, the consent of a person, what it was refused for (`told`), or a quote. */
export function waitOf(
  { books, exits }: WaitContext,
  of: { readonly strategy: StrategyId; readonly product: ProductCode; readonly isItsOrder?: (order: OrderId) => boolean },
  told: { readonly reason: Reason | null; readonly why: string } | undefined,
): ClosingWait {
  const { strategy, product, isItsOrder = () => true } = of;
  const none = { reason: null, command: null };
  const open = books.openOf(strategy, product).filter(({ id }) => isItsOrder(id));
  const sent = open.find(({ state }) => state !== 'unknown');
  if (sent) return { ...none, why: `waits for the answer to order ${sent.id}` };
  if (told && told.reason !== 'MAX_EXIT_VALUE') return { ...told, command: null };
  const consent = told && exits.waiting().find((one) => one.strategy === strategy && one.product === product);
  if (consent) return { reason: 'MAX_EXIT_VALUE', why: consent.why, command: consent.command };
  const [unknown] = open;
  return { ...none, why: unknown ? settleText(unknown.id) : 'waits for a quote' };
}
