import type { Decision } from '#domain/decision.ts';
import type { Journal } from '#ports/journal.ts';

interface Guards {
  readonly commit?: (decisions: readonly Decision[]) => void;
  readonly defer?: () => void;
  readonly write?: () => void;
  readonly flush?: () => void;
}

/** A journal whose writes are each preceded by a guard, which may throw in their place. */
export const guardedJournal = (journal: Journal, guards: Guards): Journal => ({
  commit(decisions) {
    guards.commit?.(decisions);
    journal.commit(decisions);
  },
  defer(decisions) {
    guards.defer?.();
    journal.defer(decisions);
  },
  write() {
    guards.write?.();
    journal.write();
  },
  flush() {
    guards.flush?.();
    journal.flush();
  },
  end: (run, state) => journal.end(run, state),
});
