import { serviceKeys } from '#adapters/service-client/rest/settings.ts';
import { LIMITS } from '#domain/limits.ts';
import { MODE_NAMES } from '#domain/mode.ts';
import { namedTokens } from '#domain/ops-token.ts';
import { byCurrency, byProduct, currencyCode, productName } from '#domain/settings/groups.ts';
import { key } from '#domain/settings/key.ts';
import { choice, flag, listOf, number, optional, or, path, text, whole } from '#domain/settings/kind.ts';
import { crashHalt, duration, range } from '#domain/settings/spans.ts';
import { BROKER_KEY, BROKER_SECRET, LOGIN, OPENING_BALANCES } from '#paper-venue/defaults.ts';
import { VENUE_KEYS } from '#paper-venue/settings.ts';
import { ALERT_KEYS } from './alert-keys.ts';
import { strategies } from './entries.ts';
import { FINANCING_KEYS } from './financing-keys.ts';
import { rates } from './rates-entry.ts';
import { cron, schedule } from './schedule-entry.ts';
import { SIGNAL_KEYS } from './signal-keys.ts';

/** Limits of memory and time, for each strategy and for all together. */
const USE_KEYS = {
  maxStrategyMs: key(
    or('off', whole({ min: 10, max: 2_500 })),
    250,
    'time of a strategy for an event; five breaches a minute disable it; or off',
  ),
  maxMemoryMb: key(
    or('off', whole({ min: 128, max: 65_536 })),
    400,
    'MB above which the strategy that added most is disabled; half as much again ends the process; or off',
  ),
};

/** How trading starts, and what halts it without a person. */
const ARMING_KEYS = {
  arm: key(choice(['auto', 'manual']), 'manual', 'manual: a person arms each new configuration; auto: nobody needs to', {
    onPaper: 'auto',
    inDry: 'auto',
  }),
  rearmAfter: key(or('never', duration), 'never', 'time until openings go on after a loss, rejections or a crash'),
  crashHalt: key(or('off', crashHalt), '3 in 10m', 'crashes within a time that halt trading, or off', {
    onPaper: 'off',
    inDry: 'off',
  }),
};

/** Automatic backups of the journal by a running daemon. */
const BACKUP_KEYS = {
  dir: key(optional(path), null, "folder of the daemon's backups; none: no backups"),
  every: key(or('never', duration), '1d', 'time from one to the next; never: only by bot.backup'),
  keep: key(whole({ min: 1, max: 10_000 }), 7, 'how many are kept'),
};

/** When the journal's decisions are moved to an archive. */
const ROTATE_KEYS = {
  decisions: key(optional(whole({ min: 1_000 })), null, 'decisions (1 kB each) after which a start archives them'),
  monthly: key(flag, false, 'a start also archives those of earlier months'),
  at: key(or('never', cron), '0 4 * * *', 'when a daemon begins a new run for it, cron in UTC; never: only a start rotates'),
  keepDays: key(whole({ min: 0, max: 100_000 }), 0, 'days that a start keeps archives, all but the newest; 0: for ever'),
};

const webhookSecret = optional(text(/^[\x21-\x7e]{1,8192}$/, 'be printable characters without spaces'));

