import type { Settings } from '#config/settings.ts';
import type { EngineOptions } from '#core/engine/engine-options.ts';
import { limitsOf } from '#core/risk/limits.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import { decimalsByCurrency } from '#domain/decimal.ts';
import { freshnessFrom } from '#domain/freshness.ts';
import { productCode } from '#domain/names.ts';
import { DEFAULT_BUDGET, type LoadedStrategy, lanesOf } from './assemble.ts';

/** The part of an engine's options that follows from the configuration, live and in a replay. */
type EngineRules = Pick<
  EngineOptions,
  | 'strategies'
  | 'lanes'
  | 'limits'
  | 'arming'
  | 'feeIn'
  | 'canShort'
  | 'defaultBudget'
  | 'accountCurrency'
  | 'opening'
  | 'isOpeningWhole'
  | 'financing'
  | 'freshnessOf'
  | 'cronNext'
  | 'schedule'
  | 'escalateHalt'
>;

/** The rules of an engine, from the settings and the loaded strategies. */
export function engineRules(settings: Settings, strategies: readonly LoadedStrategy[]): EngineRules {
  const { account, halt, lanes, risk, service } = settings;
  return {
    strategies: strategies.map(({ strategy }) => strategy),
    lanes: lanesOf(settings),
    limits: limitsOf(risk),
    arming: settings.trading.arming,
    feeIn: service.feeIn,
    canShort: new Set(account.allowShort.map(productCode)),
    defaultBudget: DEFAULT_BUDGET,
    accountCurrency: account.currency,
    opening: account.opening && decimalsByCurrency(account.opening),
    isOpeningWhole: account.isOpeningGiven,
    // A run of an earlier version has no such setting.
    financing: account.financing ?? null,
    freshnessOf: freshnessFrom(lanes.staleAfterMs),
    cronNext: nextTime,
    schedule: settings.schedule,
    escalateHalt: halt.escalate === 'pauseAll',
  };
}
