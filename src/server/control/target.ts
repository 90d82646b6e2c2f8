import type { DrillResult } from '#domain/drill-result.ts';
import type { Command, OperatorCommand } from '#domain/event.ts';
import type { ManualRequest, ManualTask } from '#domain/manual-request.ts';
import type { FillText } from '#domain/order-text.ts';
import type { RemoteTask } from '#domain/remote.ts';
import type { AcceptAsked, BookAsked, LineAsked, ResolveAsked } from './bodies.ts';

/** What a person asks of the service's own strategies. */
export type RemoteCommand = Extract<Command, { act: 'remote' | 'settle-create' }>;

/** What the control server looks at, and asks. Everything answers at once, from memory. */
export interface OpsTarget {
  /** What is going on, as plain data. Looking changes nothing. */
  state(): object;
  /** Why orders cannot go out as they should; empty when they can. */
  notReady(): readonly string[];
  /**
   * Does an act of a person; it is durable on return. Throws a KairosError: NOT_FOUND for a strategy that nobody knows,
   * OPS_UNAVAILABLE while the daemon starts or stops, JOURNAL_FAULT when the act could not be journaled.
   */
  perform(act: OperatorCommand): void;
  /** Books movements of the treasury; durable on return. Throws as `perform`. */
  book(asked: BookAsked): void;
  /** Settles an order of unknown outcome; durable on return. Throws as `perform`, NOT_OPEN for one whose outcome is known. */
  resolve(asked: ResolveAsked): Resolved;
  /** Books a notification that was kept aside as late; durable on return. Throws as `perform`, and ACT_REFUSED for one that is not late. */
  accept(asked: AcceptAsked): void;
  /** Begins a manual request; it is journaled on return. Throws as `perform`, and ACT_REFUSED where it is refused at once. */
  byHand(asked: ManualRequest): ManualTask;
  /** How far that has come; undefined for one that nobody asked for, or that is long over. */
  byHandTask(id: string): ManualTask | undefined;
  /** Begins what a person asks of the service's own strategies; it is journaled on return. Throws as `byHand`. */
  remote(asked: RemoteCommand): RemoteTask;
  /** How far that has come; undefined for one that nobody asked for, or that is long over. */
  remoteTask(id: string): RemoteTask | undefined;
  /** Does a line of the schedule now; journaled on return. Throws as `perform`, NOT_FOUND for a line that nobody knows. */
  runLine(asked: LineAsked): void;
  /** Proves that a halt stops orders. Throws DRILL_REFUSED where that could do harm or show nothing. */
  drill(asked: DrillAsked): Promise<DrillResult>;
}

/** How an order was settled: `fill` null where it was rejected. */
export interface Resolved {
  readonly order: string;
  readonly as: 'accepted' | 'rejected';
  readonly fill: FillText | null;
}

/** By whom a drill is asked for, and why. */
export interface DrillAsked {
  readonly who: string;
  readonly why: string;
}
