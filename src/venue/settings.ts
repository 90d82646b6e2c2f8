import type { VenueFault } from './faults/catalogue.ts';

interface VenuePrices {
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
interface VenueSignIn {
  /** Base32 secret of the second factor; null: none is asked for. */
  readonly totpSecret: string | null;
  /** Lifetime of a bearer token, and of the token that prolongs it. */
  readonly tokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

/** How partners are told what happens to their users. */
export interface WebhookSettings {
  /** The URL that the partner gave; null: it is not told. */
  readonly url: string | null;
  /** The URL that the other partner gave. */
  readonly otherUrl: string | null;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** Each attempt carries its own time; false: all carry that of the first. */
  readonly freshTimestamp: boolean;
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
  readonly webhooks: WebhookSettings;
  /** Beyond the specification: `order-query` offers `GET <prefix>/api/orders`, `balances` offers `GET <prefix>/api/balances`. */
  readonly capabilities: readonly ('order-query' | 'balances')[];
  /** Readings of what the specification leaves open, by name; the venue's own where there is none. */
  readonly dialect: readonly string[];
  /** How the venue misbehaves, by its seed. */
  readonly faults: readonly VenueFault[];
}
