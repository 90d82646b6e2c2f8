import type { ActionDetail } from '#domain/decision.ts';
import type { NotificationState } from '#domain/notification.ts';
import type { FillText } from '#domain/order.ts';

/** `GET /api/past`, and the event `past`: what the journal tells of the run so far. */
export interface PastView {
  readonly run: string;
  /** The last decision that it is made of. */
  readonly seq: number;
  /** The last entry of the ledger that round trips are made of. */
  readonly booked: number;
  /** False while rows of the run are being read: last decisions, counts and costs of strategies are then of a part of it. */
  readonly whole: boolean;
  /** The latches with who, when and why; `strategy` null means all strategies. */
  readonly latches: readonly LatchView[];
  readonly strategies: readonly StrategyPastView[];
  /** What all round trips come to, by currency, as of the same look as `closedToday`. */
  readonly closed: readonly TradeSumView[];
  readonly roundTrips: readonly RoundTripView[];
  /** The newest first. */
  readonly notifications: readonly NotificationView[];
  readonly schedule: readonly ScheduleLineView[];
  /** Requests to the service's own strategies, by schedule or person, newest first. */
  readonly remote: readonly RemoteActionView[];
}

/** Something that is latched: a halt, a pause, a disabled strategy; who did it, since when and why. */
export interface LatchView {
  readonly kind: 'halted' | 'reducing' | 'disarmed' | 'paused' | 'disabled';
  readonly strategy: string | null;
  readonly since: string;
  readonly who: string;
  readonly why: string;
  /** The reason code, and what it means. */
  readonly reason: string | null;
  readonly meaning: string | null;
}

/** A strategy in this run. */
export interface StrategyPastView {
  readonly id: string;
  readonly last: DecisionView | null;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: number;
  /** What fills cost, by quote currency, above 0 where they cost something: fees; half the quoted spread; fill price against the quote's. */
  readonly costs: readonly { readonly currency: string; readonly fee: number; readonly spread: number; readonly slippage: number }[];
  /** What its round trips made that ended today (UTC), and how many those are, of all runs, by quote currency. */
  readonly closedToday: readonly ClosedTodayView[];
}

/** `course`: what they had made by their closes one after the other, thinned, of four digits: for a line the size of a word. */
interface ClosedTodayView extends ClosedProfit {
  readonly trades: number;
  readonly course: readonly number[];
}

/** What round trips come to in a currency; profit net of fees. */
export interface TradeSumView extends ClosedProfit {
  readonly trades: number;
  readonly won: number;
  readonly fees: number;
}

/** The last answer of an order on a lane. */
export interface RoundTripView {
  readonly lane: string;
  readonly at: string;
  readonly ms: number;
}

/** A notification of the service as the journal has it. */
export interface NotificationView {
  readonly id: string;
  readonly receivedAt: string;
  readonly type: string;
  readonly transferId: string | null;
  /** `late` waits for a person: `POST /api/accept`. */
  readonly status: NotificationState;
  readonly words: string;
}

/** A line of the schedule with its next time and what became of its last one. */
export interface ScheduleLineView {
  readonly name: string;
  readonly action: string;
  readonly cron: string;
  readonly timezone: string;
  readonly next: string | null;
  readonly last: { readonly dueAt: string; readonly askedAt: string; readonly status: string } | null;
  /** True where the last time that fell due was missed. */
  readonly missed: boolean;
}

/** Something that was asked of the service's own strategies. */
export interface RemoteActionView {
  readonly actionId: string;
  readonly name: string;
  readonly action: string;
  readonly arguments: string;
  readonly askedAt: string;
  /** `asked`: taken, no effect shown; `confirmed`: read back; `unverified`, `unknown`, `failed`, `skipped`. */
  readonly status: ActionDetail['status'];
  readonly response: string;
}

/** One row of the decision journal in plain words; the event `decision`, whose id is `seq`. */
export interface DecisionView {
  readonly seq: number;
  readonly run: string;
  readonly at: string;
  readonly kind: string;
  readonly strategy: string | null;
  readonly product: string | null;
  /** The reason code, and what it means. */
  readonly reason: string | null;
  readonly meaning: string | null;
  readonly order: string | null;
  readonly words: string;
  /** What was executed; null in rows that are no execution. */
  readonly fill: FillText | null;
  /** What the order made by what it closed, fees taken off; null where it closed nothing, or was not executed. */
  readonly closed: ClosedProfit | null;
}

/** What closing made, net of the fees of entry and exit. */
export interface ClosedProfit {
  readonly profit: number;
  readonly currency: string;
}
