import { KairosError, messageOf } from '../../domain/errors.ts';
import { amountOf } from '../../domain/lane.ts';
import { frozen } from './build.ts';
import { isGroup } from './kind.ts';
import type { Settings } from './settings.ts';

/**
 * The settings that a run had, from the JSON that its row keeps: amounts are decimals again, secrets stay replaced by a
 * mark. Throws JOURNAL_BROKEN, naming the run, when the text is no configuration of this Kairos.
 */
export function recordedSettings(run: string, json: string): Settings {
  try {
    const value: unknown = JSON.parse(json);
    if (!isGroup(value) || !Array.isArray(value.strategies)) throw new RangeError('it has no strategies');
    const settings: unknown = { ...value, strategies: value.strategies.map(strategyOf) };
    return frozen(settings as Settings);
  } catch (error) {
    throw new KairosError('JOURNAL_BROKEN', `run ${run}: its configuration cannot be read (${messageOf(error)})`);
  }
}

function strategyOf(entry: unknown): unknown {
  if (!isGroup(entry) || !isGroup(entry.amount)) throw new RangeError('a strategy without amount');
  const amount = 'base' in entry.amount ? { base: String(entry.amount.base) } : { quote: String(entry.amount.quote) };
  return { ...entry, amount: amountOf(amount), origin: 'its recording' };
}
