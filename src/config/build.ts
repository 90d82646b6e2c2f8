import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '#domain/decimal.ts';
import { LIMITS, type RiskSettings, type ValueLimit } from '#domain/limits.ts';
import { isKey, type Key } from '#domain/settings/key.ts';
import { alertsOf } from './alert-settings.ts';
import type { StrategyEntry } from './entries.ts';
import { type Locate, valuesOf } from './group-values.ts';
import { KEYS } from './keys.ts';
import type { ResolvedSettings } from './resolved.ts';
import type { Settings, StrategySettings } from './settings.ts';

/** The settings in the shape for the rest of Kairos: as `KEYS` declares them, except for those converted here. */
export function buildSettings(resolved: ResolvedSettings, locate: Locate): Settings {
  const { service, account, trading, lanes, journal, alerts, venue, ...rest } = valuesOf(KEYS, resolved, locate);
  const { warmUpMaxGap, arm, rearmAfter, crashHalt, maxStrategyMs, maxMemoryMb, ...ofTrading } = trading;
  const { staleAfter: staleAfterMs, ...ofLanes } = lanes;
  const { every, ...backup } = journal.backup;
  const { at, ...rotate } = journal.rotate;
  return {
    ...rest,
    service: { ...service, paths: branded(service.paths, service.brand) },
    account: {
      ...account,
      isOpeningGiven: resolved.isGiven('account.opening'),
      rates: account.rates.map((rate, index) => ({
        ...rate,
        origin: `${resolved.origin('account.rates', [index])}: account.rates[${index}]`,
      })),
      financing: account.financing.rates.length === 0 ? null : account.financing,
    },
    strategies: instancesOf(resolved),
    risk: riskOf(resolved),
    trading: {
      ...ofTrading,
      arming: { arm, rearmAfterMs: orNull(rearmAfter, 'never'), crashHalt: orNull(crashHalt, 'off') },
      warmUpMaxGapMs: orNull(warmUpMaxGap, 'off'),
      maxStrategyMs: orNull(maxStrategyMs, 'off'),
      maxMemoryMb: orNull(maxMemoryMb, 'off'),
    },
    lanes: { ...ofLanes, staleAfterMs },
    journal: { ...journal, backup: { ...backup, everyMs: orNull(every, 'never') }, rotate: { ...rotate, at: orNull(at, 'never') } },
    alerts: alertsOf(alerts),
    venue: { ...venue, brand: service.brand },
  };
}

const orNull = <T, const Word extends string>(value: T | Word, word: Word): Exclude<T, Word> | null =>
  value === word ? null : (value as Exclude<T, Word>);

const branded = <Paths extends Readonly<Record<string, string>>>(paths: Paths, brand: string): Paths =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path.replaceAll('{brand}', brand)])) as Paths;

function riskOf({ get }: ResolvedSettings): RiskSettings {
  const currency = get(KEYS.account.currency);
  const position = limitOf(get(LIMITS.maxPositionValue), currency);
  const settingOf = (key: Key<LimitValue>): number | ValueLimit => builtLimit(get(key), currency, position);
  const entries = Object.entries(LIMITS).map(([name, node]) => [
    name,
    isKey(node) ? settingOf(node) : Object.fromEntries(Object.entries(node).map(([inner, key]) => [inner, settingOf(key)])),
  ]);
  const risk: unknown = Object.fromEntries(entries);
  // LIMITS gives both the names and the type.
  return risk as RiskSettings;
}

/** A limit as read: a number, decimal text in `account.currency` or by currency, or a word. */
export type LimitValue = number | string | Readonly<Record<string, string>>;

/** A limit as the rest of Kairos has it: a plain value is in `currency`, and `auto` a multiple of the position limit. */
function builtLimit(value: LimitValue, currency: string, position: ValueLimit): number | ValueLimit {
  if (value === 'auto') return timesOf(position, EXIT_TIMES);
  return typeof value === 'number' ? value : limitOf(value, currency);
}

/** The limits with another value of one of them, as it is read. The exit limit goes on following the position limit where it did. */
export function withLimit(
  risk: RiskSettings,
  { path, value, currency }: { readonly path: readonly string[]; readonly value: LimitValue; readonly currency: string },
): RiskSettings {
  const [outer = '', inner] = path;
  const built = builtLimit(value, currency, risk.maxPositionValue);
  const next: RiskSettings =
    inner === undefined ? { ...risk, [outer]: built } : { ...risk, reducing: { ...risk.reducing, [inner]: built } };
  const followed = isDeepStrictEqual(risk.maxExitValue, timesOf(risk.maxPositionValue, EXIT_TIMES));
  return outer === 'maxPositionValue' && followed ? { ...next, maxExitValue: timesOf(next.maxPositionValue, EXIT_TIMES) } : next;
}

/** One instance for each strategy and product. */
function instancesOf(resolved: ResolvedSettings): readonly StrategySettings[] {
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

/** The id of an instance. Several products make an instance each, named after the product. */
export function instanceId({ id, products }: StrategyEntry, product: string): string {
  return products.length > 1 ? `${id}-${product}` : id;
}

/** A limit on value in the shape for the rest of Kairos; a plain number is in `currency`. */
export function limitOf(limit: string | Readonly<Record<string, string>>, currency: string): ValueLimit {
  if (limit === 'off') return 'off';
  return { byCurrency: typeof limit === 'string' ? { [currency]: limit } : limit };
}

/** Maximum value of an exit without a person's confirmation, in multiples of the position limit. */
const EXIT_TIMES = 3;

function timesOf(limit: ValueLimit, times: number): ValueLimit {
  if (limit === 'off') return 'off';
  const entries = Object.entries(limit.byCurrency).map(([name, text]) => [name, new Decimal(text).times(times).toString()]);
  return { byCurrency: Object.fromEntries(entries) };
}
