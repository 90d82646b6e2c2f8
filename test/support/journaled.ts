import { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';

/** A log whose rows can be looked at, those that are written at once and those that may wait. */
export class Journaled {
  readonly committed: Decision[] = [];
  readonly deferred: Decision[] = [];
  readonly log: DecisionLog;
  /** Another program holds the journal. */
  isHeld = false;

  constructor() {
    this.log = new DecisionLog({
      commit: (rows) => {
        if (this.isHeld) throw new KairosError('JOURNAL_BUSY', 'held');
        this.committed.push(...rows);
      },
      defer: (rows) => void this.deferred.push(...rows),
      write() {},
      flush() {},
      end() {},
    });
  }

  /** From here on it is that time. */
  at(now: number): void {
    this.log.inboxSeq += 1;
    this.log.now = now;
  }

  /** Kind, strategy, reason and the words of each row that was committed since it was asked before. */
  story(): readonly (readonly [kind: string, strategy: string | null, reason: string | null, detail: unknown])[] {
    return this.committed.splice(0).map(({ kind, strategy, reason, detail }) => [kind, strategy, reason, detail]);
  }
}
