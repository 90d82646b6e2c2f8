export interface VenuePrices {
  readonly source: 'synthetic' | 'file';
  readonly path: string | null;
  /** The product that the file drives; the others stay synthetic. */
  readonly product: string | null;
  /** Market time per real time, for files. A file that is over starts again, in continuous time. */
  readonly speed: number;
  /** Column names for files. */
  readonly columns: { readonly time: string; readonly bid: string; readonly ask: string };
}

/** How users sign in. */
export interface VenueSignIn {
  /** Base32 secret of the second factor; null: none is asked for. */
  readonly totpSecret: string | null;
  /** Lifetime of a bearer token, and of the token that prolongs it. */
  readonly tokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

/** A fixed number of milliseconds, or a range from which each is drawn. */
export type MillisOrRange = number | readonly [min: number, max: number];

export interface VenueSettings {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** SQLite file that keeps balances, executions and used ids; `:memory:` keeps nothing. */
  readonly database: string;
  readonly brand: string;
  readonly seed: string;
  readonly prices: VenuePrices;
  readonly quotesPerSecond: number;
  /** How long a quote may be used. Of a range each quote draws its own, log-uniformly, so that short ones are common. */
  readonly validityMs: MillisOrRange;
  readonly feePercentage: number;
  /** Delay before an order is answered, after it was executed. Of a range each is drawn uniformly. */
  readonly answerDelayMs: MillisOrRange;
  /** How often the service's own strategies may trade. */
  readonly strategyStepMs: number;
  readonly signIn: VenueSignIn;
  /** Offers `GET <prefix>/api/orders` and `GET <prefix>/api/balances` beyond the specification. */
  readonly orderQuery: boolean;
}
