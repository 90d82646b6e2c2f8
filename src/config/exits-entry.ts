import type { ExitRules } from '#core/execution/exits.ts';
import { flag, number, optional, type SettingKind } from '#domain/settings/kind.ts';
import { record, withDefault } from './record.ts';

const percent = optional(number({ above: 0, max: 1000 }));

/** The rules by name. */
export const EXITS = {
  takeProfitPct: withDefault(percent, null, 'gain in percent of the average entry at which the position is closed'),
  stopLossPct: withDefault(percent, null, 'loss in percent of the average entry at which the position is closed'),
  trailingPct: withDefault(percent, null, 'percent that the price may come back from its best'),
  activateAtPct: withDefault(percent, null, 'gain in percent from which trailingPct counts; without it from the start'),
  maxHoldSeconds: withDefault(optional(number({ above: 0, max: 1e9 })), null, 'seconds after which the position is closed'),
  net: withDefault(flag, false, 'gains count after fees'),
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
