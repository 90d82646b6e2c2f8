import { CAPABILITIES, FILLED_STATUSES } from '#adapters/service/rest/settings.ts';
import { LIMITS } from '#domain/limits.ts';
import { byCurrency, byProduct, currencyCode } from '#domain/settings/groups.ts';
import { type Key, key } from '#domain/settings/key.ts';
import { choice, flag, listOf, mapOf, number, optional, or, text, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';
import { BROKER_KEY, BROKER_SECRET, LOGIN, OPENING_BALANCES } from '#venue/defaults.ts';
import { ALERT_KEYS } from './alert-keys.ts';
import { BACKTEST_KEYS } from './backtest-keys.ts';
import { BACKUP_KEYS, ROTATE_KEYS } from './backup-keys.ts';
import { product, strategies } from './entries.ts';
import { FINANCING_KEYS } from './financing-keys.ts';
import { schedule } from './schedule-entry.ts';
import { address, path, range, userId, userText, webhookUrl, wirePath } from './special-kinds.ts';
import { ARMING_KEYS, USE_KEYS } from './trading-keys.ts';
import { venueFault } from './venue-fault.ts';
import { venueReading } from './venue-reading.ts';
import { WEBHOOK_KEYS } from './webhook-keys.ts';

const PRINTABLE = text(/^[\x21-\x7e]{1,8192}$/, 'be printable characters without spaces');
const PHRASE = text(/^[^\p{Cc}]{1,1024}$/u, 'be characters that can be printed');
const secret = (env: string, doc: string, onLoopback?: unknown, kind = PRINTABLE): Key<string | null> =>
  key(optional(kind), null, doc, { env, secret: true, onLoopback });

/** Every setting there is. The order is that of `config print`. */
export const KEYS = {
  service: {
    baseUrl: key(optional(address), null, 'base address of the service; without it a paper venue is embedded', { env: 'KAIROS_BASE_URL' }),
    brand: key(text(/^[a-z][a-z0-9-]{0,31}$/, 'be 1 to 32 small letters, digits or dashes'), 'svc', "the service's name inside its paths"),
    userId: key(optional(userId), null, 'your user id at the service; opens the feed for tradable quotes', {
      env: 'KAIROS_USER_ID',
      onLoopback: '1205',
    }),
    apiKey: secret('KAIROS_API_KEY', 'broker key', BROKER_KEY),
    apiSecret: secret('KAIROS_API_SECRET', 'broker secret, Base64 as the service gave it', BROKER_SECRET),
    token: secret('KAIROS_TOKEN', 'bearer token, instead of a sign-in'),
    username: key(optional(userText), null, 'user name of the sign-in', { env: 'KAIROS_USERNAME', onLoopback: LOGIN.username }),
    password: secret('KAIROS_PASSWORD', 'password of the sign-in', LOGIN.password, PHRASE),
    totpSecret: secret('KAIROS_TOTP_SECRET', "secret of the sign-in's second factor, in Base32; without it a person is asked"),
    refreshTokenFile: key(
      optional(path),
      null,
      'file that keeps the token which prolongs a session, readable by you alone; without it none is kept',
    ),
    listAuth: key(
      choice(['auto', 'token', 'key']),
      'auto',
      'what lists of products and accounts are asked with: token (where there is one), key (the four headers of the API key), or auto (the key where a token does not do)',
    ),
    apiVersion: key(optional(text(/^[A-Za-z0-9._-]{1,32}$/, 'be a version')), null, 'value of the header se-api-version'),
    paths: {
      quotes: key(wirePath, '/{brand}-broker/public/quotes', 'path of the quotes feed'),
      orders: key(wirePath, '/{brand}-broker/api/orders', 'path of orders'),
      balances: key(wirePath, '/{brand}-broker/api/balances', 'path of balances, for a service that has the capability'),
      products: key(wirePath, '/mms/v2/productDetails', 'path of products'),
      accounts: key(wirePath, '/as/v3/accounts', 'path of accounts'),
      login: key(wirePath, '/httpserver/main/v2/auth/login', 'path of the sign-in'),
      strategies: key(wirePath, '/strategy-orchestrator/strategies', "path of the service's strategies"),
    },
    sides: {
      buy: key(text(/^[A-Za-z_]{1,20}$/, 'be 1 to 20 letters'), 'BUY', 'wire name of buying'),
      sell: key(text(/^[A-Za-z_]{1,20}$/, 'be 1 to 20 letters'), 'SELL', 'wire name of selling'),
    },
    feeIn: key(choice(['quote', 'base', 'received']), 'quote', 'currency of fees: quote, base, or received (base on buys, quote on sells)'),
    filledStatuses: key(
      listOf(text(/^[A-Za-z0-9_ -]{1,40}$/, 'be a status word'), 100),
      [...FILLED_STATUSES],
      'words of a 2xx answer that mean executed',
    ),
    rejectedStatuses: key(
      listOf(text(/^[A-Za-z0-9_ -]{1,40}$/, 'be a status word'), 100),
      [],
      'words of a 2xx answer that mean that nothing was executed and nothing will be',
    ),
    emptyAnswer: key(choice(['accepted', 'unknown']), 'accepted', 'what 200, 201 or 204 without a body means for an order'),
    ignoredFields: key(
      listOf(text(/^[A-Za-z0-9_.-]{1,60}$/, "be a field's name"), 100),
      [],
      "fields of an order's answer that say nothing about it, by name: neither a word for or against it nor a figure",
    ),
    figureTolerancePct: key(
      number({ above: 0, max: 10 }),
      1,
      "how far price and value of an answer may be from the quote's, in percent; beyond it the outcome is unknown",
    ),
    outcomes: key(
      mapOf(choice(['accepted', 'rejected', 'unknown']), { grammar: /^[1-5]\d\d$/, must: 'be an HTTP status from 100 to 599' }),
      {},
      'what an HTTP status means for an order, over the built-in table',
    ),
    capabilities: key(
      listOf(choice(CAPABILITIES), CAPABILITIES.length),
      [],
      'what the service may be asked beyond the specification: order-query (what became of an order, by its quote), balances',
    ),
    answerMs: key(whole({ min: 100, max: 60_000 }), 3000, 'milliseconds until an unanswered order is unknown'),
  },
  account: {
    currency: key(currencyCode, 'usd', 'currency of plain numbers in limits, and of valuation'),
    opening: key(
      optional(byCurrency),
      null,
      'what the account holds before the first run, by currency; required live, in dry mode as on loopback',
      {
        onLoopback: OPENING_BALANCES,
        inDry: OPENING_BALANCES,
      },
    ),
    allowShort: key(listOf(product, 1000), [], 'products that may go short'),
    financing: FINANCING_KEYS,
  },
  strategies: key(strategies, [], 'what trades'),
  risk: LIMITS,
  trading: {
    ...ARMING_KEYS,
    ...USE_KEYS,
    warmUpMaxGap: key(
      or('off', duration),
      '10m',
      'signals are fed with recorded quotes at the start where these reach up to it without a longer silence; or off: they wait',
    ),
    sendMarginMs: key(whole({ min: 0, max: 600_000 }), 100, 'no order leaves later than this before its quote dies, in milliseconds'),
    seed: key(text(/^[\x20-\x7e]{1,100}$/, 'be 1 to 100 plain characters'), 'kairos', "seed of the strategies' random numbers"),
  },
  clock: {
    source: key(
      choice(['date', 'system']),
      'date',
      "where the service's time is known from: date (its answers), or system (NTP keeps this machine right, to 1 s; on loopback it is the same clock)",
      { onLoopback: 'system' },
    ),
  },
  lanes: {
    max: key(whole({ min: 1, max: 10_000 }), 1000, 'most connections to the quotes feed'),
    reserve: key(
      whole({ min: 0, max: 100 }),
      2,
      'connections kept for amounts that are known only when they are needed, such as closing exactly what is held',
    ),
    waitMs: key(whole({ min: 100, max: 60_000 }), 1500, 'milliseconds that such a lane may take to bring a quote'),
    staleAfter: key(
      byProduct(duration),
      {},
      'how long a lane of a product may be silent before no order uses it, by product such as {eurusd: 30s}; 2s where none is named',
    ),
    opensPerSecond: key(number({ above: 0, max: 1000 }), 10, 'first connections a second', { onLoopback: 100 }),
  },
  schedule: key(schedule, [], 'what is done at set times'),
  recording: {
    enabled: key(flag, true, 'keep the inbox of each run'),
    dir: key(path, 'var/recordings', 'folder of recordings'),
    keepDays: key(
      whole({ min: 0, max: 36_500 }),
      90,
      'days of quotes that are kept; older ones are removed at start and once a day; 0: for ever',
    ),
  },
  journal: { path: key(path, 'var/kairos.db', 'file of the decision journal'), backup: BACKUP_KEYS, rotate: ROTATE_KEYS },
  halt: {
    escalate: key(
      choice(['none', 'pauseAll']),
      'none',
      "pauseAll: a halt also asks the service to pause its own strategies, those that are not Kairos's included",
    ),
  },
  ops: {
    host: key(
      text(/^(127(\.\d{1,3}){3}|::1|localhost)$/, 'be an address of this machine alone, 127.0.0.1, ::1 or localhost'),
      '127.0.0.1',
      'address of the control server; from elsewhere it is reached through a tunnel',
    ),
    port: key(optional(whole({ min: 1, max: 65_535 })), null, 'port of the control server; without it 8080, or the next that is free'),
    token: key(
      optional(text(/^[\x21-\x7e]{16,512}$/, 'be 16 to 512 printable characters')),
      null,
      'what POSTs to the control server must show; without it one is made and kept in ops-token beside the journal',
      {
        env: 'KAIROS_OPS_TOKEN',
        secret: true,
      },
    ),
  },
  webhooks: WEBHOOK_KEYS,
  alerts: ALERT_KEYS,
  backtest: BACKTEST_KEYS,
  log: {
    level: key(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info', 'least important lines that are logged'),
    pretty: key(or('auto', flag), 'auto', 'readable lines instead of JSON; auto: on a terminal'),
  },
  venue: {
    host: key(text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'), '127.0.0.1', 'address on which the paper venue listens'),
    port: key(whole({ min: 0, max: 65_535 }), 0, 'port of the paper venue; 0: a free one, and 8090 for `kairos venue`'),
    database: key(path, 'var/venue.db', "file of the paper venue's balances; :memory: keeps nothing"),
    seed: key(text(/^[\x20-\x7e]{1,100}$/, 'be 1 to 100 plain characters'), 'paper', 'seed of synthetic prices'),
    prices: {
      source: key(choice(['synthetic', 'file']), 'synthetic', 'where prices come from: synthetic or file'),
      path: key(optional(path), null, 'CSV file of prices, gz or not'),
      product: key(optional(product), null, 'product that the file drives'),
      speed: key(number({ above: 0, max: 1_000_000 }), 1, 'market time per real time'),
      columns: {
        time: key(text(/^[^\r\n\0]{1,100}$/, 'be a column name'), 'time', "the file's time column"),
        bid: key(text(/^[^\r\n\0]{1,100}$/, 'be a column name'), 'bid', "the file's bid column"),
        ask: key(text(/^[^\r\n\0]{1,100}$/, 'be a column name'), 'ask', "the file's ask column"),
      },
    },
    quotesPerSecond: key(number({ above: 0, max: 1000 }), 2, 'quotes a second on each connection'),
    validityMs: key(range(1, 600_000), 3000, 'how long a quote may be used, in milliseconds: a number, or [shortest, longest]'),
    feePercentage: key(number({ min: 0, max: 50 }), 0.1, 'fee in percent of the value'),
    answerDelayMs: key(range(0, 600_000), 20, 'milliseconds before an order is answered: a number, or [shortest, longest]'),
    strategyStepMs: key(whole({ min: 10, max: 86_400_000 }), 1000, "milliseconds between the trades of the service's own strategies"),
    signIn: {
      totpSecret: key(
        optional(text(/^[A-Za-z2-7]{16,128}=*$/, 'be 16 to 128 letters and digits of Base32')),
        null,
        "secret of the sign-in's second factor, in Base32; without it none is asked for",
      ),
      tokenSeconds: key(whole({ min: 1, max: 86_400_000 }), 3600, 'lifetime of a bearer token, in seconds'),
      refreshTokenSeconds: key(whole({ min: 1, max: 86_400_000 }), 2_592_000, 'lifetime of the token that prolongs a session, in seconds'),
    },
    webhooks: {
      url: key(optional(webhookUrl), null, 'where the paper venue sends notifications; without it none are made'),
      otherUrl: key(optional(webhookUrl), null, 'the same for users of the other partner (2001), signed with a secret of its own'),
      timeoutMs: key(
        whole({ min: 10, max: 600_000 }),
        10_000,
        'milliseconds until an unanswered notification has failed and is tried again later',
      ),
      freshTimestamp: key(flag, true, 'each attempt carries its own time; false: all carry that of the first'),
    },
    capabilities: key(
      listOf(choice(CAPABILITIES), CAPABILITIES.length),
      [],
      'what the paper venue may be asked beyond the specification: order-query, balances',
    ),
    dialect: key(
      listOf(venueReading, 100),
      [],
      'how the paper venue reads what the specification leaves open: names such as upper-currencies, or seed:N for a drawn dialect; `kairos venue --dialect help` lists them',
    ),
    faults: key(
      listOf(venueFault, 100),
      [],
      'how the paper venue misbehaves, by its seed: names such as lost-answers, or with a share of what they strike, lost-answers=50%; `kairos venue --faults help` lists them',
    ),
  },
};
