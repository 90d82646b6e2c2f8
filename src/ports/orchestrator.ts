import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';

/** The service's own strategies (spec 4.1). */
export interface Orchestrator {
  /**
   * Asks once for a create or a flush, and for anything else until it is taken or the deadline is over. What the world does
   * is in the answer; it never rejects.
   */
  ask(asked: RemoteAsk): Promise<RemoteAnswer>;
  /**
   * The strategies as the service reads them back; null where it does not. Records that cannot be read are left out, and `onUnread` is told:
   * one of them may be what is looked for. Rejects with a KairosError.
   */
  find(onUnread?: (why: string) => void): Promise<readonly RemoteStrategy[] | null>;
}
