import type { RecoveryState } from '#adapters/journal/recovery.ts';
import type { WarmUpFeed } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import type { OwnOutcomes, PastOutcome } from '../replay/backtest-broker.ts';
import type { RecordedCondition } from './recorded-events.ts';

/** What a journaled run adds to a session. */
export interface PastRun {
  /** Its start and end, for timers of strategies; undefined for those of the played quotes. */
  readonly startedAt: Millis | undefined;
  readonly endedAt: Millis | undefined;
  /** Its recorded conditions; undefined for normal ones. */
  readonly conditions: readonly RecordedCondition[] | undefined;
  /** Past quotes that warmed up its signals. */
  readonly warmUps: readonly WarmUpFeed[];
  /** The state of earlier runs that it continued; undefined for the first run of a journal. */
  readonly recovered: RecoveryState | undefined;
  /** Rejections and lost orders to draw from. */
  readonly outcomes: readonly PastOutcome[];
  /** Its own rejections and lost orders, which the same orders come to again. */
  readonly own: OwnOutcomes;
}

/** What there is of a backtest that no journaled run stands behind. */
export const NO_PAST_RUN: PastRun = {
  startedAt: undefined,
  endedAt: undefined,
  conditions: undefined,
  warmUps: [],
  recovered: undefined,
  outcomes: [],
  own: new Map(),
};
