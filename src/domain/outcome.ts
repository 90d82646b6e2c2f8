import type { Millis } from './names.ts';
import type { OrderState } from './order.ts';
import type { Side } from './quote.ts';
import type { Reason } from './reasons.ts';

/** The outcome of a strategy's last intent: an order's state, a refusal with its code, or a lapse. Price in quote currency, size in base currency. */
export interface Outcome {
  readonly at: Millis;
  readonly state: OrderState | 'refused' | 'lapsed';
  readonly reason: Reason | null;
  readonly side: Side;
  readonly orderId: string | undefined;
  readonly price: number | undefined;
  readonly size: number | undefined;
}
