import { wantedBy } from '#assembly/assemble.ts';
import type { DecidingConfig } from '#config/load.ts';
import { isoTime, type Millis, productCode } from '#domain/names.ts';
import { RESTART_MS } from '#domain/utc-day.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { BacktestData } from './data.ts';
import { backtestFreshness } from './imports.ts';
import type { PlayedLane } from './played-lanes.ts';

interface PlayedSession {
  readonly config: DecidingConfig;
  readonly data: Pick<BacktestData, 'imports'>;
  readonly lanes: readonly PlayedLane[];
  readonly from: Millis;
}

/** Inputs of strategies that have quotes in a part of what is played alone: outside of it nothing is opened on their last price. */
export function inputHeadlines({ config, data, lanes, from }: PlayedSession, to: Millis): readonly Headline[] {
  const { strategies, lanes: rules } = config.settings;
  const freshnessOf = backtestFreshness(data.imports, rules.staleAfterMs);
  const inputs = strategies.filter(({ enabled }) => enabled).flatMap(wantedBy);
  return inputs.flatMap(({ strategy: { id }, product, where, amount }): Headline[] => {
    const columns = lanes.filter(({ lane }) => lane.product === product).flatMap((one) => one.columns);
    if (where === '' || amount === null || columns.length === 0) return [];
    const first = Math.min(...columns.map(({ at, barMs = 0 }) => (at[0] ?? from) - barMs));
    const last = Math.max(...columns.map(({ at, length }) => at[length - 1] ?? to));
    const silentMs = Math.max(RESTART_MS, freshnessOf(productCode(product)).staleMs);
    if (last >= to - silentMs && first <= from + silentMs) return [];
    const when = `${isoTime(Math.max(from, first))} to ${isoTime(Math.min(to, last))}`;
    const text = `${product}, an input of strategy ${id}, has quotes only from ${when}: outside of it nothing is opened on its last price`;
    return [headline('PARTLY_QUOTED', text, { strategy: id, at: Math.min(to, last) })];
  });
}
