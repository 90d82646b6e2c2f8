/** The feed's messages as they stand on the wire (spec 2.7, 2.8). The venue writes them, the client decodes them. */

/** What an ACK repeats of the request: `inputSize` in base currency, `inputValue` in quote currency. */
export interface SubscriptionEcho {
  readonly quoteType: string;
  readonly productCode: string | null;
  readonly inputSize?: number | null;
  readonly inputValue?: number | null;
}

export interface AckMessage {
  readonly msgType: 'ACK';
  readonly userId?: number;
  readonly query: SubscriptionEcho;
  readonly config?: unknown;
}

export interface ErrMessage {
  readonly msgType: 'ERR';
  readonly errorMsg: string;
}

export interface QuoteSideMessage {
  readonly price: number;
  readonly size: number;
  readonly value: number;
  readonly feeInBaseCcy: number;
  readonly feeInQuoteCcy: number;
  readonly slippage: number;
  readonly slippagePercentage: number;
}

export interface AverageQuoteMessage {
  readonly size: number;
  readonly value: number;
  readonly feeInBaseCcy: number;
  readonly feeInQuoteCcy: number;
}

export interface TradingQuoteMessage {
  readonly msgType: 'TQ';
  readonly id?: string;
  readonly productCode: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly buyQuote: QuoteSideMessage;
  readonly sellQuote: QuoteSideMessage;
  readonly avgQuote: AverageQuoteMessage;
  readonly feePercentage: number;
  readonly spread: number;
  readonly spreadPercentage: number;
  readonly dailyChangePercentage: number;
  readonly validUntil: string;
}

/** Fields by the notes to the specification: our own choice, shown and never traded on. */
export interface BasicQuoteMessage {
  readonly msgType: 'BQ';
  readonly productCode: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly price: number;
  readonly time: string;
}

export interface BookLevelMessage {
  readonly price: number;
  readonly size: number;
}

/** Fields by the notes to the specification: our own choice, best first. */
export interface FullQuoteMessage {
  readonly msgType: 'FQ';
  readonly productCode: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly bids: readonly BookLevelMessage[];
  readonly asks: readonly BookLevelMessage[];
  readonly time: string;
}

/** Body of an order (spec 2.10). */
export interface OrderMessage {
  readonly orderType: string;
  readonly quoteId: string;
  readonly side: string;
}
