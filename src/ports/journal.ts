import type { Decision } from '#domain/decision.ts';
import type { RunId } from '#domain/names.ts';

/**
 * The decision journal as the engine sees it. `commit` returns once the rows are durable and throws a KairosError
 * (JOURNAL_FAULT) when that cannot be said; nothing may happen because of a decision before it is committed.
 */
export interface Journal {
  /** Durable on return, in order, together with all that was deferred before. */
  commit(decisions: readonly Decision[]): void;
  /** Written with the next commit, or within a second by `flush`. For rows on which no effect rests. */
  defer(decisions: readonly Decision[]): void;
  /**
   * Hands what was deferred to the operating system, without waiting for the disk: it outlives the process, and a halt of the
   * machine once somebody has synced the file. For rows whose acknowledgement waits for that elsewhere. Throws as `commit` does.
   */
  write(): void;
  /** Writes what was deferred. */
  flush(): void;
  /** Ends the run: its row gets `ended_at` and `end_state`. Idempotent. */
  end(run: RunId, endState: 'stopped' | 'halted' | 'crashed'): void;
}
