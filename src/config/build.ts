import nodePath from 'node:path';
import { Decimal } from '#domain/decimal.ts';
import type { FinancingRules } from '#domain/financing.ts';
import { alertsOf } from './alert-settings.ts';
import type { StrategyEntry } from './entries.ts';
import { KEYS } from './keys.ts';
import { isGroup } from './kind.ts';
import type { Resolved } from './resolved.ts';
import type {
  BackupSettings,
  RiskSettings,
  RotateSettings,
  ServiceSettings,
  Settings,
  StrategySettings,
  ValueLimit,
  VenueSettings,
} from './settings.ts';

/** Turns a path as it was given into the one that is opened. */
export type Locate = (given: string) => string;

/** Paths are taken from the folder in which Kairos was started, wherever the file of settings lies. */
export function from(cwd: string): Locate {
  return (given) => (given === ':memory:' ? given : nodePath.resolve(cwd, given));
}

/** Leaves paths as they were given, so that a configuration has one hash wherever it runs. */
export const asGiven: Locate = (given) => given;

/** The settings in the shape that the rest of Kairos reads. */
export function buildSettings(resolved: Resolved, locate: Locate): Settings {
  const { get } = resolved;
  const { account, lanes, recording, journal, ops, log, webhooks, backtest } = KEYS;
  const currency = get(account.currency);
  return {
    service: serviceOf(resolved, locate),
    account: { currency, opening: get(account.opening), allowShort: get(account.allowShort), financing: financingOf(resolved) },
    strategies: instancesOf(resolved),
    risk: riskOf(resolved),
    trading: tradingOf(resolved),
    lanes: {
      max: get(lanes.max),
      opensPerSecond: get(lanes.opensPerSecond),
      reserve: get(lanes.reserve),
      waitMs: get(lanes.waitMs),
      staleAfterMs: get(lanes.staleAfter),
    },
    schedule: get(KEYS.schedule),
    recording: { enabled: get(recording.enabled), dir: locate(get(recording.dir)), keepDays: get(recording.keepDays) },
    journal: { path: locate(get(journal.path)), backup: backupOf(resolved, locate), rotate: rotateOf(resolved) },
    halt: { escalate: get(KEYS.halt.escalate) },
    ops: { host: get(ops.host), port: get(ops.port), token: get(ops.token) },
    webhooks: {
      enabled: get(webhooks.enabled),
      host: get(webhooks.host),
      port: get(webhooks.port),
      path: get(webhooks.path),
      windowMs: get(webhooks.windowMs),
      secret: get(webhooks.secret),
      secretPrevious: get(webhooks.secretPrevious),
    },
    alerts: alertsOf(resolved),
    backtest: {
      latency: get(backtest.latency),
      slippagePct: get(backtest.slippagePct),
      onHalt: get(backtest.onHalt),
      limits: get(backtest.limits),
      atEnd: get(backtest.atEnd),
      deposits: locatedOrNull(get(backtest.deposits), locate),
    },
    log: { level: get(log.level), pretty: get(log.pretty) },
    venue: venueOf(resolved, locate),
    clock: { source: get(KEYS.clock.source) },
  };
}

function backupOf({ get }: Resolved, locate: Locate): BackupSettings {
  const { dir, every, keep } = KEYS.journal.backup;
  const everyMs = get(every);
  return { dir: locatedOrNull(get(dir), locate), everyMs: everyMs === 'never' ? null : everyMs, keep: get(keep) };
}

function rotateOf({ get }: Resolved): RotateSettings {
  const { decisions, monthly } = KEYS.journal.rotate;
  return { decisions: get(decisions), monthly: get(monthly) };
}

const locatedOrNull = (given: string | null, locate: Locate): string | null => (given === null ? null : locate(given));

