import type { ActionDetail, BookedEntry } from './decision.ts';
import type { DrillResult } from './drill-result.ts';
import type { ExecutionReport } from './execution-report.ts';
import type { IndicativeQuote } from './indicative-quote.ts';
import type { LaneChange } from './lane.ts';
import type { Latch } from './latch.ts';
import type { ManualRequest, PastManualRequest } from './manual-request.ts';
import type { LaneId, Millis, RunId } from './names.ts';
import type { InboxNotification } from './notification.ts';
import type { FillText, OrderText } from './order.ts';
import type { OutsideSignal, PastSignal } from './outside-signal.ts';
import type { PastBooks } from './past-books.ts';
import type { PastRisk } from './past-risk.ts';
import type { Quote } from './quote.ts';
import type { Reason } from './reasons.ts';
import type { RemoteAsk } from './remote.ts';
import type { DueLine, PastLine } from './schedule.ts';
import type { PastWork, PositionPeak } from './work-text.ts';

/** A product's limits as decimal text: least size and steps in base currency, least value and price step in quote currency. */
export interface ProductText {
  readonly code: string;
  readonly minSize: string;
  readonly minNotionalValue: string;
  readonly sizeIncrement: string;
  readonly priceIncrement: string;
}

/** A fill of an earlier run. */
export interface PastFill {
  readonly orderId: string;
  readonly strategy: string;
  readonly product: string;
  readonly at: Millis;
  readonly fill: FillText;
}

/** What a book has in a currency, as decimal text. */
export interface BookAmount {
  readonly book: string;
  readonly currency: string;
  readonly amount: string;
}

/** An exit that was due in an earlier run. */
export interface PastExit {
  readonly strategy: string;
  readonly product: string;
  readonly at: Millis;
  readonly reason: Reason;
}

/** A value that strategies received in the past, and when: a quote of a lane, or a price for display. */
export type PastValue =
  | { readonly at: Millis; readonly quote: Quote }
  | { readonly at: Millis; readonly source: LaneId; readonly shown: IndicativeQuote };

/** The recorded values of one lane or display input with which signals are warmed up. */
export interface WarmUpRange {
  readonly lane: LaneId;
  /** Number of recorded quotes in the range. */
  readonly quotes: number;
  readonly from: Millis;
  readonly to: Millis;
  /** The longest gap between two of them, or between the last and the start. */
  readonly gapMs: Millis;
  /** SHA-256 of their lines in the recording. */
  readonly sha256: string;
}

/** What warms up signals at the start, without decisions: the values of all lanes in the order in which strategies received them. */
export interface WarmUpFeed {
  readonly ranges: readonly WarmUpRange[];
  readonly past: readonly PastValue[];
}

/** The largest size in which a product was quoted without a spread, in base currency, decimal text. */
export interface LearnedSize {
  readonly product: string;
  readonly at: Millis;
  readonly size: string;
  readonly currency: string;
  readonly lane: string;
}

/** An order of an earlier run whose outcome is not known. */
export interface PastUnknown {
  readonly order: OrderText;
  /** True if an earlier run already journaled it as unknown. */
  readonly journaled: boolean;
}

/** A strategy that the service's list of products no longer fits. */
export interface ProductMisfit {
  readonly strategy: string;
  readonly why: string;
}

/** Everything from before the first event on which the decisions of a run depend. */
export interface StartFacts {
  readonly run: RunId;
  readonly book: string;
  readonly mode: string;
  readonly version: string;
  /** The last of BEHAVIOURS; absent in runs of 0.1.0. */
  readonly behaviour?: number;
  readonly node: string;
  readonly configHash: string;
  /** Hash of Kairos's version and the sources of all strategies. */
  readonly build: string;
  /** The one place where this journal is; absent in backtests and in runs of 0.1.0. */
  readonly instance?: string;
  /** The resolved configuration without secrets, as JSON. */
  readonly config: string;
  /** Hash of each strategy module's source, by strategy id. */
  readonly strategySources: Readonly<Record<string, string>>;
  /** The books that result from the fills of earlier runs. */
  readonly books: PastBooks;
  readonly unknowns: readonly PastUnknown[];
  readonly latches: readonly Latch[];
  /** Opening balances that earlier runs booked. */
  readonly openings: readonly BookAmount[];
  /** The last exit of each strategy and product. */
  readonly exits: readonly PastExit[];
  /** Working plans, and the best prices of open positions. */
  readonly works: readonly PastWork[];
  readonly peaks: readonly PositionPeak[];
  /** Unfinished closings that people asked for. */
  readonly hands: readonly PastManualRequest[];
  /** Sizes that were quoted without a spread. */
  readonly learned: readonly LearnedSize[];
  /** The last state of each strategy, as JSON, by strategy id. */
  readonly states: Readonly<Record<string, string>>;
  readonly risk: PastRisk;
  /** How far each line of the schedule is done. */
  readonly schedule: readonly PastLine[];
  /** Actions other than creates whose last answer the previous run did not receive. */
  readonly unanswered: readonly ActionDetail[];
  /** Whether the service has answered to what passed the standing halt on; absent in runs that asked nothing of it at their start. */
  readonly haltPassedOn?: boolean;
  /** Until when the previous run booked financing; null or absent if it did not. */
  readonly financedUpTo?: Millis | null;
  /** True where that was a roll, whose date has no other; absent in older runs. */
  readonly financedByRoll?: boolean;
  /** Quote ids used last, newest last. */
  readonly usedQuotes: readonly string[];
  /** Creates of strategies at the service whose outcome is not known. */
  readonly creates: readonly ActionDetail[];
  /** The last signal of each source from outside; absent in runs of 0.1.0. */
  readonly signals?: readonly PastSignal[];
  /** The strategy whose code blocked the previous process until its watchdog ended it; it starts disabled. */
  readonly stalled?: { readonly strategy: string; readonly why: string };
  /** Strategies that the service's list of products fitted in an earlier run and does not now; they start disabled. Absent where there is none. */
  readonly misfits?: readonly ProductMisfit[];
}

