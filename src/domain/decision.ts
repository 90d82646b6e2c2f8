import type { CheckResult } from './check-result.ts';
import type { DrillResult } from './drill-result.ts';
import type { HeldPosition, ManualPart, ManualRequest, ManualTask } from './manual-request.ts';
import type { Millis, OrderId, ProductCode, QuoteId, StrategyId } from './names.ts';
import type { NotificationDetail } from './notification.ts';
import type { FillText, OrderText } from './order.ts';
import type { OutsideSignal } from './outside-signal.ts';
import type { PastProfit } from './past-risk.ts';
import type { Side } from './quote.ts';
import type { Reason } from './reasons.ts';
import type { MissedPolicy, ScheduleLine } from './schedule.ts';
import type { JournaledBlock } from './strategy-state.ts';
import type { WhoWhy } from './who-why.ts';
import type { WorkText } from './work-text.ts';

/** What the strategy wanted, and the quote and signals on which it decided. */
export interface IntentDetail {
  readonly side: Side;
  readonly why: string;
  readonly tag: string | null;
  readonly wants: string;
  /** Values named by `observe` and the last signal, at the time of the decision. */
  readonly signals: Readonly<Record<string, unknown>>;
  /** The working leg that it belongs to, if the leg outlives its first quote. */
  readonly work?: string;
  readonly quote: {
    readonly lane: string;
    readonly buy: number;
    readonly sell: number;
    readonly size: number;
    readonly spreadPercentage: number;
    readonly validUntil: string;
    readonly timeLeftMs: number;
  };
}

/** An intent that was worked on several quotes, at its end. */
export interface WorkedDetail {
  readonly side: Side | null;
  readonly why: string;
  readonly tag: string | null;
  readonly wants: string;
  readonly withinMs: number | null;
  /** Number of quotes on which it was tried, and the result of the last: a refusal's code or an order's state. */
  readonly attempts: number;
  readonly last: string | null;
}

/** What triggered an exit: the figure that reached its limit, and the position. Decimals as text. */
export interface ExitDetail {
  readonly figure: string;
  readonly limit: string;
  readonly price: string;
  readonly average: string;
  readonly size: string;
}

/** A signed movement of money that no order made. Amount as decimal text. */
export interface BookedEntry {
  readonly kind: 'opening' | 'deposit' | 'withdrawal' | 'correction' | 'financing';
  /** A strategy's id, `manual` or `treasury`. */
  readonly book: string;
  readonly currency: string;
  readonly amount: string;
  /** The product whose position was financed, or is corrected with the ledger; absent in other movements. */
  readonly product?: string;
}

/** A movement that a person may book. */
export type BookedByPerson = BookedEntry & { readonly kind: 'deposit' | 'withdrawal' | 'correction' };

/** The end of a latch. */
interface ResumedDetail extends WhoWhy {
  /** Losses and rejections are counted from here on; absent where they are not. */
  readonly anew?: true;
  /** Which pauses it leaves, where it names no strategy; absent in rows of 0.1.0, which ended all. */
  readonly leaves?: LeftPauses;
}

/** Pauses that stand behind the end of a halt: those of single strategies, or that of all as well. */
type LeftPauses = 'single pauses' | 'pauses';

/** The configuration that was armed; its text is empty if a rule re-armed the configuration that was armed before. */
export interface ArmedDetail extends ResumedDetail {
  readonly configHash: string;
  readonly config: string;
  /** Hash of Kairos's version and the sources of all strategies. */
  readonly build: string;
  /** Where the journal was as it was armed; absent in rows of 0.1.0. */
  readonly instance?: string;
}

/** A line of the schedule with its next run. Times as ISO 8601 UTC. */
interface ScheduledLine extends Pick<ScheduleLine, 'name' | 'cron' | 'timezone' | 'action'> {
  readonly upTo: string;
  readonly next: string | null;
}

/** An action requested by a schedule, a halt or a person, with its answer so far. Times are ISO 8601, UTC. */
export interface ActionDetail {
  readonly actionId: string;
  readonly name: string;
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly dueAt: string;
  readonly askedAt: string;
  readonly status: 'asked' | 'confirmed' | 'unverified' | 'unknown' | 'failed' | 'skipped';
  readonly httpStatus: number | null;
  readonly response: string;
  /** What becomes of a line of the schedule that is late; absent if it is on time. */
  readonly missed?: MissedPolicy;
  /** The person who requested it, and why; absent if a schedule or a halt did. */
  readonly who?: string;
  readonly why?: string;
}

