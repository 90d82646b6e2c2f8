import { codeHash } from '#assembly/package.ts';
import type { DecidingConfig } from '#config/load.ts';
import { note } from '#report/headline.ts';
import type { BacktestRun } from '#research/backtest/backtest.ts';
import { onlyStrategies } from '#research/backtest/chosen-strategies.ts';
import type { PriorTrials } from '#research/backtest/played-in.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { settingOf } from '#research/replay/trial.ts';
import { judgedAmong, triedBeside } from './search-verdict.ts';
import { decisiveIn, jobOf } from './sweep-config.ts';
import { resultOf } from './sweep-trial.ts';
import { logsOf, settingsTried } from './tried-settings.ts';

/**
 * What sweeps and walk-forwards tried with the strategies of a backtest on its days, and the backtest itself, which counts as one more unless its
 * setting is among them. A strategy whose product has no quotes in the recording decides nothing. Undefined where nothing was tried.
 * Throws USAGE where a log cannot be read.
 */
export function triedBefore(session: BacktestSession, run: BacktestRun, whole: DecidingConfig): PriorTrials | undefined {
  const products = new Set<string>(session.lanes.map(({ lane }) => lane.product));
  const played = whole.settings.strategies.filter(({ enabled, product }) => enabled && products.has(product)).map(({ id }) => id);
  const config = onlyStrategies(whole, played);
  const strategies = session.strategies.filter(({ strategy }) => played.includes(strategy.id));
  const job = jobOf({
    config,
    decisive: decisiveIn({ strategies, shared: session.shared }, codeHash()),
    params: {},
    from: session.from,
    to: Number.isFinite(session.to) ? session.to : null,
  });
  const logs = logsOf(config.settings, session.shared);
  if (logs.every(({ trials }) => trials.length === 0)) return undefined;
  const own = resultOf(job, session, run);
  const { trials: before, count: tried, learned, last, files, headlines } = settingsTried(config.settings, own, session.shared, logs);
  if (tried === 0) return undefined;
  const isNew = before.every((one) => settingOf(one) !== settingOf(job));
  const trials = [...before.filter(({ id }) => id !== job.id), own];
  const judged = judgedAmong(own, { trials, count: tried + (isNew ? 1 : 0), learned, seed: `${last?.seed ?? '1'} sweep` });
  const among = isNew ? ', and this is one more' : ', this among them';
  return {
    tried: triedBeside(own, judged, { trials, learned }),
    headline: note(
      `${tried} ${tried === 1 ? 'setting was' : 'settings were'} tried on these days${among}: ${[files.join(', '), ...headlines.map(({ text }) => text)].join('; ')}`,
    ),
  };
}
