import { messageOf } from '#domain/errors.ts';
import { type Key, key, type ValuesOf } from '#domain/settings/key.ts';
import { choice, listOf, mapOf, number, optional, path, type SettingKind, text, whole } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { checkSignedPath } from '../orders/canonical.ts';
import { serviceAddress } from './service-address.ts';

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

/** What a service may offer beyond the specification. */
export const CAPABILITIES = ['order-query', 'balances'] as const;

/** A base address: https unless on loopback, no credentials in it (B36). Read without a slash at its end. */
const address: SettingKind<string> = {
  schema: { type: 'string', pattern: '^https?://' },
  read(value, report) {
    if (typeof value !== 'string' || value.length > 2000) {
      report([], `must be an address such as https://service.example, not ${shown(value)}`);
      return undefined;
    }
    try {
      serviceAddress(value);
      return value.replace(/\/+$/, '');
    } catch (error) {
      // The checker's own words never repeat the address, which may have a password in it.
      report([], messageOf(error).replace(/^service\.\w+: /, ''));
      return undefined;
    }
  },
  fromText: (given) => given,
};

/** A user id that cannot shift the borders inside a signed text (B21). Digits may stand without quotes. */
const userId: SettingKind<string> = {
  schema: {
    anyOf: [
      { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
      { type: 'integer', minimum: 0 },
    ],
  },
  read(value, report) {
    const id = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
    if (typeof id === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(id)) return id;
    report([], `must be 1 to 64 letters, digits or dashes, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

/** A name at the service, as a person writes it. */
const userText: SettingKind<string> = text(/^[^\p{Cc}]{1,200}$/u, 'be 1 to 200 characters');

/** A path of the service that is sent exactly as it is signed; `{brand}` stands for `service.brand`. */
const wirePath: SettingKind<string> = {
  schema: { type: 'string', pattern: '^/' },
  read(value, report) {
    if (typeof value === 'string' && value.length <= 500 && isSignable(value)) return value;
    report([], `must be an absolute path of plain URL characters, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

function isSignable(value: string): boolean {
  try {
    checkSignedPath(value.replaceAll('{brand}', 'svc'));
    return !value.includes('?');
  } catch {
    // Its refusal names no place in the file; the caller's does.
    return false;
  }
}

const PRINTABLE = text(/^[\x21-\x7e]{1,8192}$/, 'be printable characters without spaces');
const PHRASE = text(/^[^\p{Cc}]{1,1024}$/u, 'be characters that can be printed');
const secret = (env: string, doc: string, onPaper?: unknown, kind = PRINTABLE): Key<string | null> =>
  key(optional(kind), null, doc, { env, secret: true, onPaper });

/** Who every Kairos venue knows without being told. */
interface KnownUser {
  readonly userId: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly username: string;
  readonly password: string;
}

const STATUS_WORDS = listOf(text(/^[A-Za-z0-9_ -]{1,40}$/, 'be a status word'), 100);

/** `service.paths`. */
const PATHS = {
  quotes: key(wirePath, '/{brand}-broker/public/quotes', 'path of the quotes feed'),
  orders: key(wirePath, '/{brand}-broker/api/orders', 'path of orders'),
  balances: key(wirePath, '/{brand}-broker/api/balances', 'path of balances'),
  products: key(wirePath, '/mms/v2/productDetails', 'path of products'),
  accounts: key(wirePath, '/as/v3/accounts', 'path of accounts'),
  login: key(wirePath, '/httpserver/main/v2/auth/login', 'path of the sign-in'),
  strategies: key(wirePath, '/strategy-orchestrator/strategies', "path of the service's strategies"),
};

/** `service.sides`. */
const SIDES = {
  buy: key(text(/^[A-Za-z_]{1,20}$/, 'be 1 to 20 letters'), 'BUY', 'wire name of buying'),
  sell: key(text(/^[A-Za-z_]{1,20}$/, 'be 1 to 20 letters'), 'SELL', 'wire name of selling'),
};

/** `service.*` of the configuration. */
export const serviceKeys = (onPaper: KnownUser) => ({
  baseUrl: key(optional(address), null, 'base address of the service; none: the own paper venue', {
    env: 'KAIROS_BASE_URL',
  }),
  brand: key(text(/^[a-z][a-z0-9-]{0,31}$/, 'be 1 to 32 small letters, digits or dashes'), 'svc', "the service's name inside its paths"),
  userId: key(optional(userId), null, 'your user id at the service; needed for tradable quotes', {
    env: 'KAIROS_USER_ID',
    onPaper: onPaper.userId,
  }),
  apiKey: secret('KAIROS_API_KEY', 'broker key', onPaper.apiKey),
  apiSecret: secret('KAIROS_API_SECRET', 'broker secret, Base64 as the service gave it', onPaper.apiSecret),
  token: secret('KAIROS_TOKEN', 'bearer token in place of a sign-in'),
  username: key(optional(userText), null, 'user name of the sign-in', { env: 'KAIROS_USERNAME', onPaper: onPaper.username }),
  password: secret('KAIROS_PASSWORD', 'password of the sign-in', onPaper.password, PHRASE),
  totpSecret: secret('KAIROS_TOTP_SECRET', 'secret of the second factor, in Base32; none: a person is asked'),
  refreshTokenFile: key(optional(path), null, 'file for the token that prolongs a session'),
  listAuth: key(choice(['auto', 'token', 'key']), 'auto', 'credentials for products and accounts: token, key, or auto (token, then key)'),
  apiVersion: key(optional(text(/^[A-Za-z0-9._-]{1,32}$/, 'be a version')), null, 'value of the header se-api-version'),
  paths: PATHS,
  sides: SIDES,
  feeIn: key(choice(['quote', 'base', 'received']), 'quote', 'currency of fees: quote, base, or received (what an order receives)'),
  filledStatuses: key(STATUS_WORDS, [...FILLED_STATUSES], 'words of a 2xx answer that mean executed'),
  rejectedStatuses: key(STATUS_WORDS, [], 'words of a 2xx answer that mean not executed'),
  emptyAnswer: key(choice(['accepted', 'unknown']), 'accepted', 'outcome of an order answered 200, 201 or 204 without a body'),
  ignoredFields: key(listOf(text(/^[A-Za-z0-9_.-]{1,60}$/, "be a field's name"), 100), [], "fields of an order's answer to ignore"),
  figureTolerancePct: key(number({ above: 0, max: 10 }), 1, "how far an answer's price may be from the quote's, in percent"),
  outcomes: key(
    mapOf(
      choice(['accepted', 'rejected', 'unknown']),
      { grammar: /^[1-5]\d\d$/, must: 'be an HTTP status from 100 to 599' },
      { 409: 'rejected' },
    ),
    {},
    'outcome of an order by HTTP status',
  ),
  capabilities: key(listOf(choice(CAPABILITIES), CAPABILITIES.length), [], 'endpoints beyond the specification: order-query, balances'),
  answerMs: key(whole({ min: 100, max: 60_000 }), 3000, 'time after which an unanswered order is unknown'),
});

/** How the service is reached and what its answers mean. Secrets are as given, decoded only where they are used; `paths` have the brand put in. */
export type ServiceSettings = ValuesOf<ReturnType<typeof serviceKeys>>;
