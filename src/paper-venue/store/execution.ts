import type { Side } from '#domain/quote.ts';

/** An executed order in the venue's database. Decimals are text, times ISO 8601 UTC. */
export interface Execution {
  readonly orderId: string;
  readonly quoteId: string;
  readonly userId: string;
  readonly side: Side;
  readonly product: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
  readonly executedAt: string;
}

/** A refused order. Fields that could not be read are null. */
export interface RefusedOrder {
  readonly at: string;
  readonly quoteId: string | null;
  readonly userId: string | null;
  readonly status: number;
  readonly errorCode: string;
}
