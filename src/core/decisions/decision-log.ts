import type { CheckResult } from '#domain/check-result.ts';
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
  /** The event that is handled, and engine time: decisions belong to it. Set by who handles events. */
  inboxSeq = 0;
  now: Millis = 0;
  /** Rows of a group that is being gathered; undefined outside of one. */
  private held: Decision[] | undefined;

  constructor(journal: Journal) {
    this.journal = journal;
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
      if (this.held) this.held.push(...decisions);
      else this.journal.commit(decisions);
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

type Row = DecisionRow<'refused'> | DecisionRow<'hold'>;

interface Streak {
  last: Row;
  count: number;
  readonly since: Millis;
}

/** The same refusal again and again. */
interface Refusals {
  readonly reason: Reason;
  readonly since: Millis;
  /** When its cause ends by itself; null if that is unknown. */
  readonly until: Millis | null;
  /** Those of the last one. */
  readonly checks: readonly CheckResult[];
}

/** So long after a refusal its cause is taken to stand, unless it is known when it ends: three times its pace where a strategy asks more seldom. */
const STANDS_MS = 10_000;
const PACES = 3;

interface RefusedOpening {
  readonly reason: Reason;
  readonly strategy: StrategyId;
  readonly product: ProductCode;
}

/** When an opening like it would pass, if nothing is ordered until then; undefined where that is not known. */
type PassesAt = (refused: RefusedOpening, now: Millis) => Millis | undefined;

/** A limit that is used up until a known time: it stands until then, whatever the strategy asks for meanwhile. */
interface UsedUp {
  /** Since the limit stands without a break, as far as this strategy was refused by it. */
  readonly since: Millis;
  until: Millis;
  /** Refusals since the last opening that passed. */
  readonly count: number;
  readonly product: ProductCode;
  readonly checks: readonly CheckResult[];
}

/**
 * Keeps the journal small and honest about silence: a refusal or a hold that repeats itself is one row at its start and
 * one at its end, the latter with the last figures and the count.
 */
export class RepeatedRefusals {
  private readonly running = new Map<StrategyId, Streak>();
  private readonly usedUp = new Map<StrategyId, Map<Reason, UsedUp>>();
  private readonly log: DecisionLog;
  private readonly passesAt: PassesAt;

  constructor(log: DecisionLog, passesAt: PassesAt) {
    this.log = log;
    this.passesAt = passesAt;
  }

  /** Notes that a strategy was refused, or held, once more. True where that is the first of a row. */
  note(strategy: StrategyId, row: Row): boolean {
    if (row.kind === 'refused') this.noteUsedUp(strategy, row);
    const streak = this.running.get(strategy);
    if (streak && repeats(streak.last, row)) {
      streak.last = row;
      streak.count += 1;
      return false;
    }
    this.end(strategy);
    this.running.set(strategy, { last: row, count: 1, since: row.at });
    this.log.defer(row);
    return true;
  }

  /** Ends the strategy's streak because something else happened. */
  end(strategy: StrategyId): void {
    const streak = this.running.get(strategy);
    if (!streak) return;
    this.running.delete(strategy);
    if (streak.count > 1) this.log.defer(closing(streak));
  }

  passed(strategy: StrategyId, checks: readonly CheckResult[]): void {
    if (this.running.has(strategy)) this.end(strategy);
    const usedUp = this.usedUp.get(strategy);
    for (const { check } of usedUp ? checks : []) usedUp?.delete(check);
  }

  /** An order was sent, of whichever strategy: it counts towards what others have used up. */
  ordered(at: Millis): void {
    for (const [strategy, usedUp] of this.usedUp)
      for (const [reason, one] of usedUp)
        if (at < one.until) one.until = this.passesAt({ reason, strategy, product: one.product }, at) ?? one.until;
  }

  /** What a strategy is refused again and again; undefined where there is no such thing, or where its cause may be over. */
  of(strategy: StrategyId, now: Millis): Refusals | undefined {
    let last: Refusals | undefined;
    for (const [reason, { since, until, count, checks }] of this.usedUp.get(strategy) ?? [])
      if (count > 1 && now < until && until > (last?.until ?? 0)) last = { reason, since, until, checks };
    if (last) return last;
    const streak = this.running.get(strategy);
    const reason = streak?.last.reason ?? null;
    if (streak?.last.kind !== 'refused' || reason === null || this.usedUp.get(strategy)?.has(reason)) return undefined;
    const paceMs = (streak.last.at - streak.since) / (streak.count - 1);
    if (streak.count < 2 || now - streak.last.at > Math.max(STANDS_MS, PACES * paceMs)) return undefined;
    return { reason, since: streak.since, until: null, checks: streak.last.detail.checks };
  }

  private noteUsedUp(strategy: StrategyId, { at, reason, product, detail: { checks } }: DecisionRow<'refused'>): void {
    const until = reason === null || product === null ? undefined : this.passesAt({ reason, strategy, product }, at);
    if (reason === null || product === null || until === undefined) return;
    const usedUp = this.usedUp.get(strategy) ?? new Map<Reason, UsedUp>();
    this.usedUp.set(strategy, usedUp);
    const before = usedUp.get(reason);
    const since = before && at < before.until ? before.since : at;
    usedUp.set(reason, { since, until, count: (before?.count ?? 0) + 1, product, checks });
  }

  endAll(): void {
    for (const strategy of [...this.running.keys()]) this.end(strategy);
  }
}

function repeats(last: Row, row: Row): boolean {
  // Only its row says at which commit another program held the journal: a run that is played again needs each.
  if (row.reason === 'JOURNAL_BUSY') return false;
  if (last.reason !== row.reason || last.product !== row.product) return false;
  if (last.kind === 'refused') return row.kind === 'refused' && last.detail.intent.side === row.detail.intent.side;
  return row.kind === 'hold' && last.detail.why === row.detail.why;
}

function closing({ last, count }: Streak): Decision {
  return last.kind === 'refused'
    ? { ...last, detail: { ...last.detail, repeated: count } }
    : { ...last, detail: { ...last.detail, repeated: count } };
}
