import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { meetingOf } from '#adapters/service-client/dialect/dialect.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { boundStrategy } from '#assembly/assemble.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import type { PlannedStrategy, SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { OPENING, PRODUCTS, quotedIn } from '#lab/simulator/service/products.ts';
import { BASE_URL, LOGIN, SIGNALS_SECRET, USER } from '#lab/simulator/service/scene.ts';
import { TRADERS } from '#lab/simulator/strategies/traders.ts';
import type { Disk } from './disk.ts';

/** The limits of every plan that does not draw its own. */
const LIMITS = { maxOrderValue: 2_000, maxPositionValue: 8_000, maxOrdersPerMinute: 30 } as const;

/** The configuration of a plan's daemon. `more` are settings that override its own, as after a change. */
export function configurationOf(plan: SimulationPlan, disk: Disk, more: readonly string[]): LoadedConfig {
  const { set } = meetingOf(plan.dialect);
  const staleAfter = Object.fromEntries(PRODUCTS.map(({ code }) => [code, `${Math.max(2_000, plan.cadenceMs * 3)}ms`]));
  const own: Readonly<Record<string, unknown>> = {
    'service.baseUrl': BASE_URL,
    'service.userId': USER.id,
    'journal.path': path.relative(disk.home, disk.journal),
    'recording.dir': path.relative(disk.home, disk.recordings),
    'account.opening': OPENING,
    'lanes.staleAfter': staleAfter,
    'risk.maxOrderValue': inEach(plan, LIMITS.maxOrderValue),
    'risk.maxPositionValue': inEach(plan, LIMITS.maxPositionValue),
    mode: 'live',
    'risk.maxDayValue': 'off',
    'risk.maxDayLoss': 'off',
    'risk.maxDrawdownPct': 'off',
    'risk.maxLossStreak': 'off',
    'risk.maxLossStreakOfAll': 'off',
    'risk.maxOrdersPerMinute': LIMITS.maxOrdersPerMinute,
    'webhooks.enabled': true,
    ...(plan.strategies.some(({ use }) => use === 'follower') && { 'signals.sources': [{ name: 'model' }] }),
    ...(plan.remote && { 'service.username': LOGIN.username }),
    schedule: plan.schedule.map(({ at: _at, everyMs: _every, ...line }) => line),
    'journal.backup.dir': path.relative(disk.home, disk.backups),
    'journal.backup.every': 'never',
    strategies: plan.strategies.map(({ budget = 50_000, ...one }) => {
      const { exits, hours, ...rest } = one;
      const own = { ...(exits && { exits }), ...(hours && { windows: hours.windows }) };
      return { ...rest, budget: Object.fromEntries(currenciesOf([one]).map((name) => [name, budget])), ...own };
    }),
  };
  const given = Object.entries(own).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const met = Object.entries(set).map(([key, value]) => `${key}=${value}`);
  const loaded = loadConfig({
    files: [],
    set: [...given, ...met, ...plan.settings, ...more],
    env: {
      KAIROS_API_KEY: USER.apiKey,
      KAIROS_API_SECRET: USER.secret,
      KAIROS_SIGNALS_SECRET: SIGNALS_SECRET,
      ...(plan.remote && { KAIROS_PASSWORD: LOGIN.password }),
    },
    cwd: disk.home,
    live: true,
  });
  // Relative to the history's folder: messages and journal are the same wherever that is.
  const { journal, recording } = loaded.settings;
  const backup = { ...journal.backup, dir: path.relative(disk.home, disk.backups) };
  const settings = {
    ...loaded.settings,
    journal: { ...journal, path: path.relative(disk.home, disk.journal), backup },
    recording: { ...recording, dir: path.relative(disk.home, disk.recordings) },
  };
  return { ...loaded, settings };
}

/** A limit on value, of each currency in which the plan trades: of dollars alone a number says it. */
function inEach({ strategies }: SimulationPlan, limit: number): number | Readonly<Record<string, number>> {
  const all = currenciesOf(strategies);
  return all.every((one) => one === 'usd') ? limit : Object.fromEntries(['usd', ...all].map((one) => [one, limit]));
}

/** Currencies in which strategies are quoted. */
export function currenciesOf(strategies: readonly Pick<PlannedStrategy, 'product' | 'inputs'>[]): readonly string[] {
  const products = strategies.flatMap(({ product, inputs = {} }) => [product, ...Object.values(inputs).map((one) => one.product)]);
  return [...new Set(products.map(quotedIn))];
}

/** What a strategy throws is journaled with lines of its own file alone, so that a history is the same in every folder. */
const ORIGIN = {
  files: new Map([[fileURLToPath(new URL('../strategies/traders.ts', import.meta.url)), 'traders.ts']]),
  signals: 'traders.ts',
  decide: 'traders.ts',
};

/** The strategies of a configuration, from those loaded in this thread; `code` is their release. */
export function strategiesOf(settings: Settings, shipped: ReadonlyMap<string, MarkedStrategy>, code: number): readonly LoadedStrategy[] {
  return settings.strategies.map((entry) => {
    const definition = TRADERS[entry.use] ?? shipped.get(entry.use);
    if (!definition) throw new Error(`the simulator has no strategy ${entry.use}`);
    return { strategy: boundStrategy(entry, { definition, origin: ORIGIN }, settings.trading.seed), sourceHash: `simulated ${code}` };
  });
}
