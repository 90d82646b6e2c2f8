import { serviceKeys } from '#adapters/service/rest/settings.ts';
import { LIMITS } from '#domain/limits.ts';
import { byCurrency, byProduct, currencyCode, productName } from '#domain/settings/groups.ts';
import { key } from '#domain/settings/key.ts';
import { choice, flag, listOf, number, optional, or, path, text, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';
import { BROKER_KEY, BROKER_SECRET, LOGIN, OPENING_BALANCES } from '#venue/defaults.ts';
import { VENUE_KEYS } from '#venue/settings.ts';
import { ALERT_KEYS } from './alert-keys.ts';
import { BACKTEST_KEYS } from './backtest-keys.ts';
import { BACKUP_KEYS, ROTATE_KEYS } from './backup-keys.ts';
import { strategies } from './entries.ts';
import { FINANCING_KEYS } from './financing-keys.ts';
import { schedule } from './schedule-entry.ts';
import { ARMING_KEYS, USE_KEYS } from './trading-keys.ts';
import { WEBHOOK_KEYS } from './webhook-keys.ts';

/** Every setting there is. The order is that of `config print`. */
export const KEYS = {
  service: serviceKeys({ userId: '1205', apiKey: BROKER_KEY, apiSecret: BROKER_SECRET, ...LOGIN }),
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
    allowShort: key(listOf(productName, 1000), [], 'products that may go short'),
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
  venue: VENUE_KEYS,
};
