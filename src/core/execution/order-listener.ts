import type { CheckResult } from '#domain/check-result.ts';
import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote } from '#domain/quote.ts';
import type { ChildOrderResult } from './child-order-result.ts';
import type { Plan } from './plan.ts';

/** What there is to say of an outcome: what the service's answer says, for people, and the checks of a refusal. */
export interface OrderAbout {
  readonly why?: string | undefined;
  readonly product?: ProductCode;
  /** Its outcome was unknown before. */
  readonly wasUnknown?: boolean;
  readonly checks?: readonly CheckResult[];
}

/** The way back, from orders to those who wanted them. What is told is heard at once, before whoever tells goes on. */
export interface OrderListener {
  /** What became of an order or an intent. */
  outcome(strategy: StrategyId, outcome: Outcome, about?: OrderAbout): void;
  /** What an attempt of a plan came to. */
  attempted(plan: Plan, attempt: ChildOrderResult, quote: Quote): void;
  /** An exit begins to wait for a person, because of what it is worth. */
  exitWaits(order: OrderCore): void;
  /** A strategy keeps repeating what is refused as too much: it must be disabled. */
  runaway(strategy: StrategyId, why: string): void;
}

/** Hears nothing: who listens is named once all parts are built. */
export const NOBODY: OrderListener = { outcome() {}, attempted() {}, exitWaits() {}, runaway() {} };
