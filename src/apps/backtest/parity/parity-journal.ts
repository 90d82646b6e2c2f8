import { CHAIN_START, type DecisionRecord } from '#adapters/journal/chain.ts';
import { type OrderRow, project } from '#adapters/journal/projection.ts';
import { decisionOf, detailOf, recordOf } from '#adapters/journal/records.ts';
import type { RunRows } from '#adapters/journal/run-rows.ts';
import { differences, type FieldDifference } from '#apps/backtest/replay/difference.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import type { Journal } from '#ports/journal.ts';

/** Two rows that should be the same; undefined on the side that has none. */
export interface Difference {
  readonly table: 'decisions' | 'orders' | 'ledger' | 'outputs';
  /** Number of the row among those compared, from 1. */
  readonly row: number;
  readonly recorded: Readonly<Record<string, unknown>> | undefined;
  readonly replayed: Readonly<Record<string, unknown>> | undefined;
  readonly fields: readonly FieldDifference[];
}

type Plain = Readonly<Record<string, unknown>>;

/** Errors that no event brought: what they latched was decided outside the engine. */
const OUTSIDE_REASONS: readonly (string | null)[] = ['UNCAUGHT', 'JOURNAL_FAULT'];

/**
 * The journal of a run that is played again: holds each decision against the run's own, in order, until the first that
 * differs. Rows that were written outside the engine, without an event, are left out, and so is what a broken disk or a
 * busy journal brought about, for no event says so.
 */
export class ParityJournal implements Journal {
  difference: Difference | undefined;
  /** Decisions that were the same. */
  compared = 0;
  /** Decisions that came by replay after the run's last row. */
  beyond = 0;
  /** True from the row on that says that the journal could not be written: what follows says nothing about decisions. */
  failed = false;
  private firstBeyond: Plain | undefined;
  private readonly rows: Iterator<DecisionRecord>;
  private readonly run: string;
  private next: DecisionRecord | undefined;
  private readonly orders = new Map<string, OrderRow>();
  private readonly entries: Plain[] = [];

  constructor(rows: RunRows) {
    this.run = rows.run.run_id;
    this.rows = rows.decisions();
    this.advance();
  }

  /** Orders that earlier runs left open: a late answer books them in this one. */
  begin({ unknowns }: StartFacts): void {
    for (const { order } of unknowns) {
      const approved: Decision = {
        kind: 'approved',
        at: order.intentAt,
        inboxSeq: 0,
        strategy: null,
        product: null,
        reason: null,
        quoteId: null,
        orderId: null,
        detail: { order, checks: [], timeLeftMs: 0 },
      };
      for (const change of project('', approved, undefined)) {
        if (change.table === 'orders') this.orders.set(change.row.order_id, { ...change.row, state: 'unknown' });
      }
    }
  }

  commit(decisions: readonly Decision[]): void {
    if (this.difference) return;
    const [first] = decisions;
    const { next } = this;
    if (first && next?.reason === 'JOURNAL_BUSY' && next.kind === 'refused' && first.kind === 'intent') {
      throw new KairosError('JOURNAL_BUSY', 'the journal was busy then as well');
    }
    for (const decision of decisions) this.compare(decision);
  }

  defer(decisions: readonly Decision[]): void {
    if (this.difference) return;
    for (const decision of decisions) this.compare(decision);
  }

  write(): void {}

  flush(): void {}

  end(): void {}

  /** The run's row that no replayed decision has met yet; those that tell of faults are left out, and all behind a fault of the journal. */
  get waiting(): DecisionRecord | undefined {
    this.leaveOutFaults();
    for (; this.failed && this.next; this.advance()) this.project(this.next, 'both');
    return this.next;
  }

  /**
   * The first of the run's rows that are left whose event came after `n`; undefined where one of them should have come by
   * then. The end of a streak carries the event of its last repetition, and is written with a later one.
   */
  firstAfter(n: number): DecisionRecord | undefined {
    for (; this.next; this.advance()) {
      if (this.next.inbox_seq > n) return this.next;
      if (!isEndOfStreak(this.next)) return undefined;
    }
    return undefined;
  }

  private leaveOutFaults(): void {
    while (this.next && isFault(this.next)) {
      this.failed ||= this.next.reason === 'JOURNAL_FAULT';
      this.advance();
    }
  }

