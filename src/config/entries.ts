import type { ExitRules } from '#core/execution/exits.ts';
import type { Windows } from '#core/schedule/windows.ts';
import { type Amount, amountOf } from '#domain/lane.ts';
import { byCurrency, productName } from '#domain/settings/groups.ts';
import { either, flag, isGroup, listOf, mapOf, optional, positiveDecimal, type SettingKind, text } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { exits } from './exits-entry.ts';
import { readField, record, required, withDefault } from './record.ts';
import { windows } from './windows-entry.ts';

/** The binding of a further input of a strategy: a lane with an amount, or a display input without one. */
interface InputEntry {
  readonly product: string;
  readonly amount: Amount | null;
}

/** A strategy as written, before it is split into one instance for each product. */
export interface StrategyEntry {
  readonly id: string;
  readonly use: string;
  readonly products: readonly string[];
  readonly amount: Amount;
  readonly params: Readonly<Record<string, unknown>>;
  readonly budget: Readonly<Record<string, string>> | null;
  readonly inputs: Readonly<Record<string, InputEntry>>;
  readonly exits: ExitRules | null;
  readonly windows: Windows | null;
  readonly enabled: boolean;
}

/** Names of books that are not a strategy's. No strategy may have them as its id. */
const RESERVED_IDS: readonly string[] = ['manual', 'treasury'];
const STRATEGY_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The id of a strategy. */
export const strategyName: SettingKind<string> = {
  schema: { type: 'string', pattern: STRATEGY_ID.source, not: { enum: RESERVED_IDS } },
  read(value, report) {
    if (typeof value === 'string' && isStrategyId(value)) return value;
    const word = typeof value === 'string' && RESERVED_IDS.includes(value) ? 'is taken by Kairos itself' : 'is no id';
    report([], `must be 1 to 64 small letters, digits or dashes, not starting with a dash; ${shown(value)} ${word}`);
    return undefined;
  },
};

/** True if a text may be the id of a strategy. */
export function isStrategyId(id: string): boolean {
  return STRATEGY_ID.test(id) && !RESERVED_IDS.includes(id);
}

const products = either(Array.isArray, filledList(productName), {
  schema: productName.schema,
  read: (value, report) => {
    const one = productName.read(value, report);
    return one === undefined ? undefined : [one];
  },
});

/** Exactly one of `base` and `quote`, since a subscription has exactly one (spec 2.7). */
export const amount: SettingKind<Amount> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: { base: positiveDecimal.schema, quote: positiveDecimal.schema },
  },
  read(value, report) {
    if (!isGroup(value)) {
      report([], `must be {base: N} or {quote: N}, not ${shown(value)}`);
      return undefined;
    }
    const names = Object.keys(value);
    const foreign = names.filter((name) => name !== 'base' && name !== 'quote');
    for (const name of foreign) report([name], 'unknown setting; an amount is {base: N} or {quote: N}', 'CONFIG_UNKNOWN_KEY');
    if (foreign.length > 0) return undefined;
    const [name] = names;
    if (names.length !== 1 || name === undefined) {
      report([], `must have one of base and quote, ${names.length === 0 ? 'and has neither' : 'not both'}`);
      return undefined;
    }
    const size = positiveDecimal.read(value[name], (at, wrong, code) => report([name, ...at], wrong, code));
    if (size === undefined) return undefined;
    return amountOf(name === 'base' ? { base: size } : { quote: size });
  },
};

/** A parameter's plain value. The strategy itself checks its parameters. */
const paramValue: SettingKind<string | number | boolean> = {
  schema: { type: ['string', 'number', 'boolean'] },
  read(value, report) {
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
    if (typeof value === 'string' && value.length <= 1000 && value.isWellFormed()) return value;
    report([], `must be a number, text, true or false, not ${shown(value)}`);
    return undefined;
  },
};

const PARAM_NAME = { grammar: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, must: 'be a name of letters, digits and underscores' };

const INPUT = {
  product: required(productName, 'a product code'),
  amount: withDefault(optional(amount), null, 'for a lane: {base: N} units, or {quote: N} of quote currency'),
};

const ETHER = { product: 'ethusd', amount: { base: 0.1 } };

const input: SettingKind<InputEntry> = record(INPUT, ETHER, (take) => ({ product: take(INPUT.product), amount: take(INPUT.amount) }));

const STRATEGY = {
  id: required(strategyName, 'a name of your choice, of its book'),
  use: required(
    text(/^[^\0\r\n]{1,500}$/, 'name a strategy module or a path to one'),
    "a strategy module's name, or a path from this file's folder",
  ),
  product: required(products, 'a product code; a list makes one instance each, ID-PRODUCT'),
  amount: required(amount, 'what one order trades: {base: N} units, or {quote: N} of quote currency'),
  params: withDefault(mapOf(paramValue, PARAM_NAME, { fast: 5, slow: 20 }), {}, "the strategy's own parameters"),
  budget: withDefault(
    optional(byCurrency),
    null,
    'opening capital by currency, and what it may spend; live: required; paper: 10000 of the quote currency',
  ),
  inputs: withDefault(mapOf(input, PARAM_NAME, { other: ETHER }), {}, "what the strategy's further inputs are bound to, by name"),
  exits: withDefault(optional(exits), null, 'when positions are closed without the strategy'),
  windows: withDefault(optional(windows), null, 'when positions may be opened; at all times without it'),
  enabled: withDefault(flag, true, 'false keeps the entry without running it'),
};

/** The setting `strategies`. */
export const strategies: SettingKind<readonly StrategyEntry[]> = listOf(
  record(STRATEGY, { id: 'cross-btc', use: 'sma-cross', product: 'btcusd', amount: { base: 0.01 } }, (take) => ({
    id: take(STRATEGY.id),
    use: take(STRATEGY.use),
    products: take(STRATEGY.product),
    amount: take(STRATEGY.amount),
    params: take(STRATEGY.params),
    budget: take(STRATEGY.budget),
    inputs: take(STRATEGY.inputs),
    exits: take(STRATEGY.exits),
    windows: take(STRATEGY.windows),
    enabled: take(STRATEGY.enabled),
  })),
  1000,
);

/** What can be read of an entry that is none: undefined for what is missing or at fault. */
export type EntryInPart = {
  readonly [Name in 'id' | 'use' | 'products' | 'amount' | 'params' | 'inputs']: StrategyEntry[Name] | undefined;
};

/** Reads of an entry what can be read, so that its other faults can be told. */
export function entryInPart(value: unknown): EntryInPart {
  const { id, use, product, amount, params, inputs } = STRATEGY;
  return {
    id: readField(value, 'id', id),
    use: readField(value, 'use', use),
    products: readField(value, 'product', product),
    amount: readField(value, 'amount', amount),
    params: readField(value, 'params', params),
    inputs: readField(value, 'inputs', inputs),
  };
}

/** A list of at least one, without repeats. */
function filledList(kind: SettingKind<string>): SettingKind<readonly string[]> {
  const list = listOf(kind, 1000);
  return {
    schema: { ...list.schema, minItems: 1, uniqueItems: true },
    read(value, report) {
      const items = list.read(value, report);
      if (items === undefined) return undefined;
      if (items.length > 0 && new Set(items).size === items.length) return items;
      report([], items.length === 0 ? 'must name at least one product' : 'names a product twice');
      return undefined;
    },
  };
}
