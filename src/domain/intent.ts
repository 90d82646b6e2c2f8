import type { Decimal } from './decimal.ts';
import type { Amount } from './lane.ts';
import type { Side } from './quote.ts';

/** The size of an intent: the lane's amount, the whole position, a share of it, no more than a part of it, or a target position. */
export type IntentSize =
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'position' }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'part'; readonly base: Decimal }
  | { readonly kind: 'target'; readonly size: Decimal };

/**
 * What a strategy wants, and why. It ends with the quote it was decided on, or is worked on new quotes for `within`.
 * `side` is null if the size decides it (`target`, `close`).
 */
export interface Intent {
  readonly kind: 'intent';
  readonly side: Side | null;
  readonly size: IntentSize;
  readonly reason: string;
  readonly tag: string | null;
  /** Worst price accepted, in quote currency; null for none. */
  readonly limit: number | null;
  /** How long it is tried on each new quote, in milliseconds of engine time; null: on the present quote only. */
  readonly within: number | null;
  /** Name of the lane input on which it is traded; null: the main lane. */
  readonly on: string | null;
}

/** A strategy's reason for doing nothing. */
export interface Hold {
  readonly kind: 'hold';
  readonly reason: string;
  /** True: what the strategy waits for ends, but for an order on its way. */
  readonly withdraws?: boolean;
}
