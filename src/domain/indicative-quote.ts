/** A price for display (spec 2.8, BQ; fields by the notes). Null if the service did not send a usable one. */
export interface BasicQuote {
  readonly product: string;
  readonly baseCcy: string | null;
  readonly quoteCcy: string | null;
  /** In quote currency. */
  readonly price: number | null;
  readonly time: string | null;
}

/** One level of an order book: price in quote currency, size in base currency. */
export interface BookLevel {
  readonly price: number;
  readonly size: number;
}

/** An order book for display, best first (spec 2.8, FQ; fields by the notes). */
export interface FullQuote {
  readonly product: string;
  readonly baseCcy: string | null;
  readonly quoteCcy: string | null;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly time: string | null;
}

/** A price for display, on which no order is possible. */
export type IndicativeQuote = BasicQuote | FullQuote;
