import type { CheckResult } from '#domain/check-result.ts';
import type { Amount } from '#domain/lane.ts';
import type { OrderId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';

/** What came of considering an intent on a quote. `nothing`: the position is what it asks for already. */
export type ChildOrderResult =
  | { readonly kind: 'sent'; readonly orderId: OrderId }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly checks: readonly CheckResult[] }
  | { readonly kind: 'nothing' }
  /** The quote is for another amount: try on one of a lane of exactly this. `refuse` says that there is none. */
  | { readonly kind: 'needs_lane'; readonly amount: Amount; readonly refuse: (reason: Reason, check: CheckResult) => ChildOrderResult };
