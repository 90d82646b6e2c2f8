import type { Millis, OrderId, ProductCode, StrategyId } from '#domain/names.ts';
import { outlivesItsQuote, type Work } from './plan.ts';
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
