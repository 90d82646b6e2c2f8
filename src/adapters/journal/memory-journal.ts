import type { Decision } from '#domain/decision.ts';
import { NO_BOOKS } from '#domain/past-books.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Journal } from '#ports/journal.ts';
import type { RecoveryState } from './recovery.ts';

/**
 * The journal of a run in virtual time, which nothing outlives: decisions in their order, as they were made. Rows, chain
 * and tables take several times as long as the decision itself, so they are made only where somebody wants them: give
 * `decisions` to a journal in a file, with one commit.
 */
export class MemoryJournal implements Journal {
  private readonly kept: Decision[] = [];
  private waiting: Decision[] = [];

  /** All that was committed, in order. */
  get decisions(): readonly Decision[] {
    return this.kept;
  }

  commit(decisions: readonly Decision[]): void {
    this.flush();
    for (const decision of decisions) this.kept.push(decision);
  }

  defer(decisions: readonly Decision[]): void {
    for (const decision of decisions) this.waiting.push(decision);
  }

  write(): void {
    this.flush();
  }

  flush(): void {
    for (const decision of this.waiting) this.kept.push(decision);
    this.waiting = [];
  }

  /** Keeps what was deferred. The end of a run in memory is not recorded. */
  end(): void {
    this.flush();
  }
}

/** What the first run of an empty journal begins with, for runs that have no journal. */
export const NOTHING_BEFORE: RecoveryState = {
  lastInboxSeq: 0,
  books: NO_BOOKS,
  unknowns: [],
  latches: [],
  openings: [],
  exits: [],
  works: [],
  peaks: [],
  hands: [],
  learned: [],
  states: {},
  stateOrigins: {},
  risk: NO_PAST_RISK,
  schedule: [],
  unanswered: [],
  haltPassedOn: false,
  financedUpTo: null,
  financedByRoll: false,
  usedQuotes: [],
  creates: [],
  signals: [],
  snapshotFault: null,
};
