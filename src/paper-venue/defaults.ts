import type { MillisOrRange } from '#domain/settings/spans.ts';

/**
 * Users, balances and limits of the paper venue by default. All of them are our own choice where the specification is
 * silent. No client may depend on them beyond what its user configures.
 */

/** The partner's key pair. The secret is in Base64, as for any partner (spec 5.1). */
export const BROKER_KEY = '11111111-1111-4111-8111-111111111111';
export const BROKER_SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** The partner's own account, and the users registered through it (spec 5.1, `X-API-User-ID`). */
export const PARTNER_USERS: ReadonlySet<string> = new Set(['1000', '1205', '1206']);

/** Another partner, with a secret of its own (Base64). Its users are known, and forbidden here. */
export const OTHER_PARTNER = {
  secret: 'ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=',
  users: new Set(['2001']),
} as const;

/** Opening balances of each of the partner's users: enough of every currency to trade both ways. */
export const OPENING_BALANCES: Readonly<Record<string, string>> = {
  usd: '1000000',
  eur: '1000000',
  sek: '10000000',
  btc: '100',
  eth: '1000',
};

/** The same without base currencies: only what was bought can be sold. */
export const LEAN_BALANCES: Readonly<Record<string, string>> = { usd: '1000000', sek: '10000000' };

/** The one bearer sign-in. */
export const LOGIN = { username: 'paper@example.com', password: 'paper' } as const;

/** Tolerance between `X-API-Timestamp` and our clock (spec 8). */
export const TIMESTAMP_TOLERANCE_MS = 5000;

/** Exchange accounts of the signed-in user (spec 2.5). */
export const ACCOUNTS = [exchangeAccount('70311', 'Paper OKX', 'OKX'), exchangeAccount('70312', 'Paper VB', 'VB')] as const;

/** Opening balances of each exchange account. The service's strategies trade on it; broker orders do not touch it. */
export const ACCOUNT_OPENINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '70311': { usdt: '1000000', btc: '100', eth: '1000' },
  '70312': OPENING_BALANCES,
};

function exchangeAccount(id: string, name: string, exchangeCode: string) {
  return {
    id,
    createdAt: '2026-01-01T00:00:00.000Z',
    userId: '1205',
    name,
    exchangeCode,
    exchange: exchangeCode,
    description: `${name}, no real money`,
    // The service sends the exchange key in clear text. This key is useless; tests use it to show that a client drops it.
    apiKey: `paper-exchange-key-${id}`,
    validatedAt: '2026-01-01T00:00:00.000Z',
    spot: { isActive: true },
    futures: { isActive: false, settings: {} },
    isMain: exchangeCode === 'VB',
    eventTime: '2026-01-01T00:00:00.000Z',
    accountType: 'SUB_ACCOUNT',
    whitelistedIps: [''],
    permissions: [],
  };
}

/** Limits of the server. The specification shows none (spec 8). */
export const LIMITS = {
  frameBytes: 64 * 1024,
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  requestTimeoutMs: 10_000,
  /** Unread bytes at which a feed connection is cut. */
  unreadBytes: 1024 * 1024,
  feedConnections: 5000,
  /** Maximum number of strategies at a time. */
  strategies: 1000,
  rememberedQuotes: 200_000,
  /** How long an expired quote is kept in milliseconds, for an exact answer to late orders. */
  rememberExpiredMs: 5000,
} as const;

/** The longest duration that a setting may draw. */
export function longestOf(setting: MillisOrRange): number {
  return typeof setting === 'number' ? setting : setting[1];
}
