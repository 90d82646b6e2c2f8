import type { ActionDetail, BookedEntry } from './decision.ts';
import type { DrillResult } from './drill-result.ts';
import type { ExecutionReport } from './execution-report.ts';
import type { IndicativeQuote } from './indicative-quote.ts';
import type { LaneChange } from './lane.ts';
import type { ManualRequest, PastManualRequest } from './manual-request.ts';
import type { LaneId, Millis, RunId } from './names.ts';
import type { Notified } from './notification.ts';
import type { FillText, OrderText } from './order-text.ts';
import type { PastBooks } from './past-books.ts';
import type { PastRisk } from './past-risk.ts';
import type { Quote } from './quote.ts';
import type { Reason } from './reasons.ts';
import type { RemoteAsk } from './remote.ts';
import type { DueLine, PastLine } from './schedule.ts';
import type { PastPeak, PastWork } from './work-text.ts';

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

/** What strategies were given in the past, and when: a quote of a lane, or what an input brought that is only looked at. */
export type PastValue =
  | { readonly at: Millis; readonly quote: Quote }
  | { readonly at: Millis; readonly source: LaneId; readonly shown: IndicativeQuote };

/** What of one lane, or of one input that is only looked at, signals are fed with at the start. */
export interface WarmUpRange {
  readonly lane: LaneId;
  readonly quotes: number;
  readonly from: Millis;
  readonly to: Millis;
  /** The longest silence between two of them, or between the last and the start. */
  readonly gapMs: Millis;
  /** Of their lines as a recording has them. */
  readonly sha256: string;
}

/** What signals are fed with at the start, decisions apart: all lanes in the order in which strategies were given it. */
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
  /** True when an earlier run journaled it as unknown already. */
  readonly journaled: boolean;
}

/** What an earlier run left latched: a state of trading, paused or disabled strategies (`strategy` null: all of them). */
export interface Latch {
  readonly kind: 'halted' | 'reducing' | 'disarmed' | 'paused' | 'disabled';
  readonly strategy: string | null;
  readonly since: Millis;
  readonly who: string;
  readonly why: string;
  /** Absent in runs of earlier versions. */
  readonly reason?: Reason | null;
}

/** All that the decisions of a run depend on and that was there before its first event. */
export interface StartFacts {
  readonly run: RunId;
  readonly book: string;
  readonly mode: string;
  readonly version: string;
  readonly node: string;
  readonly configHash: string;
  /** Hash of Kairos's version and the sources of all strategies. */
  readonly build: string;
  /** The resolved configuration without secrets, as JSON. */
  readonly config: string;
  /** Hash of each strategy module's source, by strategy id. */
  readonly strategySources: Readonly<Record<string, string>>;
  /** What the fills of earlier runs come to; in runs of earlier versions `fills` has them one by one. */
  readonly books?: PastBooks;
  readonly fills?: readonly PastFill[];
  readonly unknowns: readonly PastUnknown[];
  readonly latches: readonly Latch[];
  /** Opening balances that earlier runs booked. */
  readonly openings: readonly BookAmount[];
  /** The last exit that was due, of each strategy and product. */
  readonly exits: readonly PastExit[];
  /** Plans at work, and the best prices of open positions. */
  readonly works: readonly PastWork[];
  readonly peaks: readonly PastPeak[];
  /** What people asked to close and what was not over; absent in runs of earlier versions. */
  readonly hands?: readonly PastManualRequest[];
  /** Sizes that were quoted without a spread. */
  readonly learned: readonly LearnedSize[];
  /** The state that each strategy kept last, as JSON, by strategy id. */
  readonly states: Readonly<Record<string, string>>;
  readonly risk: PastRisk;
  /** How far the lines of the schedule were dealt with; absent in runs of earlier versions. */
  readonly schedule?: readonly PastLine[];
  /** What was asked for, creates apart, and whose last answer the run before did not hear; absent in runs of earlier versions. */
  readonly unanswered?: readonly ActionDetail[];
  /** Until when the run before has booked financing; null or absent where it did not. */
  readonly financedUpTo?: Millis | null;
  /** Quote ids used last, newest last. */
  readonly usedQuotes: readonly string[];
  /** Creates of strategies at the service whose outcome is not known; absent in runs of earlier versions. */
  readonly creates?: readonly ActionDetail[];
  /** The strategy in whose code the process before stood still until its watchdog ended it; it starts disabled. */
  readonly stalled?: { readonly strategy: string; readonly why: string };
}

