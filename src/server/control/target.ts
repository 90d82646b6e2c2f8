import type { ManualTask } from '#domain/manual-request.ts';
import type { FillText } from '#domain/order.ts';
import type { RemoteTask } from '#domain/remote.ts';
import type { EndpointName, FieldsOf } from './endpoints.ts';

/**
 * A method for each act, which returns its answer as plain data; what it journals is durable on return, unless it says `journaled: false`. Throws a KairosError: NOT_FOUND for an unknown name,
 * OPS_UNAVAILABLE while the daemon starts or stops, ACT_REFUSED for what may not be done now, JOURNAL_FAULT if it could not be journaled.
 */
export type Acts = { readonly [Name in EndpointName]: (asked: FieldsOf<Name>) => object | Promise<object> };

/** The daemon for its control server: its acts, and what can be looked at. Everything answers at once, from memory. */
export interface OpsTarget extends Acts {
  /** The present state as plain data. Changes nothing. */
  state(): object;
  /** Why each strategy has no order now, as plain data. Changes nothing. */
  whyNot(): object;
  /** Why orders cannot go out normally; empty if they can. */
  notReady(): readonly string[];
  /** How far a manual request has come; undefined for one that nobody asked for, or that is long over. */
  byHandTask(id: string): ManualTask | undefined;
  /** How far a request about the service's own strategies has come; undefined as above. */
  remoteTask(id: string): RemoteTask | undefined;
}

/** How an order was settled; `fill` is null if it was rejected. */
export interface Settlement {
  readonly order: string;
  readonly as: 'accepted' | 'rejected';
  readonly fill: FillText | null;
}
