import type { Decimal } from './decimal.ts';
import type { Amount } from './lane.ts';
import type { Side } from './quote.ts';

/** How much an intent wants: the lane's amount, all that is held, a share of it, or a target position. */
export type IntentSize =
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'position' }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'target'; readonly size: Decimal };

/**
 * What a strategy wants, and why. It lives as long as the quote it was decided on, or is worked on new quotes for
 * `within`. `side` is null where the size decides it (`target`, `close`).
 */
export interface Intent {
  readonly kind: 'intent';
  readonly side: Side | null;
  readonly size: IntentSize;
  readonly reason: string;
  readonly tag: string | null;
  /** Worst price accepted, in quote currency; null for none. */
  readonly limit: number | null;
  /** For so many milliseconds of engine time it is tried on each new quote; null: on the present quote only. */
  readonly within: number | null;
  /** Name of the lane input that it goes to; null: the main lane. */
  readonly on: string | null;
}

/** A strategy's word on why it does nothing. */
export interface Hold {
  readonly kind: 'hold';
  readonly reason: string;
}