/** The server that receives the service's notifications. */
const WEBHOOK_KEYS = {
  enabled: key(flag, false, 'listen for notifications of the service'),
  host: key(text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'), '127.0.0.1', 'address to listen on'),
  port: key(whole({ min: 0, max: 65_535 }), 8081, 'port to listen on; 0: a free one'),
  path: key(text(/^(\/[A-Za-z0-9._~-]{1,100}){1,8}$/, 'be a path such as /webhooks'), '/webhooks', 'path to listen on'),
  windowMs: key(whole({ min: 1000, max: 3_600_000 }), 15_000, "how far a notification's time may be from now; others wait for a person"),
  secret: key(webhookSecret, null, 'secret of notifications, Base64; none: service.apiSecret', {
    env: 'KAIROS_WEBHOOKS_SECRET',
    secret: true,
  }),
  secretPrevious: key(webhookSecret, null, 'the previous secret, accepted as well', {
    env: 'KAIROS_WEBHOOKS_SECRET_PREVIOUS',
    secret: true,
  }),
};

/** Settings of backtests alone. */
const BACKTEST_KEYS = {
  latency: key(
    or('measured', range(0, 60_000)),
    'measured',
    'milliseconds until an order or answer arrives: a number, [shortest, longest], or measured',
  ),
  slippagePct: key(number({ min: 0, max: 50 }), 0.05, 'cost a side of each doubling beyond the largest recorded size, in percent'),
  onHalt: key(choice(['end', 'continue']), 'end', 'when trading halts: end, or continue without orders'),
  limits: key(
    choice(['auto', 'live', 'risk', 'off']),
    'auto',
    'limits in backtests: live, risk (all but pace) or off; auto: live, in sweeps risk',
  ),
  atEnd: key(choice(['keep', 'close']), 'keep', 'open positions when the data ends: keep or close them'),
  deposits: key(optional(path), null, 'CSV file of deposits and withdrawals: time,currency,amount'),
};

const MAX_SECRET = 512;

/** Sweeps on many machines: what the coordinator and its workers have in common, and where it gives out what they lack. */
const QUEUE_KEYS = {
  password: key(optional(text(/^[\x21-\x7e]{1,512}$/, `be 1 to ${MAX_SECRET} printable characters`)), null, 'password of the queue', {
    env: 'KAIROS_QUEUE_PASSWORD',
    secret: true,
  }),
  key: key(
    optional(text(/^[\x21-\x7e]{32,512}$/, `be 32 to ${MAX_SECRET} printable characters`)),
    null,
    'signs jobs and results, the same on all machines; who has it runs code on each',
    { env: 'KAIROS_QUEUE_KEY', secret: true },
  ),
  host: key(text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'), '127.0.0.1', 'address of a coordinator, which workers reach'),
  port: key(whole({ min: 0, max: 65_535 }), 0, 'port of the same; 0: a free one'),
  url: key(
    optional(text(/^https?:\/\/[A-Za-z0-9.:[\]-]{1,253}(\/[A-Za-z0-9._~/-]{0,200})?$/, 'be an address such as http://10.0.0.5:7480')),
    null,
    'what workers call it by (http://queue.host:port)',
  ),
  cache: key(path, 'var/queue-cache', "folder of a worker's quotes and strategies"),
  lockMs: key(whole({ min: 500, max: 600_000 }), 30_000, "milliseconds until a lost worker's job goes to another"),
};

/** Every setting there is. The order is that of `config print`. */
export const KEYS = {
  mode: key(
    optional(choice(MODE_NAMES)),
    null,
    'paper, dry or live; live also needs --live, or KAIROS_LIVE=yes (paper at a Kairos venue, else dry)',
  ),
  service: serviceKeys({ userId: '1205', apiKey: BROKER_KEY, apiSecret: BROKER_SECRET, ...LOGIN }),
  account: {
    currency: key(currencyCode, 'usd', 'currency of plain numbers in limits, and of valuation'),
    rates: key(rates, [], 'lanes for their price alone, which lead to account.currency'),
    opening: key(optional(byCurrency), null, 'what the account holds before the first run; required live', {
      onPaper: OPENING_BALANCES,
      inDry: OPENING_BALANCES,
    }),
    allowShort: key(listOf(productName, 1000), [], 'products that may go short'),
    financing: FINANCING_KEYS,
  },
  strategies: key(strategies, [], 'what trades'),
  risk: LIMITS,
  trading: {
    ...ARMING_KEYS,
    ...USE_KEYS,
    warmUpMaxGap: key(or('off', duration), '10m', 'recorded quotes warm up signals after no longer a gap; or off'),
    sendMarginMs: key(whole({ min: 0, max: 600_000 }), 100, 'an order leaves at least this long before its quote expires'),
    seed: key(text(/^[\x20-\x7e]{1,100}$/, 'be 1 to 100 plain characters'), 'kairos', "seed of the strategies' random numbers"),
  },
  clock: {
    source: key(choice(['date', 'system']), 'date', "source of the service's time: date (its answers), or system (NTP)", {
      onPaper: 'system',
    }),
  },
  lanes: {
    max: key(whole({ min: 1, max: 10_000 }), 1000, 'most connections to the quotes feed'),
    reserve: key(
      whole({ min: 0, max: 100 }),
      2,
      'spare connections for temporary lanes, such as of an exact position; 0 needs lanes.max: 1',
    ),
    waitMs: key(whole({ min: 100, max: 60_000 }), 1500, 'how long such a lane may take until its first quote'),
    staleAfter: key(byProduct(duration, { eurusd: '30s' }), {}, 'how long a lane may be silent, by product, else 2s'),
    opensPerSecond: key(number({ above: 0, max: 1000 }), 10, 'first connections a second', { onPaper: 100 }),
  },
  schedule: key(schedule, [], 'what is done at set times'),
  recording: {
    enabled: key(flag, true, 'keep the inbox of each run'),
    dir: key(path, 'var/recordings', 'folder of recordings'),
    keepDays: key(whole({ min: 0, max: 36_500 }), 90, 'days of quotes that are kept; 0: for ever'),
  },
  journal: {
    path: key(path, 'var/kairos.db', 'file of the decision journal'),
    backup: BACKUP_KEYS,
    rotate: ROTATE_KEYS,
  },
  halt: {
    escalate: key(choice(['none', 'pauseAll']), 'none', "pauseAll: a halt also pauses the service's own strategies"),
  },
  ops: {
    host: key(
      text(/^(127(\.\d{1,3}){3}|::1|localhost)$/, 'be an address of this machine alone, 127.0.0.1, ::1 or localhost'),
      '127.0.0.1',
      'address of the control server; from elsewhere use a tunnel',
    ),
    port: key(optional(whole({ min: 1, max: 65_535 })), null, 'port of the control server; none: 8080 or the next free one'),
    token: key(
      optional(text(/^[\x21-\x7e]{16,512}$/, 'be 16 to 512 printable characters')),
      null,
      'token for POSTs; none: one is made, in ops-token beside the journal',
      {
        env: 'KAIROS_OPS_TOKEN',
        secret: true,
      },
    ),
    tokens: key(optional(namedTokens), null, 'further tokens, a line each: NAME ROLE TOKEN; roles: read, operate (all but to arm), arm', {
      secret: true,
    }),
  },
  webhooks: WEBHOOK_KEYS,
  signals: SIGNAL_KEYS,
  alerts: ALERT_KEYS,
  backtest: BACKTEST_KEYS,
  queue: QUEUE_KEYS,
  log: {
    level: key(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info', 'least important lines that are logged'),
    pretty: key(or('auto', flag), 'auto', 'readable lines instead of JSON; auto: on a terminal'),
  },
  venue: VENUE_KEYS,
};
