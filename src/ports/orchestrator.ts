import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';

/** The service's own strategies (spec 4.1). */
export interface Orchestrator {
  /**
   * Sends a create or a flush once, and anything else until it is accepted, the deadline is over, or a newer request is made that it would
   * undo. Never rejects: faults are in the answer. `withinMs`: how long it is of use; a wait that the service asks for is waited where it
   * ends by then.
   */
  ask(asked: RemoteAsk, withinMs?: number): Promise<RemoteAnswer>;
  /**
   * The strategies as the service lists them, page by page; null if it does not. Records and later pages that cannot be read are left out and
   * reported to `onUnread`, since one of them may be the wanted one. Rejects with a KairosError.
   */
  find(onUnread: (why: string) => void): Promise<readonly RemoteStrategy[] | null>;
}
