import type { Decision, DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis, OrderId, ProductCode, QuoteId, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { Journal } from '#ports/journal.ts';

/** What a decision is about, where it is about something. */
export interface DecisionSubject {
  readonly strategy?: StrategyId | null;
  readonly product?: ProductCode | null;
  readonly reason?: Reason | null;
  readonly quoteId?: QuoteId | null;
  readonly orderId?: OrderId | null;
}

/** Stamps decisions with the event being handled and hands them to the journal. */
export class DecisionLog {
  private readonly journal: Journal;
  /** The event that is handled, and engine time. */
  inboxSeq = 0;
  now: Millis = 0;
  /** Rows of a group that is being gathered; undefined outside of one. */
  private held: Decision[] | undefined;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** From now on decisions belong to inbox event `n` at engine time `at`. */
  enter(n: number, at: Millis): void {
    this.inboxSeq = n;
    this.now = at;
  }

  make<Kind extends DecisionKind>(kind: Kind, detail: DecisionDetails[Kind], about: DecisionSubject = {}): DecisionRow<Kind> {
    const { strategy = null, product = null, reason = null, quoteId = null, orderId = null } = about;
    return { kind, at: this.now, inboxSeq: this.inboxSeq, strategy, product, reason, quoteId, orderId, detail };
  }

  /** Durable on return; within `together`, at its end. */
  commit(...decisions: readonly Decision[]): void {
    if (this.held) this.held.push(...decisions);
    else this.journal.commit(decisions);
  }

  /** As `commit`; false where another process holds the journal, so that nothing was committed. For orders and for releases by a rule, which come again. */
  attempt(...decisions: readonly Decision[]): boolean {
    try {
      this.commit(...decisions);
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
  }

  /**
   * What happened and the states that it brings about, in one commit: a process that ends in between leaves all of it or none. Where
   * `work` throws, what happened is written alone. Durable on return, as with `keep`; nothing may leave the process within.
   */
  together(happened: readonly Decision[], work: () => void): void {
    const rows = [...happened];
    let isWhole = false;
    this.held = rows;
    try {
      work();
      isWhole = true;
    } finally {
      this.held = undefined;
      const kept = isWhole ? rows : happened;
      if (kept.length > 0) this.write(kept);
    }
  }

  /**
   * For what has happened, and for stops, which hold already: the row is never lost. True where it is durable. Where another process holds
   * the journal, or the commit fails, which is thrown, it waits and is written as soon as that can be.
   */
  keep(...decisions: readonly Decision[]): boolean {
    if (!this.held) return this.write(decisions);
    this.held.push(...decisions);
    return true;
  }

  /** Written with the next commit or within a second: no effect rests on it. */
  defer(...decisions: readonly Decision[]): void {
    if (this.held) this.held.push(...decisions);
    else this.journal.defer(decisions);
  }

  private write(rows: readonly Decision[]): boolean {
    try {
      this.journal.commit(rows);
      return true;
    } catch (error) {
      this.journal.defer(rows);
      if (!isBusy(error)) throw error;
      return false;
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof KairosError && error.code === 'JOURNAL_BUSY';