/** An act of a person on the running daemon. `strategy` null means all of them. */
export type Command =
  | OperatorCommand
  | ManualRequest
  | { readonly act: 'remote'; readonly who: string; readonly why: string; readonly asked: RemoteAsk }
  /** `strategyId`: what a create of unknown outcome has created; null: nothing. */
  | {
      readonly act: 'settle-create';
      readonly who: string;
      readonly why: string;
      readonly actionId: string;
      readonly strategyId: string | null;
    }
  /** What became of an order of unknown outcome; `fill` null where it was rejected. */
  | { readonly act: 'resolve'; readonly who: string; readonly why: string; readonly order: string; readonly fill: FillText | null }
  | { readonly act: 'book'; readonly who: string; readonly why: string; readonly entries: readonly BookedEntry[] }
  /** What was seen of a strategy from outside the engine: an error caught nowhere, memory, time. */
  | { readonly act: 'disable'; readonly strategy: string; readonly reason: Reason; readonly who: string; readonly why: string }
  | { readonly act: 'drill'; readonly who: string; readonly why: string }
  | { readonly act: 'drilled'; readonly who: string; readonly why: string; readonly result: DrillResult }
  | { readonly act: 'stop'; readonly who: string; readonly why: string };

/** An act that stays latched in the journal, so that it can be done without a daemon as well. */
export type OperatorCommand =
  | { readonly act: 'pause' | 'resume'; readonly strategy: string | null; readonly who: string; readonly why: string }
  /** `reason`: by which rule, where no person said so. */
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
      /** Hash of Kairos's version and the sources of all strategies; empty for that of the daemon that is asked. */
      readonly build: string;
    };

/** How the service answered an action. */
export interface ActionAnswer {
  readonly actionId: string;
  readonly status: 'asked' | 'confirmed' | 'unverified' | 'unknown' | 'failed';
  readonly httpStatus: number | null;
  readonly response: string;
  /** Another answer follows, once it is known whether the effect can be read back. */
  readonly more?: boolean;
  /** What the service reads back should show it by now, and does not. */
  readonly notShown?: boolean;
}

/**
 * Everything that a decision can depend on. Events are numbered and handled one at a time, each to its end; the
 * decisions of a run are a function of this list alone.
 */
export type InboxEvent =
  | { readonly kind: 'start'; readonly facts: StartFacts }
  | { readonly kind: 'products'; readonly products: readonly ProductText[] }
  /** The quotes themselves, so that a run can be played again without the recordings before it. */
  | { readonly kind: 'warmup'; readonly feed: WarmUpFeed }
  | { readonly kind: 'lane'; readonly change: LaneChange }
  | { readonly kind: 'quote'; readonly quote: Quote }
  /** Handles a quote of an input that is for display only. */
  | { readonly kind: 'shown'; readonly source: LaneId; readonly shown: IndicativeQuote }
  | { readonly kind: 'answer'; readonly orderId: string; readonly report: ExecutionReport }
  | { readonly kind: 'action'; readonly answer: ActionAnswer }
  | { readonly kind: 'notification'; readonly notified: Notified }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'due'; readonly line: DueLine }
  | { readonly kind: 'wake' }
  /** The recorded data is over: in backtests alone. */
  | { readonly kind: 'end' }
  /** The service's time less engine time, how far the truth may be from it, and how long ago the service's clock was looked at. */
  | { readonly kind: 'clock'; readonly offsetMs: number; readonly halfWidthMs: number; readonly ageMs: number }
  | { readonly kind: 'condition'; readonly name: Condition; readonly on: boolean; readonly figure: number };

/** What is measured outside: a certificate that proves nothing, a token that is gone, wall and monotonic time apart, the service's time unknown, a late event loop. */
export const CONDITIONS = ['certificate', 'token', 'clock-step', 'clock', 'lag'] as const;

export type Condition = (typeof CONDITIONS)[number];

/** An event as handed over: its place in the run and the engine's time. */
export interface Numbered {
  readonly n: number;
  readonly at: Millis;
  readonly event: InboxEvent;
}
