import type { ExitRules } from '#core/execution/exits.ts';
import { flag, number, optional, type SettingKind } from '#domain/settings/kind.ts';
import { record, withDefault } from './record.ts';

const percent = optional(number({ above: 0, max: 1000 }));

/** The rules by name. */
export const EXITS = {
  takeProfitPct: withDefault(percent, null, 'gain in percent of the average entry at which positions are closed'),
  stopLossPct: withDefault(percent, null, 'the same of a loss; below 100 without account.allowShort'),
  trailingPct: withDefault(percent, null, 'percent that prices may come back from the best since the entry; below 100 as well'),
  activateAtPct: withDefault(percent, null, 'gain in percent from which trailingPct counts'),
  maxHoldSeconds: withDefault(optional(number({ above: 0, max: 1e9 })), null, 'seconds after which positions are closed'),
  net: withDefault(flag, false, 'gains and losses count after fees'),
};

const rules: SettingKind<ExitRules> = record(EXITS, { stopLossPct: 2 }, (take) => ({
  takeProfitPct: take(EXITS.takeProfitPct),
  stopLossPct: take(EXITS.stopLossPct),
  trailingPct: take(EXITS.trailingPct),
  activateAtPct: take(EXITS.activateAtPct),
  maxHoldSeconds: take(EXITS.maxHoldSeconds),
  net: take(EXITS.net),
}));

/** `exits` of a strategy: at least one rule, and none that has no effect. */
export const exits: SettingKind<ExitRules> = {
  schema: { ...rules.schema, minProperties: 1 },
  read(value, report) {
    const read = rules.read(value, report);
    if (read === undefined) return undefined;
    const { takeProfitPct, stopLossPct, trailingPct, activateAtPct, maxHoldSeconds } = read;
    if (activateAtPct !== null && trailingPct === null) {
      report(['activateAtPct'], 'has no effect without trailingPct');
      return undefined;
    }
    if (takeProfitPct !== null || stopLossPct !== null || trailingPct !== null || maxHoldSeconds !== null) return read;
    report([], 'must have one of takeProfitPct, stopLossPct, trailingPct and maxHoldSeconds');
    return undefined;
  },
};
