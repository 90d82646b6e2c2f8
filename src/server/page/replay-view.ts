import type { ClosedProfit, DecisionView, LatchView } from './past-view.ts';
import type { OpenOrderView, StateView } from './view.ts';

/** What a replay can be moved to: the next or the last row of that kind. */
export const REPLAY_STEPS = ['decision', 'order', 'refusal', 'alarm'] as const;

export type ReplayStep = (typeof REPLAY_STEPS)[number];

/**
 * `GET /api/replay?run=RUN&at=T` or `&seq=N`, and with `&to=decision|order|refusal|alarm&back=true|false` the next or last such row from there:
 * a run as its journal had it at a moment. Sizes and prices are decimal text, times ISO 8601 UTC.
 */
export interface ReplayView {
  readonly run: string;
  readonly mode: string;
  readonly version: string;
  /** When the run began, and its last row. */
  readonly from: string;
  readonly to: string;
  /** Why prices and equity are missing; null where they were recorded. */
  readonly unrecorded: string | null;
  readonly products: readonly string[];
  /** Something that the move came to, such as that there is no such row; '' for nothing. */
  readonly note: string;
  /** The last row up to the moment; null before the first. */
  readonly row: DecisionView | null;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly trading: StateView['trading'];
  readonly latches: readonly LatchView[];
  readonly strategies: readonly ReplayStrategy[];
  /** What `manual` and strategies that were not configured held. */
  readonly otherBooks: readonly { readonly id: string; readonly product: string; readonly position: string }[];
  /** Orders that were on their way, or of unknown outcome. */
  readonly orders: readonly Pick<OpenOrderView, 'order' | 'strategy' | 'product' | 'side' | 'state' | 'size' | 'price' | 'since'>[];
  /** What round trips had made: of the run so far, and of that day (UTC) of all runs. */
  readonly closed: readonly ClosedProfit[];
  readonly closedToday: readonly ClosedProfit[];
  /** The newest rows up to the moment, newest first. */
  readonly feed: readonly DecisionView[];
}

/** A configured strategy at that moment. */
export interface ReplayStrategy {
  readonly id: string;
  readonly product: string;
  /** What was latched for it; RUNNING where nothing was. */
  readonly state: 'RUNNING' | 'DISABLED' | 'HALTED' | 'DISARMED' | 'PAUSED' | 'REDUCING';
  readonly position: string;
  /** Entry price of the open lots; null when flat. */
  readonly entry: string | null;
  readonly closed: readonly ClosedProfit[];
  /** What it had decided last; null for nothing among the rows before. */
  readonly last: DecisionView | null;
}

/** `GET /api/replay/marks?run=RUN`: orders and alarms of a run along its time, thinned. Milliseconds since 1970. */
export interface ReplayMarks {
  readonly marks: readonly { readonly at: number; readonly kind: 'order' | 'alarm' }[];
}
