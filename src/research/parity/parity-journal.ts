import { CHAIN_START, type DecisionRecord, decisionOf, detailOf, recordOf } from '#adapters/journal/records.ts';
import type { RunRows } from '#adapters/journal/run-rows.ts';
import { type OrderRow, project } from '#adapters/journal/tables.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import type { Journal } from '#ports/journal.ts';
import { differences, type FieldDifference } from '#research/replay/difference.ts';

/** Two rows that should be equal; undefined on the side without one. */
export interface RowDifference {
  readonly table: 'decisions' | 'orders' | 'ledger' | 'outputs';
  /** Number of the row among those compared, from 1. */
  readonly row: number;
  readonly recorded: Readonly<Record<string, unknown>> | undefined;
  readonly replayed: Readonly<Record<string, unknown>> | undefined;
  readonly fields: readonly FieldDifference[];
}

type Plain = Readonly<Record<string, unknown>>;

/** Reasons of latches that were decided outside the engine. */
const OUTSIDE_REASONS: readonly (string | null)[] = ['UNCAUGHT', 'JOURNAL_FAULT'];

/**
 * The journal of a replay: compares each decision with the run's own, in order, up to the first difference. Rows written
 * outside the engine, without an event, are left out, as are the effects of a broken disk or a locked journal, which no
 * event carries.
 */
export class ParityJournal implements Journal {
  difference: RowDifference | undefined;
  /** Number of equal decisions. */
  compared = 0;
  /** Number of decisions of the replay after the run's last row. */
  beyond = 0;
  /** True from the row of an error that ended the run; later rows prove nothing. */
  failed = false;
  /** Number of the event that is played. */
  private event = 0;
  private firstBeyond: Plain | undefined;
  private readonly rows: Iterator<DecisionRecord>;
  private readonly run: string;
  private next: DecisionRecord | undefined;
  private following: DecisionRecord | undefined;
  private readonly orders = new Map<string, OrderRow>();
  private readonly entries: Plain[] = [];

  constructor(rows: RunRows) {
    this.run = rows.run.run_id;
    this.rows = rows.decisions();
    this.advance();
    this.advance();
  }

  /** Takes the open orders of earlier runs, which a late answer books in this one. */
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
    if (this.wasRefused(decisions)) throw new KairosError('JOURNAL_BUSY', 'the journal was busy then as well');
    if (first && isReleaseByRule(first) && (next?.kind !== first.kind || next.inbox_seq !== first.inboxSeq))
      throw new KairosError('JOURNAL_BUSY', 'the journal was busy then, and the release came later');
    for (const decision of decisions) this.compare(decision);
  }

  defer(decisions: readonly Decision[]): void {
    if (this.difference) return;
    for (const decision of decisions) this.compare(decision);
  }

  write(): void {}

  flush(): void {}

  end(): void {}

  /** True once the replay has decisions after the last of the run's rows: what another program's lock kept from being written is not known there. */
  get isBeyond(): boolean {
    return this.beyond > 0;
  }

  /** The run's next row without a replayed decision, without rows of faults and those after a fault of the journal. */
  get waiting(): DecisionRecord | undefined {
    this.leaveOutFaults(Number.POSITIVE_INFINITY);
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

  /** Up to those of event `n`: what the engine does at a later one may be what failed. */
  private leaveOutFaults(n: number): void {
    while (this.next && isFault(this.next) && this.next.inbox_seq <= n) {
      this.failed = true;
      this.advance();
    }
  }

  /** Called before event `n`: what is decided from here on is decided at it, whatever event the end of a streak carries. */
  handling(n: number): void {
    this.event = n;
  }

  /** Called after that event: the run's decisions up to it must have come, except the ends of streaks. */
  handled(): void {
    this.leaveOutFaults(this.event);
    const waiting = this.failed ? this.waiting : this.next;
    if (waiting && waiting.inbox_seq <= this.event && !isEndOfStreak(waiting) && !this.difference) this.lacks(waiting);
  }

  /** Records that the replay lacks the run's next row. */
  lacks(record: DecisionRecord): void {
    this.differ('decisions', columnsOf(record), undefined);
  }

  /** Records that the replay has decisions after the last of a run that ended in good order. */
  hasMore(): void {
    this.differ('decisions', undefined, this.firstBeyond);
  }

  /** Records that the replay lacks the output that a recorded event answers. */
  lacksOutput(event: Plain): void {
    this.differ('outputs', event, undefined);
  }

  private differ(table: RowDifference['table'], recorded: Plain | undefined, replayed: Plain | undefined): void {
    this.difference ??= { table, row: this.compared + 1, recorded, replayed, fields: differences(recorded, replayed) };
  }

  /** Compares the derived tables with those of the run. Call it once all rows are compared. */
  compareTables(rows: RunRows): { readonly orders: number; readonly ledger: number } {
    for (const record of rows.wordsOfOthers()) this.project(record, 'orders');
    let count = 0;
    for (const row of rows.orders.values()) {
      count += 1;
      const replayed = this.orders.get(row.order_id);
      this.check('orders', count, { ...row }, replayed && { ...replayed });
    }
    const lost = [...this.orders.values()].find(({ order_id, run_id }) => run_id === this.run && !rows.orders.has(order_id));
    if (lost) this.check('orders', count + 1, undefined, { ...lost });
    let entries = 0;
    for (const { entry_id, run_id, ...row } of rows.ledger()) {
      entries += 1;
      this.check('ledger', entries, row, this.entries[entries - 1]);
    }
    if (this.entries.length > entries) this.check('ledger', entries + 1, undefined, this.entries[entries]);
    return { orders: rows.orders.size, ledger: entries };
  }

  private check(table: RowDifference['table'], row: number, recorded: Plain | undefined, replayed: Plain | undefined): void {
    if (this.difference) return;
    const fields = differences(recorded, replayed);
    if (fields.length > 0) this.difference = { table, row, recorded, replayed, fields };
  }

  /**
   * True where another program held the journal as the run wanted to send this order, which was refused. The begin of its plan was written
   * all the same.
   */
  private wasRefused(decisions: readonly Decision[]): boolean {
    if (!decisions.some(({ kind }) => kind === 'intent')) return false;
    const refusal = this.next?.kind === 'working' && decisions[0]?.kind === 'working' ? this.following : this.next;
    return refusal?.reason === 'JOURNAL_BUSY';
  }

  private compare(decision: Decision): void {
    if (this.difference) return;
    const replayed = recordOf(decision, this.run, CHAIN_START);
    if (!isFault(decision)) this.leaveOutFaults(this.event);
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
      this.next = this.following;
      const { value, done } = this.rows.next();
      this.following = done ? undefined : value;
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

/** Releases that no person asked for: where another program holds the journal they come with a later event. */
const isReleaseByRule = ({ kind, reason, detail }: Decision): boolean =>
  (kind === 'armed' && reason === 'BY_RULE' && detail.anew === true) || (kind === 'enabled' && reason === 'PRODUCT_CHECKED');

const isEndOfStreak = (row: DecisionRecord): boolean => detailOf(row).repeated !== undefined;

/** The columns that equal decisions share: without number, hash and run. */
function columnsOf(record: DecisionRecord): Plain {
  const { run_id, seq, prev_hash, hash, detail, ...columns } = record;
  return { ...columns, detail: detailOf(record) };
}

/** The time of a row, for people. */
export const timeOf = (record: DecisionRecord): string => isoTime(Date.parse(record.at));
