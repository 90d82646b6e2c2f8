import { type Decimal, decimalsByCurrency } from '#domain/decimal.ts';
import { LIMITS, type RiskSettings } from '#domain/limits.ts';
import { isKey, type Key } from '#domain/settings/key.ts';
import { isGroup } from '#domain/settings/kind.ts';

/** A limit on value by currency, or off (null). Amounts in a currency without a limit of its own count towards one that has. */
export type ValueCap = ReadonlyMap<string, Decimal> | null;

type Tree = typeof LIMITS;
type Cap<Declared> =
  Declared extends Key<infer T> ? ([T] extends [number] ? number : [T] extends [number | 'off'] ? number | null : ValueCap) : never;

/** What one group of settings gives, each name with the group's before it. */
type Inside<Group extends string & keyof Tree> = {
  readonly [Name in keyof Tree[Group] & string as `${Group}${Capitalize<Name>}`]: Cap<Tree[Group][Name]>;
};

/**
 * The limits that are declared in `domain/limits.ts`, as checks read them: null is `off`, and `risk.reducing.collarPct` is
 * `reducingCollarPct`. Percentages are in percent, times in milliseconds.
 */
export type Limits = {
  readonly [Name in keyof Tree as Tree[Name] extends Key<unknown> ? Name : never]: Cap<Tree[Name]>;
} & Inside<'reducing'> & {
    /** `funded`: within a strategy's budget and the account's balance; `unlimited` only in backtests that ask for it. */
    readonly spending: 'funded' | 'unlimited';
  };

type NamesOf<Kind> = { [Name in keyof Limits & keyof Tree]: Limits[Name] extends Kind ? Name : never }[keyof Limits & keyof Tree];
/** Limits whose settings are numbers. */
export type CountLimit = NamesOf<number | null>;
/** Limits whose settings are values by currency. */
export type ValueLimitName = NamesOf<ValueCap>;

/** Limits on value that every opening is held against. */
export const OPENING_VALUE_LIMITS = Object.entries(LIMITS).flatMap(([name, node]) =>
  isKey(node) && node.ofOpenings ? [name as ValueLimitName] : [],
);

const SETTINGS: readonly { readonly name: string; readonly path: readonly string[]; readonly key: Key<unknown> }[] = Object.entries(
  LIMITS,
).flatMap(([name, node]) => {
  if (isKey(node)) return [{ name, path: [name], key: node }];
  return Object.entries(node).map(([inner, key]) => ({
    name: `${name}${inner[0]?.toUpperCase()}${inner.slice(1)}`,
    path: [name, inner],
    key,
  }));
});

/** No limit at all, budgets included. What a product, a quote or a service makes necessary stays. */
export const UNLIMITED = limits('unlimited', ({ key }) => (key.kind.read('off', () => {}) === undefined ? 0 : null));

/** Limits without those on how often orders come. */
export const withoutPace = (all: Limits): Limits => ({
  ...all,
  ...Object.fromEntries(SETTINGS.flatMap(({ name, key }) => ('ofPace' in key && key.ofPace === true ? [[name, null]] : []))),
});

/** The limits of a configuration as the checks read them. */
export function limitsOf(risk: RiskSettings): Limits {
  return limits('funded', ({ path }) => {
    const value = path.reduce<unknown>((group, name) => (isGroup(group) ? group[name] : undefined), risk);
    // A run of an earlier version has no such setting.
    if (value === 'off' || value === undefined) return null;
    return isGroup(value) && isGroup(value.byCurrency) ? decimalsByCurrency(value.byCurrency) : value;
  });
}

function limits(spending: Limits['spending'], capOf: (setting: (typeof SETTINGS)[number]) => unknown): Limits {
  const caps: unknown = Object.fromEntries([...SETTINGS.map((setting) => [setting.name, capOf(setting)]), ['spending', spending]]);
  // Its names and kinds are those of LIMITS, from which the type is made.
  return caps as Limits;
}

/**
 * The figures of `risk.maxDayLoss` towards which a loss counts whose currency has none: that of the account's currency alone where there is
 * one. Which of them it is must not change with the rates that there are at the moment.
 */
export function figuresForOthers(maxDayLoss: ValueCap, account: string): ValueCap {
  const own = maxDayLoss?.get(account);
  return own === undefined ? maxDayLoss : new Map([[account, own]]);
}
