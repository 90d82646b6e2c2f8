import { type LimitValue, withLimit } from '#config/build.ts';
import { amount } from '#config/entries.ts';
import { EXITS, exits } from '#config/exits-entry.ts';
import { KEYS } from '#config/keys.ts';
import { cron } from '#config/schedule-entry.ts';
import type { Settings, StrategySettings } from '#config/settings.ts';
import { windows } from '#config/windows-entry.ts';
import { invariant } from '#domain/errors.ts';
import { LIMITS } from '#domain/limits.ts';
import { byCurrency } from '#domain/settings/groups.ts';
import { isKey, type Key } from '#domain/settings/key.ts';
import type { SettingKind } from '#domain/settings/kind.ts';
import type { ParamValue, TrialParams } from '#research/replay/trial.ts';

/** A word for a setting that a trial is without, such as a stop loss. */
const NONE = 'none';

/** Settings with another value, or what is wrong with that value. */
type ChangeResult<Whole> = Whole | string;

/** What of a strategy's entry can be varied beside its parameters, and how a value is put there. */
const OF_STRATEGY: Readonly<
  Record<string, (entry: StrategySettings, inside: string, value: ParamValue) => ChangeResult<StrategySettings>>
> = {
  amount: (entry, unit, value) => changed(amount, { [unit]: value }, (read) => ({ ...entry, amount: read })),
  budget: (entry, currency, value) => changed(byCurrency, { ...entry.budget, [currency]: value }, (read) => ({ ...entry, budget: read })),
  exits: (entry, rule, value) => {
    const rules = { ...entry.exits, [rule]: value === NONE ? null : value };
    const isNone = Object.entries(rules).every(([name, one]) => name === 'net' || one === null);
    return isNone ? { ...entry, exits: null } : changed(exits, rules, (read) => ({ ...entry, exits: read }));
  },
  windows: (entry, what, value) => {
    const before = entry.windows ?? { timezone: 'UTC', open: [], closed: [] };
    if (value === NONE) return { ...entry, windows: { ...before, [what]: [] } };
    // A window to be valid with; a time zone alone is none.
    const given = what === 'timezone' ? { open: ['00:00-24:00'], timezone: value } : { [what]: [value] };
    return changed(windows, given, (read) => ({ ...entry, windows: { ...before, [what]: read[what as keyof typeof read] } }));
  },
};

const WINDOWS = ['open', 'closed', 'timezone'];

const BACKTEST = ['latency', 'slippagePct'] as const;

/** Where settings that trials can vary stand beside the strategies. */
export const SECTIONS: readonly string[] = ['risk', 'backtest', 'trading', 'schedule'];

/** Every setting that trials can vary beside the strategies' parameters, as `ID.exits.stopLossPct` or `risk.maxSpreadPct`. */
export function variable({ strategies, schedule }: Pick<Settings, 'strategies' | 'schedule'>): readonly string[] {
  const limits = Object.entries(LIMITS).flatMap(([name, node]) =>
    isKey(node) ? [`risk.${name}`] : Object.keys(node).map((inner) => `risk.${name}.${inner}`),
  );
  const ofStrategies = strategies.flatMap(({ id, budget: given }) => [
    ...['amount', 'amount.base', 'amount.quote'].map((name) => `${id}.${name}`),
    ...Object.keys(EXITS).map((name) => `${id}.exits.${name}`),
    ...WINDOWS.map((name) => `${id}.windows.${name}`),
    ...Object.keys(given ?? {}).map((name) => `${id}.budget.${name}`),
  ]);
  const others = [
    ...BACKTEST.map((name) => `backtest.${name}`),
    'trading.sendMarginMs',
    ...schedule.map(({ name }) => `schedule.${name}.cron`),
  ];
  return [...ofStrategies, ...limits, ...others];
}

/** The parameters among what a trial varies of a strategy: its settings have a dot in their names. */
export const paramsAmong = (values: TrialParams[string] = {}): TrialParams[string] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('.')));

/** True for a name that is no parameter: one with a dot, and one of a section that no strategy is named like. */
const isSetting = (group: string, name: string, ids: readonly string[]): boolean =>
  name.includes('.') || (SECTIONS.includes(group) && !ids.includes(group));

/** The settings that a trial varies beside parameters, as `cross.exits.stopLossPct`. */
export const settingsVaried = (params: TrialParams, ids: readonly string[]): readonly string[] =>
  Object.entries(params).flatMap(([group, values]) =>
    Object.keys(values).flatMap((name) => (isSetting(group, name, ids) ? `${group}.${name}` : [])),
  );

/** Settings with what a trial varies beside parameters, as if it stood in their file; or the first fault, in words. */
export function withSettings(settings: Settings, params: TrialParams): ChangeResult<Settings> {
  const ids = settings.strategies.map(({ id }) => id);
  if (settingsVaried(params, ids).length === 0) return settings;
  let whole = settings;
  for (const [group, values] of Object.entries(params)) {
    for (const [name, value] of Object.entries(values)) {
      const next = isSetting(group, name, ids) ? withSetting(whole, group, name, value) : whole;
      if (typeof next === 'string') return `${group}.${name} ${next}`;
      whole = next;
    }
  }
  return whole;
}

function withSetting(settings: Settings, group: string, name: string, value: ParamValue): ChangeResult<Settings> {
  const { strategies, risk, account, backtest, trading, schedule } = settings;
  const [what = '', ...inside] = name.split('.');
  const entry = strategies.find(({ id }) => id === group);
  if (entry) {
    const next = OF_STRATEGY[what]?.(entry, inside.join('.'), value);
    invariant(next !== undefined, `a strategy has no setting ${name} that can be varied`);
    return typeof next === 'string' ? next : { ...settings, strategies: strategies.map((one) => (one === entry ? next : one)) };
  }
  switch (group) {
    case 'risk':
      return changed<LimitValue, Settings>(limitNamed(name).kind, value, (read) => ({
        ...settings,
        risk: withLimit(risk, { path: name.split('.'), value: read, currency: account.currency }),
      }));
    case 'trading':
      return changed(KEYS.trading.sendMarginMs.kind, value, (sendMarginMs) => ({ ...settings, trading: { ...trading, sendMarginMs } }));
    case 'schedule':
      return changed(cron, value, (read) => ({
        ...settings,
        schedule: schedule.map((line) => (`${line.name}.cron` === name ? { ...line, cron: read } : line)),
      }));
    default: {
      const key = BACKTEST.find((one) => one === name);
      invariant(group === 'backtest' && key !== undefined, `there is no setting ${group}.${name} that can be varied`);
      return changed<unknown, Settings>(KEYS.backtest[key].kind, value, (read) => ({
        ...settings,
        backtest: { ...backtest, [key]: read },
      }));
    }
  }
}

function limitNamed(name: string): Key<LimitValue> {
  const [outer = '', inner] = name.split('.');
  const node = Object.entries(LIMITS).find(([one]) => one === outer)?.[1];
  const key = node === undefined || isKey(node) ? node : Object.entries(node).find(([one]) => one === inner)?.[1];
  invariant(key !== undefined, `there is no limit risk.${name}`);
  return key;
}

function changed<T, Whole>(kind: SettingKind<T>, value: unknown, put: (read: T) => Whole): ChangeResult<Whole> {
  const faults: string[] = [];
  const read = kind.read(value, (_at, wrong) => faults.push(wrong));
  return read === undefined ? (faults[0] ?? 'cannot be read') : put(read);
}
