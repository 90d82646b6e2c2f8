import { READINGS, readDialect } from '#adapters/service-client/dialect/dialect.ts';
import { CAPABILITIES } from '#adapters/service-client/rest/settings.ts';
import { productName } from '#domain/settings/groups.ts';
import { key, type ValuesOf } from '#domain/settings/key.ts';
import { choice, flag, listOf, number, optional, path, type SettingKind, text, whole } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { range } from '#domain/settings/spans.ts';
import { FAULT_NAMES, readFault, type VenueFault } from './faults/catalogue.ts';

/** A partner's webhook URL; `recipientsOf` checks it in full. */
const webhookUrl = text(
  /^https?:\/\/[A-Za-z0-9.:[\]-]{1,253}(\/[\x21-\x7e]{0,1000})?$/,
  'be an address such as http://127.0.0.1:8081/webhooks',
);

/** A fault of the paper venue: a name, or a name with a share such as `lost-answers=50%`. */
const venueFault: SettingKind<VenueFault> = {
  schema: { type: 'string', pattern: `^(${FAULT_NAMES.join('|')})(=\\d{1,3}(\\.\\d{1,3})?%)?$` },
  read(value, report) {
    const read = typeof value === 'string' ? readFault(value) : `be the name of a fault such as lost-answers, not ${shown(value)}`;
    if (typeof read !== 'string') return read;
    report([], `must ${read}`);
    return undefined;
  },
  fromText: (given) => given,
};

/** A reading of the paper venue's dialect: a name such as upper-currencies, or seed:N for a drawn dialect. */
const venueReading: SettingKind<string> = {
  schema: { type: 'string', pattern: `^(${READINGS.join('|')}|seed:.{1,40})$` },
  read(value, report) {
    const read =
      typeof value === 'string' ? readDialect([value]) : `be the name of a reading such as upper-currencies, not ${shown(value)}`;
    if (typeof read !== 'string') return String(value);
    report([], `must ${read}`);
    return undefined;
  },
  fromText: (given) => given,
};

const column = text(/^[^\r\n\0]{1,100}$/, 'be a column name');

/** `venue.*` of the configuration. */
export const VENUE_KEYS = {
  host: key(text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'), '127.0.0.1', 'address on which the paper venue listens'),
  port: key(whole({ min: 0, max: 65_535 }), 0, 'port of the paper venue; 0: a free one, and 8090 for `kairos venue`'),
  database: key(path, 'var/venue.db', "file of the paper venue's balances; :memory: keeps nothing"),
  seed: key(text(/^[\x20-\x7e]{1,100}$/, 'be 1 to 100 plain characters'), 'paper', 'seed of synthetic prices'),
  prices: {
    source: key(choice(['synthetic', 'file']), 'synthetic', 'source of prices: synthetic or file'),
    path: key(optional(path), null, 'CSV file of prices, gz or not'),
    product: key(optional(productName), null, 'product that the file drives'),
    speed: key(number({ above: 0, max: 1_000_000 }), 1, 'seconds of market time per second'),
    volatility: key(number({ above: 0, max: 20 }), 1, 'size of synthetic moves: 1 is some percent a day, 10 wild'),
    columns: {
      time: key(column, 'time', "the file's time column"),
      bid: key(column, 'bid', "the file's bid column"),
      ask: key(column, 'ask', "the file's ask column"),
    },
  },
  quotesPerSecond: key(number({ above: 0, max: 1000 }), 2, 'quotes a second on each connection'),
  validityMs: key(range(1, 600_000), 3000, 'validity of a quote: a number, or [shortest, longest]'),
  feePercentage: key(number({ min: 0, max: 50 }), 0.1, 'fee in percent of the value'),
  answerDelayMs: key(range(0, 600_000), 20, 'delay before an order is answered: a number, or [shortest, longest]'),
  strategyStepMs: key(whole({ min: 10, max: 86_400_000 }), 1000, "time between trades of the service's own strategies"),
  signIn: {
    totpSecret: key(
      optional(text(/^[A-Za-z2-7]{16,128}=*$/, 'be 16 to 128 letters and digits of Base32')),
      null,
      'secret of the second factor, in Base32',
    ),
    tokenSeconds: key(whole({ min: 1, max: 86_400_000 }), 3600, 'lifetime of a bearer token, in seconds'),
    refreshTokenSeconds: key(whole({ min: 1, max: 86_400_000 }), 2_592_000, 'lifetime of the token that prolongs a session, in seconds'),
  },
  webhooks: {
    url: key(optional(webhookUrl), null, 'address to which the paper venue sends notifications'),
    otherUrl: key(optional(webhookUrl), null, 'the same for users of the other partner (2001)'),
    timeoutMs: key(whole({ min: 10, max: 600_000 }), 10_000, 'time after which an unanswered notification is retried'),
    freshTimestamp: key(flag, true, 'true: each attempt carries its own time, else that of the first'),
  },
  capabilities: key(listOf(choice(CAPABILITIES), CAPABILITIES.length), [], 'endpoints beyond the specification: order-query, balances'),
  dialect: key(listOf(venueReading, 100), [], "the paper venue's dialect: names, or seed:N; `kairos venue --dialect help` lists them"),
  faults: key(listOf(venueFault, 100), [], 'how the paper venue fails, such as lost-answers=50%; `kairos venue --faults help` lists all'),
};

/** Settings of the paper venue. `brand` is the service's name inside its paths, `service.brand`. */
export type VenueSettings = ValuesOf<typeof VENUE_KEYS> & { readonly brand: string };

/** Settings of the partners' webhooks. */
export type WebhookSettings = VenueSettings['webhooks'];
