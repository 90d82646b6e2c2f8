import type { Millis } from './names.ts';
import type { Side } from './quote.ts';
import type { Reason } from './reasons.ts';

/** The amount that a person orders: base units or a value in quote currency as decimal text, or the product's minimum order. */
export type ManualAmount = { readonly base: string } | { readonly quote: string } | { readonly least: true };

/** What a person may ask a running daemon to trade. */
export type ManualRequest =
  /** Close what a book holds, or `pct` of it; `product` null: in each product. */
  | {
      readonly act: 'close';
      readonly strategy: string;
      readonly product: string | null;
      readonly pct: number;
      /** Maximum value of its exits in quote currency, in place of `risk.maxExitValue`; decimal text. */
      readonly upTo?: string;
      /** End what is still being closed there, by whatever act; what is held stays. */
      readonly end?: true;
      readonly rehearsal?: true;
      readonly who: string;
      readonly why: string;
    }
  /** Close every book and open nothing. `resume`: also out of a halt. `end`: end every closing instead. */
  | { readonly act: 'flatten'; readonly resume: boolean; readonly end?: true; readonly who: string; readonly why: string }
  | {
      readonly act: 'order';
      readonly product: string;
      readonly side: Side;
      readonly amount: ManualAmount;
      /** The least purchase or its sale, also while trading is disarmed or paused. */
      readonly rehearsal?: true;
      readonly who: string;
      readonly why: string;
    };

/** A book's position in a product when its closing was requested, in base currency, decimal text. */
export interface HeldPosition {
  readonly book: string;
  readonly product: string;
  readonly size: string;
}

/** A close or flatten that an earlier run did not finish. */
export interface PastManualRequest {
  readonly id: string;
  /** When it was asked; absent in older recordings. */
  readonly at?: Millis;
  readonly act: 'close' | 'flatten';
  readonly who: string;
  readonly why: string;
  /** The share of the position to close, in percent. */
  readonly pct: number;
  readonly held: readonly HeldPosition[];
}

/** One order for a person's request. Price (quote currency) and size (base currency) are the quote's until the order is settled. */
export interface ManualOrderView {
  readonly orderId: string;
  readonly side: Side;
  readonly state: string;
  readonly price: number;
  readonly size: number;
  /** From the arrival of its quote to the decision. */
  readonly quoteAgeMs: number;
}

/** The part of a person's request in one book and product. Sizes are decimal text in base currency. */
export interface ManualPart {
  readonly book: string;
  readonly product: string;
  readonly wants: string;
  /** `open`: it ended with something left, and `why` says why. */
  readonly state: 'working' | 'done' | 'refused' | 'open';
  readonly held: string;
  readonly left: string;
  readonly orders: readonly ManualOrderView[];
  /** The last refusal with what it compared, or what is left and why. */
  readonly reason: Reason | null;
  readonly why: string | null;
}

/** A person's request as it was taken. */
export interface TakenRequest extends ManualTask {
  /** False while another program holds the journal: its row, and then its orders, follow. */
  readonly journaled: boolean;
}

/** A person's request and its progress. */
export interface ManualTask {
  readonly id: string;
  readonly act: ManualRequest['act'];
  readonly who: string;
  readonly why: string;
  readonly ended: boolean;
  readonly refused: { readonly reason: Reason | null; readonly why: string } | null;
  readonly parts: readonly ManualPart[];
}
