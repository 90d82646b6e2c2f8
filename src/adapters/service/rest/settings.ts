/** How the service is reached and what its answers mean: `service.*` of the configuration. */
export interface ServiceSettings {
  /** Base address without trailing slash; null means the embedded paper venue. */
  readonly baseUrl: string | null;
  readonly brand: string;
  readonly userId: string | null;
  readonly apiKey: string | null;
  /** Base64, as given; decoded only where it signs. */
  readonly apiSecret: string | null;
  readonly token: string | null;
  readonly username: string | null;
  readonly password: string | null;
  /** Base32, as given: the second factor of the sign-in. */
  readonly totpSecret: string | null;
  /** File that keeps the token which prolongs a session; null: it is kept nowhere. */
  readonly refreshTokenFile: string | null;
  /** What lists of products and accounts are asked with: the token, the API key, or the key where the token does not do. */
  readonly listAuth: 'auto' | 'token' | 'key';
  readonly apiVersion: string | null;
  readonly paths: {
    readonly quotes: string;
    readonly orders: string;
    /** Asked only where `capabilities` names `balances`. */
    readonly balances: string;
    readonly products: string;
    readonly accounts: string;
    readonly login: string;
    readonly strategies: string;
  };
  readonly sides: { readonly buy: string; readonly sell: string };
  readonly feeIn: 'quote' | 'base' | 'received';
  readonly filledStatuses: readonly string[];
  /** Words that mean that nothing was executed; an answer with one is a rejection. */
  readonly rejectedStatuses: readonly string[];
  /** What 200, 201 or 204 without a body means. */
  readonly emptyAnswer: 'accepted' | 'unknown';
  /** Fields of an answer that say nothing about its order, by name. */
  readonly ignoredFields: readonly string[];
  /** How far price and value of an answer may be from the quote's, in percent. */
  readonly figureTolerancePct: number;
  /** Outcome by HTTP status, over the built-in table. */
  readonly outcomes: Readonly<Record<string, 'accepted' | 'rejected' | 'unknown'>>;
  readonly answerMs: number;
  /** What the service may be asked beyond the specification. */
  readonly capabilities: readonly Capability[];
}

/** Words of a 2xx answer that mean executed, unless `service.filledStatuses` has others. */
export const FILLED_STATUSES = [
  'FILLED',
  'EXECUTED',
  'COMPLETED',
  'DONE',
  'ACCEPTED',
  'OK',
  'SUCCESS',
  'COMPLETE',
  'CONFIRMED',
  'CREATED',
  'CLOSED',
  'SETTLED',
  'SUCCEEDED',
  'FULLY_FILLED',
] as const;

export const CAPABILITIES = ['order-query', 'balances'] as const;

type Capability = (typeof CAPABILITIES)[number];
