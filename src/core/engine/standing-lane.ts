import type { LaneState } from '#core/market/lane-state.ts';
import type { MonitoredLane } from '#core/risk/risk-monitor.ts';
import type { Audience } from '#core/strategy/host.ts';
import type { WatchedLane } from './exit-watch.ts';

/** Each part's state of a standing lane, looked up once and not at each quote. */
export interface StandingLane {
  readonly state: LaneState | undefined;
  readonly monitored: MonitoredLane;
  /** Positions that exits watch here. */
  readonly watched: readonly WatchedLane[];
  readonly audience: Audience;
}