/** The details of each kind of decision. Everything that `orders`, `ledger` and `actions` hold follows from these. */
export interface DecisionDetails {
  intent: IntentDetail;
  approved: { readonly order: OrderText; readonly checks: readonly CheckResult[]; readonly timeLeftMs: number };
  refused: { readonly intent: IntentDetail; readonly checks: readonly CheckResult[]; readonly repeated?: number };
  hold: { readonly why: string; readonly signals: Readonly<Record<string, unknown>>; readonly repeated?: number };
  sent: { readonly sentAt: string; readonly timeLeftMs: number; readonly signatureAgeMs: number };
  expired: { readonly timeLeftMs: number };
  not_sent: { readonly why: string };
  accepted: { readonly fill: FillText; readonly httpStatus: number | null; readonly roundTripMs: number; readonly body: string };
  rejected: {
    readonly httpStatus: number | null;
    readonly roundTripMs: number;
    readonly body: string;
    readonly why: string;
    /** The wait that the service asked for (429), in milliseconds. */
    readonly retryAfterMs?: number | undefined;
  };
  /** `position`: what is held and what may be, in words. */
  unknown: {
    readonly httpStatus: number | null;
    readonly roundTripMs: number | null;
    readonly body: string;
    readonly why: string;
    readonly position?: string;
  };
  /** A plan that outlives its first quote begins. It survives a restart. */
  working: WorkText;
  /** The plan has ended: done, lapsed, replaced or abandoned. */
  worked: { readonly work: string };
  /** The best price of an open position, from which a trailing stop is measured; written now and then. `price` is decimal text. */
  peak: { readonly price: string; readonly openedAt: Millis };
  /** The intent's time was up before an order of it was executed. */
  lapsed: WorkedDetail;
  /** A later intent of the strategy took its place. */
  withdrawn: WorkedDetail;
  /** One of several legs failed: later legs are not tried, earlier ones are kept or unwound. */
  leg_failed: WorkedDetail & { readonly leg: number; readonly of: number; readonly policy: 'keep' | 'unwind' };
  /** A rule of `exits` triggered: the position is being closed, whatever its strategy says. */
  exit: ExitDetail;
  /** The part of a position that no order can close: it is below the size step or the minimum order. Decimals as text. */
  dust: { readonly held: string; readonly dust: string; readonly least: string };
  /** The state that a strategy keeps over restarts, as JSON, and the kind of event that changed it. */
  state: { readonly state: string; readonly by: string };
  /** `who` is a person, or `service` if the service's own record settled the order. */
  resolved: WhoWhy & { readonly as: 'accepted' | 'rejected'; readonly fill: FillText | null };
  action: ActionDetail;
  /** A webhook of the service, as it was received or as a person accepted it. */
  notification: NotificationDetail;
  /** A signal from outside. `madeAt` as ISO 8601; null where its sender did not say. */
  signal: Pick<OutsideSignal, 'id' | 'value'> & { readonly source: string; readonly madeAt: string | null };
  /** The lines of the schedule as a run begins. `upTo`: everything due until then is done; `next`: null if nothing falls due. */
  scheduled: { readonly lines: readonly ScheduledLine[] };
  /** `upTo`: rolls of positions are booked until then, as ISO 8601; absent for other movements. */
  booked: WhoWhy & { readonly entries: readonly BookedEntry[]; readonly upTo?: string };
  paused: WhoWhy;
  resumed: ResumedDetail;
  halted: WhoWhy;
  drill: WhoWhy & DrillResult;
  /** A person asked for a trade: the request and the positions to close. */
  by_hand: WhoWhy & {
    readonly act: ManualRequest['act'];
    readonly wants: Readonly<Record<string, unknown>>;
    readonly held: readonly HeldPosition[];
  };
  /** The result of the request; `id` is the inbox number of the event that made it. */
  by_hand_end: {
    readonly id: string;
    readonly act: ManualRequest['act'];
    readonly refused: ManualTask['refused'];
    readonly parts: readonly ManualPart[];
  };
  reducing: WhoWhy;
  disarmed: WhoWhy;
  armed: ArmedDetail;
  /** Profit at executable prices, from which losses are measured. */
  measured: PastProfit;
  /** `anew`: its streams ended by that, and began anew. */
  threw: { readonly error: string; readonly stack: string; readonly inARow: number; readonly anew?: true };
  disabled: WhoWhy;
  enabled: WhoWhy;
  started: { readonly config: string; readonly strategies: readonly string[] };
  stopped: WhoWhy;
  /** The service's time became certain enough for orders, or ceased to be. Null if it is unknown. */
  clock: { readonly sure: boolean; readonly offsetMs: number | null; readonly halfWidthMs: number | null };
  /** Signals were fed with recorded quotes. Times as ISO 8601. */
  warmed: {
    readonly lane: string;
    readonly quotes: number;
    readonly from: string;
    readonly to: string;
    readonly gapMs: number;
    readonly sha256: string;
  };
  /** A product was quoted without a spread at a larger size than ever before. */
  learned: { readonly size: string; readonly currency: string; readonly lane: string };
  /** A lane was quarantined because of its prices, or was released. */
  quarantine: { readonly lane: string; readonly on: boolean; readonly why: string };
  /** An external cause has kept a strategy from trading for 30 s, or is gone: the state, and what it is made of. Times as ISO 8601; rows of 0.1.0 have no `until`. */
  blocked: JournaledBlock & { readonly on: boolean; readonly since: string; readonly until?: string | null; readonly lastedMs: Millis };
  /** The event loop became too late for orders, or caught up. */
  lag: { readonly on: boolean; readonly p99Ms: number };
}

/** The name of a kind of decision. */
export type DecisionKind = keyof DecisionDetails;

/** One row of the decision journal of one kind: what was decided at which inbox event, and why. */
export interface DecisionRow<Kind extends DecisionKind> {
  readonly kind: Kind;
  readonly at: Millis;
  /** Number of the inbox event, counted from 1 in each run. */
  readonly inboxSeq: number;
  readonly strategy: StrategyId | null;
  readonly product: ProductCode | null;
  readonly reason: Reason | null;
  readonly quoteId: QuoteId | null;
  readonly orderId: OrderId | null;
  readonly detail: DecisionDetails[Kind];
}

/** One row of the decision journal. */
export type Decision = { [Kind in DecisionKind]: DecisionRow<Kind> }[DecisionKind];

/** One row of the decision journal of a given kind. */
export type DecisionOf<Kind extends DecisionKind> = DecisionRow<Kind>;
