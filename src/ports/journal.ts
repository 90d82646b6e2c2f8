import type { Decision } from '#domain/decision.ts';
import type { RunId } from '#domain/names.ts';

/**
 * The decision journal for the engine. `commit` returns once the rows are durable and throws a KairosError
 * (JOURNAL_FAULT) if that is not certain. A decision takes effect only after its commit.
 */
export interface Journal {
  /**
   * Writes decisions, durable on return, in order, after all deferred ones. Without decisions it writes the deferred ones and keeps the
   * right to write: up to `flush`, the next commit cannot find the journal held by another program.
   */
  commit(decisions: readonly Decision[]): void;
  /** Writes decisions with the next commit, or within a second by `flush`. For rows without an effect. */
  defer(decisions: readonly Decision[]): void;
  /**
   * Hands deferred rows to the operating system without waiting for the disk. They survive the process at once, and a
   * power failure after the next sync. For rows whose acknowledgement waits for that sync. Without rows it keeps the right to write as
   * `commit` does; throws as it does.
   */
  write(): void;
  /** Writes deferred rows, and gives back the right to write. */
  flush(): void;
  /** Ends the run: its row gets `ended_at` and `end_state`. Idempotent. */
  end(run: RunId, endState: 'stopped' | 'halted' | 'crashed'): void;
}
