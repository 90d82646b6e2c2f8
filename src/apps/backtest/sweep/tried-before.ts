import { codeHash } from '#apps/assembly/package.ts';
import type { BacktestRun } from '#apps/backtest/backtest.ts';
import { settingOf } from '#apps/backtest/replay/trial.ts';
import { KeptTrials } from '#apps/backtest/replay/trial-log.ts';
import type { BacktestSession } from '#apps/backtest/session.ts';
import { canonicalJson, hashOf } from '#config/canonical.ts';
import type { LoadedConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import { type Headline, note } from '#report/headline.ts';
import type { Tried } from '#report/report.ts';
import { judgedAmong, triedBeside } from './search-verdict.ts';
import { decisiveIn, jobOf, onlyStrategies, trialLogPath } from './sweep-config.ts';
import { resultOf } from './sweep-trial.ts';

/** A count with the sentence that names where it comes from. */
export interface TriedBefore {
  readonly tried: Tried;
  readonly headline: Headline;
}

/**
 * What sweeps and walk-forwards tried on the quotes and strategy modules of a backtest, and the backtest itself, which counts as one more unless its setting
 * is among them. Undefined where nothing was tried. `latencyMs`: the one that it was played with, where that is not the configured one. Throws USAGE where
 * the log cannot be read.
 */
export function triedBefore(
  session: BacktestSession,
  run: BacktestRun,
  { config: whole, latencyMs }: { readonly config: LoadedConfig; readonly latencyMs: number | undefined },
): TriedBefore | undefined {
  const log = KeptTrials.read(trialLogPath(whole.settings, session.shared.hash));
  if (log === undefined || log.settings === 0) return undefined;
  const enabled = whole.settings.strategies.filter((one) => one.enabled).map(({ id }) => id);
  const strategies = session.strategies.filter(({ strategy }) => enabled.includes(strategy.id));
  const { shared } = session;
  const job = jobOf({
    config: withLatency(onlyStrategies(whole, enabled), latencyMs),
    // A latency that is named asks for none that was measured.
    decisive: decisiveIn({ strategies, shared: latencyMs === undefined ? shared : { ...shared, measured: [] } }, codeHash()),
    params: {},
    from: session.from,
    to: Number.isFinite(session.to) ? session.to : null,
  });
  const own = resultOf(job, session, run);
  const isNew = log.all.every((one) => settingOf(one) !== settingOf(job));
  const count = log.settings + (isNew ? 1 : 0);
  const { learned } = log;
  const trials = [...log.all.filter(({ id }) => id !== job.id), own];
  const judged = judgedAmong(own, { trials, count, learned, seed: `${log.last?.seed ?? '1'} sweep` });
  const among = isNew ? ', and this is one more' : ', this among them';
  return {
    tried: triedBeside(own, judged, { trials, learned }),
    headline: note(`${log.settings} ${log.settings === 1 ? 'setting was' : 'settings were'} tried on these quotes${among}: ${log.file}`),
  };
}

/** A configuration with a fixed latency, as `kairos sweep --latency` sets it. */
function withLatency(config: LoadedConfig, latencyMs: number | undefined): LoadedConfig {
  if (latencyMs === undefined) return config;
  const { backtest, ...settings } = recordedSettings('backtest', config.json);
  const json = canonicalJson({ ...settings, backtest: { ...backtest, latency: latencyMs } });
  return { ...config, json, hash: hashOf(json) };
}
