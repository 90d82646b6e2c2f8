import type { Settings } from '#config/settings.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { EngineStrategy } from '#core/engine/engine-options.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';
import type { StrategySnapshot } from '#report/strategy-snapshot.ts';
import type { LoadedStrategy } from './assemble.ts';
import { engineRules } from './engine-rules.ts';
import { LaneTracker } from './lane-tracker.ts';

/** What strategies see of a run that goes on, or that is played again: its engine notes what they were asked (`notesAsks`). */
export class StrategyTracker {
  readonly lanes: LaneTracker;

  constructor(settings: Settings, strategies: readonly LoadedStrategy[]) {
    const { freshnessOf, lanes } = engineRules(settings, strategies);
    const staleAfter = new Map(lanes.map(({ id, product }) => [id, freshnessOf(product).staleMs]));
    this.lanes = new LaneTracker(staleAfter.keys(), (lane) => staleAfter.get(lane) ?? USUAL_FRESHNESS.staleMs);
  }

  /** `sameSource`: whether the source that answers here is the one that the run had. */
  of({ id, lane }: EngineStrategy, at: { readonly engine: Engine; readonly now: Millis; readonly sameSource: boolean }): StrategySnapshot {
    const { engine, now, sameSource } = at;
    return engine.inspect(({ states, host, market, parentOrders }) => {
      const runner = host.runners.byId.get(id);
      const { phase = 'new', since, why = '' } = market.lane(lane) ?? {};
      return {
        lane: { ...this.lanes.of(lane, now), phase, since, why },
        state: states.of(id, now),
        observed: host.observed(id),
        asked: runner?.lastAsk?.read(),
        times: runner?.counts.asked ?? 0,
        closings: parentOrders.closings(id),
        wanted: parentOrders.wanted(id),
        nextTimer: runner?.nextTimer(now),
        sameSource,
      };
    });
  }
}