/** An act of a person on the running daemon. `strategy` null means all of them. */
export type Command =
  | OperatorCommand
  | ManualRequest
  | { readonly act: 'remote'; readonly who: string; readonly why: string; readonly asked: RemoteAsk }
  /** `strategyId`: the strategy that a create of unknown outcome made; null: none. */
  | {
      readonly act: 'settle-create';
      readonly who: string;
      readonly why: string;
      readonly actionId: string;
      readonly strategyId: string | null;
    }
  /** The outcome of an unknown order; `fill` is null if it was rejected. */
  | { readonly act: 'resolve'; readonly who: string; readonly why: string; readonly order: string; readonly fill: FillText | null }
  | { readonly act: 'book'; readonly who: string; readonly why: string; readonly entries: readonly BookedEntry[] }
  /** A fault of a strategy that is seen outside the engine: an uncaught error, memory, time. */
  | { readonly act: 'disable'; readonly strategy: string; readonly reason: Reason; readonly who: string; readonly why: string }
  | { readonly act: 'drill'; readonly who: string; readonly why: string }
  | { readonly act: 'drilled'; readonly who: string; readonly why: string; readonly result: DrillResult }
  | { readonly act: 'stop'; readonly who: string; readonly why: string };

/** An act that stays latched in the journal. It can be done without a daemon. */
export type OperatorCommand =
  | { readonly act: 'pause' | 'resume'; readonly strategy: string | null; readonly who: string; readonly why: string }
  /** `reason`: the rule that did it, if no person did. */
  | {
      readonly act: 'enable';
      readonly strategy: string;
      readonly who: string;
      readonly why: string;
      readonly reason?: Extract<Reason, 'SOURCE_CHANGED'>;
    }
  | { readonly act: 'halt'; readonly who: string; readonly why: string }
  | {
      readonly act: 'arm';
      readonly who: string;
      readonly why: string;
      /** The configuration that is armed: its hash, and itself without secrets as JSON. */
      readonly configHash: string;
      readonly config: string;
      /** Hash of Kairos's version and the sources of all strategies; empty for the running daemon's own. */
      readonly build: string;
      /** A person's word that strategies may be the first who order at this service. */
      readonly unrehearsed?: true;
    };

/** How the service answered an action. */
export interface ActionAnswer {
  readonly actionId: string;
  readonly status: 'asked' | 'confirmed' | 'unverified' | 'unknown' | 'failed';
  readonly httpStatus: number | null;
  readonly response: string;
  /** Another answer follows once the effect was read back, or could not be. */
  readonly more?: boolean;
  /** The service's list should show the effect by now, and does not. */
  readonly notShown?: boolean;
}

/**
 * Everything that a decision can depend on. Events are numbered and handled one at a time, each to its end; the
 * decisions of a run are a function of this list alone.
 */
export type InboxEvent =
  | { readonly kind: 'start'; readonly facts: StartFacts }
  | { readonly kind: 'products'; readonly products: readonly ProductText[] }
  /** The quotes themselves: a replay needs no earlier recording. */
  | { readonly kind: 'warmup'; readonly feed: WarmUpFeed }
  | { readonly kind: 'lane'; readonly change: LaneChange }
  | { readonly kind: 'quote'; readonly quote: Quote }
  /** A price of a display input. */
  | { readonly kind: 'shown'; readonly source: LaneId; readonly shown: IndicativeQuote }
  /** A signal from outside, for the strategies that have its source as an input. */
  | { readonly kind: 'signal'; readonly source: LaneId; readonly signal: OutsideSignal }
  | { readonly kind: 'answer'; readonly orderId: string; readonly report: ExecutionReport }
  | { readonly kind: 'action'; readonly answer: ActionAnswer }
  | { readonly kind: 'notification'; readonly notified: InboxNotification }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'due'; readonly line: DueLine }
  | { readonly kind: 'wake' }
  /** The recording goes on after a hole: what strategies saw before it is no past of theirs. In backtests only. */
  | { readonly kind: 'hole' }
  /** The recorded data has ended; in backtests only. */
  | { readonly kind: 'end' }
  /**
   * The service's time less engine time, the half-width of its uncertainty, and the age of the last sample of the service's clock.
   * `machineOffsetMs`: the service's time less the wall clock of this machine; absent where there is none, and in earlier recordings.
   */
  | {
      readonly kind: 'clock';
      readonly offsetMs: number;
      readonly halfWidthMs: number;
      readonly ageMs: number;
      readonly machineOffsetMs?: number;
    }
  | { readonly kind: 'condition'; readonly name: Condition; readonly on: boolean; readonly figure: number };

/**
 * Conditions that are measured outside the engine: an unverified certificate, a missing token, wall and monotonic time
 * that disagree, an unknown service time, a late event loop.
 */
export const CONDITIONS = ['certificate', 'token', 'clock-step', 'clock', 'lag'] as const;

/** A condition of the environment, by name. */
export type Condition = (typeof CONDITIONS)[number];

/** An event with its number in the run and its engine time. */
export interface NumberedEvent {
  readonly n: number;
  readonly at: Millis;
  readonly event: InboxEvent;
}