  /** Event `n` was handled to its end: what the run decided by then must have come, but for the ends of streaks. */
  handled(n: number): void {
    const { waiting } = this;
    if (waiting && waiting.inbox_seq <= n && !isEndOfStreak(waiting) && !this.difference) this.lacks(waiting);
  }

  /** Says that the run's next row never came by replay. */
  lacks(record: DecisionRecord): void {
    this.differ('decisions', columnsOf(record), undefined);
  }

  /** Says that decisions came by replay after the last of a run that ended in good order. */
  hasMore(): void {
    this.differ('decisions', undefined, this.firstBeyond);
  }

  /** An output without which a recorded event cannot be. */
  lacksOutput(event: Plain): void {
    this.differ('outputs', event, undefined);
  }

  private differ(table: Difference['table'], recorded: Plain | undefined, replayed: Plain | undefined): void {
    this.difference ??= { table, row: this.compared + 1, recorded, replayed, fields: differences(recorded, replayed) };
  }

  /** Holds the tables that follow from the decisions against those of the run. To be called when all its rows were met. */
  compareTables(rows: RunRows): { readonly orders: number; readonly ledger: number } {
    for (const record of rows.wordsOfOthers()) this.project(record, 'orders');
    let count = 0;
    const stored = rows.orders();
    for (const row of stored.values()) {
      count += 1;
      const replayed = this.orders.get(row.order_id);
      this.check('orders', count, { ...row }, replayed && { ...replayed });
    }
    let entries = 0;
    for (const { entry_id, run_id, ...row } of rows.ledger()) {
      entries += 1;
      this.check('ledger', entries, row, this.entries[entries - 1]);
    }
    if (this.entries.length > entries) this.check('ledger', entries + 1, undefined, this.entries[entries]);
    return { orders: stored.size, ledger: entries };
  }

  private check(table: Difference['table'], row: number, recorded: Plain | undefined, replayed: Plain | undefined): void {
    if (this.difference) return;
    const fields = differences(recorded, replayed);
    if (fields.length > 0) this.difference = { table, row, recorded, replayed, fields };
  }

  private compare(decision: Decision): void {
    if (this.difference) return;
    const replayed = recordOf(decision, this.run, CHAIN_START);
    if (!isFault(decision)) this.leaveOutFaults();
    const { next } = this;
    if (!next || this.failed) {
      this.beyond += 1;
      this.firstBeyond ??= columnsOf(replayed);
      return;
    }
    const [recorded, again] = [columnsOf(next), columnsOf(replayed)];
    const fields = differences(recorded, again);
    if (fields.length > 0) {
      this.difference = { table: 'decisions', row: this.compared + 1, recorded, replayed: again, fields };
      return;
    }
    this.compared += 1;
    this.project(next, 'both');
    this.advance();
  }

  private advance(): void {
    for (;;) {
      const { value, done } = this.rows.next();
      this.next = done ? undefined : value;
      if (this.next?.inbox_seq !== 0) return;
      this.project(this.next, 'both');
    }
  }

  private project(record: DecisionRecord, into: 'orders' | 'both'): void {
    const before = record.order_id === null ? undefined : this.orders.get(record.order_id);
    for (const change of project(record.run_id, decisionOf(record), before)) {
      if (change.table === 'orders') this.orders.set(change.row.order_id, change.row);
      else if (change.table === 'ledger' && into === 'both') {
        const { run_id, ...row } = change.row;
        this.entries.push(row);
      }
    }
  }
}

const isFault = ({ kind, reason }: { readonly kind: string; readonly reason: string | null }): boolean =>
  kind === 'halted' && OUTSIDE_REASONS.includes(reason);

const isEndOfStreak = (row: DecisionRecord): boolean => detailOf(row).repeated !== undefined;

/** What two runs that decided the same have in common: no number, no hash, no name of the run. */
function columnsOf(record: DecisionRecord): Plain {
  const { run_id, seq, prev_hash, hash, detail, ...columns } = record;
  return { ...columns, detail: detailOf(record) };
}

/** The time of a row, for people. */
export const timeOf = (record: DecisionRecord): string => isoTime(Date.parse(record.at));