function riskOf({ get }: Resolved): RiskSettings {
  const { risk } = KEYS;
  const currency = get(KEYS.account.currency);
  return {
    maxOrderValue: limitOf(get(risk.maxOrderValue), currency),
    maxPositionValue: limitOf(get(risk.maxPositionValue), currency),
    maxExitValue: exitLimitOf(get(risk.maxExitValue), limitOf(get(risk.maxPositionValue), currency), currency),
    maxStrategyValue: limitOf(get(risk.maxStrategyValue), currency),
    maxTotalValue: limitOf(get(risk.maxTotalValue), currency),
    maxDayValue: limitOf(get(risk.maxDayValue), currency),
    maxDayLoss: limitOf(get(risk.maxDayLoss), currency),
    maxDrawdownPct: get(risk.maxDrawdownPct),
    maxOrdersPerMinute: get(risk.maxOrdersPerMinute),
    maxOrdersPerMinuteOfStrategy: get(risk.maxOrdersPerMinuteOfStrategy),
    maxOrdersPerMinuteOfProduct: get(risk.maxOrdersPerMinuteOfProduct),
    maxThrottledPerMinute: get(risk.maxThrottledPerMinute),
    maxSpreadPct: get(risk.maxSpreadPct),
    maxSlippagePct: get(risk.maxSlippagePct),
    maxFeePct: get(risk.maxFeePct),
    collarPct: get(risk.collarPct),
    reducing: { collarPct: get(risk.reducing.collarPct), orderSharePct: get(risk.reducing.orderSharePct) },
    minTimeLeftMs: get(risk.minTimeLeftMs),
    duplicateWindowMs: get(risk.duplicateWindowMs),
    maxUnknown: get(risk.maxUnknown),
    maxRejectionStreak: get(risk.maxRejectionStreak),
    maxLossStreak: get(risk.maxLossStreak),
    maxLossStreakOfAll: get(risk.maxLossStreakOfAll),
    lossCooldown: get(risk.lossCooldown),
  };
}

function tradingOf(resolved: Resolved): Settings['trading'] {
  const { warmUpMaxGap, sendMarginMs, seed, maxStrategyMs, maxMemoryMb } = KEYS.trading;
  const gap = resolved.get(warmUpMaxGap);
  return {
    arming: armingOf(resolved),
    warmUpMaxGapMs: gap === 'off' ? null : gap,
    sendMarginMs: resolved.get(sendMarginMs),
    seed: resolved.get(seed),
    maxStrategyMs: orNull(resolved.get(maxStrategyMs)),
    maxMemoryMb: orNull(resolved.get(maxMemoryMb)),
  };
}

const orNull = <T>(value: T | 'off'): T | null => (value === 'off' ? null : value);

function armingOf({ get }: Resolved): Settings['trading']['arming'] {
  const { arm, rearmAfter, crashHalt } = KEYS.trading;
  const after = get(rearmAfter);
  const halt = get(crashHalt);
  return { arm: get(arm), rearmAfterMs: after === 'never' ? null : after, crashHalt: halt === 'off' ? null : halt };
}

function serviceOf({ get }: Resolved, locate: Locate): ServiceSettings {
  const { service } = KEYS;
  const brand = get(service.brand);
  const branded = (path: string): string => path.replaceAll('{brand}', brand);
  return {
    baseUrl: get(service.baseUrl),
    brand,
    userId: get(service.userId),
    apiKey: get(service.apiKey),
    apiSecret: get(service.apiSecret),
    token: get(service.token),
    username: get(service.username),
    password: get(service.password),
    totpSecret: get(service.totpSecret),
    refreshTokenFile: locatedOrNull(get(service.refreshTokenFile), locate),
    listAuth: get(service.listAuth),
    apiVersion: get(service.apiVersion),
    paths: {
      quotes: branded(get(service.paths.quotes)),
      orders: branded(get(service.paths.orders)),
      balances: branded(get(service.paths.balances)),
      products: branded(get(service.paths.products)),
      accounts: branded(get(service.paths.accounts)),
      login: branded(get(service.paths.login)),
      strategies: branded(get(service.paths.strategies)),
    },
    sides: { buy: get(service.sides.buy), sell: get(service.sides.sell) },
    feeIn: get(service.feeIn),
    filledStatuses: get(service.filledStatuses),
    rejectedStatuses: get(service.rejectedStatuses),
    emptyAnswer: get(service.emptyAnswer),
    ignoredFields: get(service.ignoredFields),
    figureTolerancePct: get(service.figureTolerancePct),
    outcomes: get(service.outcomes),
    answerMs: get(service.answerMs),
    capabilities: get(service.capabilities),
  };
}

