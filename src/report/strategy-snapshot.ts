import type { ClosingAtWork } from '#domain/closing-wait.ts';
import type { LaneChange } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { StrategyCall } from '#domain/strategy-call.ts';
import type { JournaledState, StrategyState } from '#domain/strategy-state.ts';
import type { WantedLeg } from '#domain/waiting-text.ts';

/** One lane at an instant. */
export interface LaneSnapshot {
  readonly lane: LaneId;
  /** Where its connection stands, since when and why; `new` if none was tried. While it is down, since it was lost or first tried. */
  readonly phase: 'new' | LaneChange['phase'];
  readonly since: Millis | undefined;
  readonly why: string;
  readonly quote: Quote | undefined;
  readonly quoteAt: Millis | undefined;
  /** Time after a quote from which no order uses the lane, in milliseconds. */
  readonly staleMs: Millis;
  /** Quotes since the run began, and in the minute before the instant. */
  readonly quotes: number;
  readonly lastMinute: number;
}

/** A strategy at an instant. */
export interface StrategySnapshot {
  readonly lane: LaneSnapshot;
  /** What it could do, and what ended that. */
  readonly state: StrategyState;
  /** Values that it has named, as they stood at the instant, which may be later than when it was asked. */
  readonly observed: Readonly<Record<string, unknown>>;
  /** Undefined when its signals never led to a decision. */
  readonly asked: StrategyCall | undefined;
  /** How often it was asked. */
  readonly times: number;
  /** What of it is being closed, and what that waits for. */
  readonly closings: readonly ClosingAtWork[];
  /** What it wants and has not got yet, exits not among it. */
  readonly wanted: readonly WantedLeg[];
  /** When a timer of its signals fires next; undefined where they have none. */
  readonly nextTimer: Millis | undefined;
  /** False when its source is another one now, so that what is said here may differ from what was. */
  readonly sameSource: boolean;
}

/** What a backtest keeps of a strategy beside its decisions. */
export interface StrategyActivity {
  /** How often `decide` was called, and when first; null where it never was. */
  readonly asked: number;
  readonly firstAskedAt: Millis | null;
  /** What it had to see before it was asked, such as `60 quotes`; null where that is nothing. */
  readonly warmUp: string | null;
  /** What it could do at the end; with its words of then in what earlier versions kept. */
  readonly atEnd: JournaledState;
}
