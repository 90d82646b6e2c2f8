import { KairosError, messageOf } from '#domain/errors.ts';
import { frozen } from '#domain/frozen.ts';
import { type Amount, amountOf } from '#domain/lane.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { Settings } from './settings.ts';

/**
 * Reads a run's settings from the JSON of its journal row, with amounts as decimals and a mark in place of secrets.
 * Throws JOURNAL_BROKEN, which names the run, if this Kairos cannot read the text.
 */
export function recordedSettings(run: string, json: string): Settings {
  try {
    const value: unknown = JSON.parse(json);
    if (!isGroup(value) || !Array.isArray(value.strategies)) throw new RangeError('it has no strategies');
    const settings: unknown = { ...value, strategies: value.strategies.map(strategyOf), account: accountOf(value.account) };
    return frozen(settings as Settings);
  } catch (error) {
    throw new KairosError('JOURNAL_BROKEN', `run ${run}: its configuration cannot be read (${messageOf(error)})`);
  }
}

function strategyOf(entry: unknown): unknown {
  if (!isGroup(entry) || !isGroup(entry.amount)) throw new RangeError('a strategy without amount');
  const inputs = Object.entries(isGroup(entry.inputs) ? entry.inputs : {}).map(([name, input]) => [name, inputOf(input)]);
  return { ...entry, amount: amountIn(entry.amount), inputs: Object.fromEntries(inputs), origin: 'its recording' };
}

/** A run of an earlier version has no `account.rates`, and no account without a balance in a currency lacked it. */
function accountOf(account: unknown): unknown {
  if (!isGroup(account)) return account;
  const rates: readonly unknown[] = Array.isArray(account.rates) ? account.rates : [];
  return { ...account, isOpeningGiven: account.isOpeningGiven === true, rates: rates.map(rateOf) };
}

function rateOf(rate: unknown, index: number): unknown {
  if (!isGroup(rate) || !isGroup(rate.amount)) throw new RangeError('a rate without amount');
  return { ...rate, amount: amountIn(rate.amount), origin: `its recording: account.rates[${index}]` };
}

function inputOf(input: unknown): unknown {
  return isGroup(input) && isGroup(input.amount) ? { ...input, amount: amountIn(input.amount) } : input;
}

function amountIn(amount: Readonly<Record<string, unknown>>): Amount {
  return amountOf('base' in amount ? { base: String(amount.base) } : { quote: String(amount.quote) });
}