function financingOf({ get }: Resolved): FinancingRules | null {
  const { rates, time, timezone, triple } = KEYS.account.financing;
  return get(rates).length === 0 ? null : { time: get(time), timezone: get(timezone), triple: get(triple), rates: get(rates) };
}

function venueOf({ get }: Resolved, locate: Locate): VenueSettings {
  const { venue } = KEYS;
  const path = get(venue.prices.path);
  return {
    host: get(venue.host),
    port: get(venue.port),
    database: locate(get(venue.database)),
    brand: get(KEYS.service.brand),
    seed: get(venue.seed),
    prices: {
      source: get(venue.prices.source),
      path: locatedOrNull(path, locate),
      product: get(venue.prices.product),
      speed: get(venue.prices.speed),
      columns: {
        time: get(venue.prices.columns.time),
        bid: get(venue.prices.columns.bid),
        ask: get(venue.prices.columns.ask),
      },
    },
    quotesPerSecond: get(venue.quotesPerSecond),
    validityMs: get(venue.validityMs),
    feePercentage: get(venue.feePercentage),
    answerDelayMs: get(venue.answerDelayMs),
    strategyStepMs: get(venue.strategyStepMs),
    signIn: {
      totpSecret: get(venue.signIn.totpSecret),
      tokenSeconds: get(venue.signIn.tokenSeconds),
      refreshTokenSeconds: get(venue.signIn.refreshTokenSeconds),
    },
    webhooks: {
      url: get(venue.webhooks.url),
      otherUrl: get(venue.webhooks.otherUrl),
      timeoutMs: get(venue.webhooks.timeoutMs),
      freshTimestamp: get(venue.webhooks.freshTimestamp),
    },
    capabilities: get(venue.capabilities),
    dialect: get(venue.dialect),
    faults: get(venue.faults),
  };
}

/** One instance for each strategy and product. */
function instancesOf(resolved: Resolved): readonly StrategySettings[] {
  return resolved.get(KEYS.strategies).flatMap((entry, index) =>
    entry.products.map((product) => ({
      id: instanceId(entry, product),
      use: entry.use,
      product,
      amount: entry.amount,
      params: entry.params,
      budget: entry.budget,
      inputs: entry.inputs,
      exits: entry.exits,
      windows: entry.windows,
      enabled: entry.enabled,
      origin: resolved.origin('strategies', [index]),
    })),
  );
}

/** A list of several products makes one instance each, named after the product. */
export function instanceId({ id, products }: StrategyEntry, product: string): string {
  return products.length > 1 ? `${id}-${product}` : id;
}

export function limitOf(limit: string | Readonly<Record<string, string>>, currency: string): ValueLimit {
  if (limit === 'off') return 'off';
  return { byCurrency: typeof limit === 'string' ? { [currency]: limit } : limit };
}

/** How many times the position limit an exit may be worth before a person is asked. */
const EXIT_TIMES = 3;

function exitLimitOf(limit: string | Readonly<Record<string, string>>, position: ValueLimit, currency: string): ValueLimit {
  if (limit !== 'auto') return limitOf(limit, currency);
  if (position === 'off') return 'off';
  const times = Object.entries(position.byCurrency).map(([name, text]) => [name, new Decimal(text).times(EXIT_TIMES).toString()]);
  return { byCurrency: Object.fromEntries(times) };
}

/** Freezes groups and lists all the way down; decimals are immutable by themselves. */
export function frozen<T>(value: T): T {
  if (value instanceof Decimal) return value;
  if (Array.isArray(value)) value.forEach(frozen);
  else if (isGroup(value)) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
