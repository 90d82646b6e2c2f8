import type { DrillResult } from '#domain/drill-result.ts';
import type { Command, OperatorCommand } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import type { ManualRequest, ManualTask } from '#domain/manual-request.ts';
import type { FillText } from '#domain/order-text.ts';
import type { RemoteTask } from '#domain/remote.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { BacktestView } from '#server/page/view.ts';
import type { AcceptRequest, BacktestRequest, BookRequest, LineRequest, ResolveRequest } from './bodies.ts';

/** A person's request about the service's own strategies. */
export type RemoteCommand = Extract<Command, { act: 'remote' | 'settle-create' }>;

/** The daemon for its control server. Everything answers at once, from memory. */
export interface OpsTarget {
  /** The present state as plain data. Changes nothing. */
  state(): object;
  /** Why each strategy has no order now, as plain data. Changes nothing. */
  whyNot(): object;
  /** Why orders cannot go out normally; empty if they can. */
  notReady(): readonly string[];
  /**
   * Performs an act of a person, durable on return. Returns what stands of all strategies after it. Throws a KairosError: NOT_FOUND for an unknown strategy,
   * OPS_UNAVAILABLE while the daemon starts or stops, JOURNAL_FAULT if the act could not be journaled.
   */
  perform(act: OperatorCommand): readonly Latch['kind'][];
  /** Books movements of the treasury; durable on return. Throws as `perform`. */
  book(asked: BookRequest): void;
  /** Settles an order of unknown outcome; durable on return. Throws as `perform`, NOT_OPEN for one whose outcome is known. */
  resolve(asked: ResolveRequest): Settlement;
  /** Books a late notification; durable on return. Throws as `perform`, and ACT_REFUSED for one that is not late. */
  accept(asked: AcceptRequest): void;
  /** Begins a manual request, journaled on return. Throws as `perform`, and ACT_REFUSED if it is refused at once. */
  byHand(asked: ManualRequest): ManualTask;
  /** How far that has come; undefined for one that nobody asked for, or that is long over. */
  byHandTask(id: string): ManualTask | undefined;
  /** Begins a request about the service's own strategies, journaled on return. Throws as `byHand`. */
  remote(asked: RemoteCommand): RemoteTask;
  /** How far that has come; undefined for one that nobody asked for, or that is long over. */
  remoteTask(id: string): RemoteTask | undefined;
  /** Runs a line of the schedule now; journaled on return. Throws as `perform`, NOT_FOUND for an unknown line. */
  runLine(asked: LineRequest): void;
  /** Begins a backtest or a sweep beside trading; nothing is journaled. Throws NOT_FOUND for an unknown strategy, ACT_REFUSED while one plays. */
  backtest(asked: BacktestRequest): BacktestView;
  /** Stops it. Throws ACT_REFUSED where none plays. */
  stopBacktest(who: string): BacktestView;
  /** Proves that a halt stops orders. Throws DRILL_REFUSED if that could do harm or would prove nothing. */
  drill(asked: WhoWhy): Promise<DrillResult>;
}

/** How an order was settled; `fill` is null if it was rejected. */
export interface Settlement {
  readonly order: string;
  readonly as: 'accepted' | 'rejected';
  readonly fill: FillText | null;
}
