import type { Decision, DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis, OrderId, ProductCode, QuoteId, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { Journal } from '#ports/journal.ts';

/** What a decision is about, where it is about something. */
export interface About {
  readonly strategy?: StrategyId | null;
  readonly product?: ProductCode | null;
  readonly reason?: Reason | null;
  readonly quoteId?: QuoteId | null;
  readonly orderId?: OrderId | null;
}

/** Stamps decisions with the event being handled and hands them to the journal. */
export class DecisionLog {
  private readonly journal: Journal;
  private seq = 0;
  private time: Millis = 0;
  /** Rows of a group that is being gathered; undefined outside of one. */
  private held: Decision[] | undefined;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** From now on decisions belong to inbox event `n` at engine time `at`. */
  enter(n: number, at: Millis): void {
    this.seq = n;
    this.time = at;
  }

  get inboxSeq(): number {
    return this.seq;
  }

  get now(): Millis {
    return this.time;
  }

  make<Kind extends DecisionKind>(kind: Kind, detail: DecisionDetails[Kind], about: About = {}): DecisionRow<Kind> {
    const { strategy = null, product = null, reason = null, quoteId = null, orderId = null } = about;
    return { kind, at: this.time, inboxSeq: this.seq, strategy, product, reason, quoteId, orderId, detail };
  }

  /** Durable on return; within `together`, at its end. */
  commit(...decisions: readonly Decision[]): void {
    if (this.held) this.held.push(...decisions);
    else this.journal.commit(decisions);
  }

  /**
   * Rows of what belongs together, in one commit: what happened, and the states that it brings about. A process that ends
   * in between leaves all of them or none. Durable on return, as with `keep`; nothing may leave the process within.
   */
  together(work: () => void): void {
    const rows: Decision[] = [];
    this.held = rows;
    try {
      work();
    } finally {
      this.held = undefined;
      if (rows.length > 0) this.write(rows);
    }
  }

  /** Durable on return, unless another process holds the journal: it is then written with the next commit, not lost. */
  keep(decision: Decision): void {
    if (this.held) this.held.push(decision);
    else this.write([decision]);
  }

  /** As `commit`. Where another process holds the journal it throws all the same, and the decision is written as soon as that can be. */
  insist(decision: Decision): void {
    try {
      this.journal.commit([decision]);
    } catch (error) {
      if (isBusy(error)) this.journal.defer([decision]);
      throw error;
    }
  }

  /** Written with the next commit or within a second: no effect rests on it. */
  defer(...decisions: readonly Decision[]): void {
    if (this.held) this.held.push(...decisions);
    else this.journal.defer(decisions);
  }

  private write(rows: readonly Decision[]): void {
    try {
      this.journal.commit(rows);
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.journal.defer(rows);
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof KairosError && error.code === 'JOURNAL_BUSY';
