import type { Side } from './quote.ts';
import type { Reason } from './reasons.ts';

/** How much a person orders: base units or a value in quote currency as decimal text, or the product's least order. */
export type ManualAmount = { readonly base: string } | { readonly quote: string } | { readonly least: true };

/** What a person may ask a running daemon to trade. */
export type ManualRequest =
  /** Close what a book holds, or `pct` of it; `product` null: in each product. */
  | {
      readonly act: 'close';
      readonly strategy: string;
      readonly product: string | null;
      readonly pct: number;
      /** Exits of it may be worth this much in quote currency, over `risk.maxExitValue`; decimal text. */
      readonly upTo?: string;
      readonly who: string;
      readonly why: string;
    }
  /** Close every book and open nothing. `resume`: also out of a halt. */
  | { readonly act: 'flatten'; readonly resume: boolean; readonly who: string; readonly why: string }
  | {
      readonly act: 'order';
      readonly product: string;
      readonly side: Side;
      readonly amount: ManualAmount;
      readonly who: string;
      readonly why: string;
    };

/** What a book held of a product when it was to be closed, in base currency, decimal text. */
export interface HeldPosition {
  readonly book: string;
  readonly product: string;
  readonly size: string;
}

/** A close or flatten of an earlier run of which nobody has said that it is over. */
export interface PastManualRequest {
  readonly id: string;
  readonly act: 'close' | 'flatten';
  readonly who: string;
  readonly why: string;
  readonly pct: number;
  readonly held: readonly HeldPosition[];
}

/** One order that was tried for a person. Price (quote currency) and size (base currency) are the quote's until the order is settled. */
export interface ManualOrderView {
  readonly orderId: string;
  readonly side: Side;
  readonly state: string;
  readonly price: number;
  readonly size: number;
  /** From the arrival of its quote to the decision. */
  readonly quoteAgeMs: number;
}

/** One book and product of what a person asked for. Sizes are decimal text in base currency. */
export interface ManualPart {
  readonly book: string;
  readonly product: string;
  readonly wants: string;
  /** `open`: it ended and something is left, `why` says of what. */
  readonly state: 'working' | 'done' | 'refused' | 'open';
  readonly held: string;
  readonly left: string;
  readonly orders: readonly ManualOrderView[];
  /** The last refusal, and what it compared; or what is left and why. */
  readonly reason: Reason | null;
  readonly why: string | null;
}

/** What a person asked for, and how far it has come. */
export interface ManualTask {
  readonly id: string;
  readonly act: ManualRequest['act'];
  readonly who: string;
  readonly why: string;
  readonly ended: boolean;
  readonly refused: { readonly reason: Reason | null; readonly why: string } | null;
  readonly parts: readonly ManualPart[];
}
