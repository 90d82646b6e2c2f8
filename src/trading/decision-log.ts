import type { Decision, DecisionDetails, DecisionKind, DecisionRow } from '../domain/decision.ts';
import { KairosError } from '../domain/errors.ts';
import type { Millis, OrderId, ProductCode, QuoteId, StrategyId } from '../domain/names.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Journal } from '../ports/journal.ts';

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

  /** Durable on return. */
  commit(...decisions: readonly Decision[]): void {
    this.journal.commit(decisions);
  }

  /** Durable on return, unless another process holds the journal: it is then written with the next commit, not lost. */
  keep(decision: Decision): void {
    try {
      this.journal.commit([decision]);
    } catch (error) {
      if (!(error instanceof KairosError) || error.code !== 'JOURNAL_BUSY') throw error;
      this.journal.defer([decision]);
    }
  }

  /** Written with the next commit or within a second: no effect rests on it. */
  defer(...decisions: readonly Decision[]): void {
    this.journal.defer(decisions);
  }
}
