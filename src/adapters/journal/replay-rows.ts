import type Database from 'better-sqlite3';
import { ALARM_KINDS } from '#domain/alarm-kinds.ts';
import { archiveOf } from './archives.ts';
import { BESIDE_ORDERS } from './schema.ts';
import { RowSeeker, type RowSpan } from './seek.ts';
import type { OrderRow } from './tables.ts';

/** Where a search begins, and which way it goes. */
interface Search {
  readonly span: RowSpan;
  readonly seq: number;
  readonly back: boolean;
}

/** Rows through which a refusal is looked for, since no index has them. */
export const REFUSAL_ROWS = 200_000;
/** Orders that were wanted at one instant. */
const AT_ONCE = 50;
/** Refusals of kinds that an index has. */
const INDEXED_REFUSALS = ['expired', 'not_sent', 'lapsed', 'leg_failed'] as const;

/** Finds places in a journal of any length by a few rows: nothing reads a run as a whole. To be asked through `JournalReader.named`. */
export class ReplayRows {
  private readonly database: Database.Database;
  private readonly seeker: RowSeeker;

  constructor(database: Database.Database) {
    this.database = database;
    this.seeker = new RowSeeker(database);
  }

  /** The rows of a run, which stand one after the other; null where an archive has them, or there are none. */
  spanOf(run: string): RowSpan | null {
    return archiveOf(this.database, run) ? null : spanIn(this.database, run);
  }

  /** The last row at an ISO time or before; `first - 1` where there is none. */
  upTo(span: RowSpan, at: string): number {
    return this.seeker.firstWhere(span, (row) => row.at > at) - 1;
  }

  /** The next or the last row; undefined at the end. */
  step({ span, seq, back }: Search): number | undefined {
    const next = back ? seq - 1 : seq + 1;
    return next < span.first || next > span.last ? undefined : next;
  }

  /** Where the next or the last order was approved. */
  order({ span, seq, back }: Search): number | undefined {
    const at = this.seeker.atOf(Math.min(Math.max(seq, span.first), span.last));
    const ids = this.database
      .prepare<[string, string], string>(
        back
          ? `SELECT order_id FROM orders WHERE intent_at <= ? AND intent_at >= ? ORDER BY intent_at DESC LIMIT ${AT_ONCE}`
          : `SELECT order_id FROM orders WHERE intent_at >= ? AND intent_at <= ? ORDER BY intent_at LIMIT ${AT_ONCE}`,
      )
      .pluck()
      .all(at, this.seeker.atOf(back ? span.first : span.last));
    const approved = this.database.prepare<[string], number>("SELECT seq FROM decisions WHERE order_id = ? AND kind = 'approved'").pluck();
    return nearest(
      ids.flatMap((id) => approved.get(id) ?? []),
      { span, seq, back },
    );
  }

  /** The next or the last row that tells of trouble. */
  alarm(search: Search): number | undefined {
    return this.ofKinds(ALARM_KINDS, search);
  }

  /** The next or the last refusal, of the nearest `REFUSAL_ROWS` rows those of the checks. */
  refusal(search: Search): number | undefined {
    const { seq, back } = search;
    const [from, to] = back ? [seq - REFUSAL_ROWS, seq - 1] : [seq + 1, seq + REFUSAL_ROWS];
    const refused = this.database
      .prepare<[number, number], number>(
        `SELECT seq FROM decisions WHERE seq BETWEEN ? AND ? AND kind = 'refused' ORDER BY seq ${back ? 'DESC' : 'ASC'} LIMIT 1`,
      )
      .pluck()
      .get(from, to);
    const indexed = this.ofKinds(INDEXED_REFUSALS, search);
    return nearest(
      [refused, indexed].filter((one) => one !== undefined),
      search,
    );
  }

  /** Orders of a run that were open at an ISO time, up to a row of then, each with its state; `from`: when the run began. */
  openAt({ at, seq, from }: { readonly at: string; readonly seq: number; readonly from: string }): readonly OrderRow[] {
    const rows = this.database
      .prepare<[string, string, string], OrderRow>(
        'SELECT * FROM orders WHERE intent_at BETWEEN ? AND ? AND (settled_at IS NULL OR settled_at > ?) ORDER BY intent_at',
      )
      .all(from, at, at);
    const unknown = this.database.prepare<[string, number], number>(
      "SELECT 1 FROM decisions WHERE order_id = ? AND kind = 'unknown' AND seq <= ? LIMIT 1",
    );
    return rows.map((row) => ({
      ...row,
      state: unknown.get(row.order_id, seq) ? 'unknown' : row.sent_at !== null && row.sent_at <= at ? 'sent' : 'intent',
    }));
  }

  /** When orders were wanted and troubles told, ISO. */
  marksOf(span: RowSpan): { readonly orders: readonly string[]; readonly alarms: readonly string[] } {
    const [from, to] = [this.seeker.atOf(span.first), this.seeker.atOf(span.last)];
    const orders = this.database
      .prepare<[string, string], string>('SELECT intent_at FROM orders WHERE intent_at BETWEEN ? AND ? ORDER BY intent_at')
      .pluck();
    const alarms = this.database
      .prepare<[string, number, number], string>(
        `SELECT at FROM decisions WHERE kind IN (SELECT value FROM json_each(?)) AND ${BESIDE_ORDERS} AND seq BETWEEN ? AND ?`,
      )
      .pluck();
    return { orders: orders.all(from, to), alarms: alarms.all(JSON.stringify(ALARM_KINDS), span.first, span.last) };
  }

  /** Each kind by itself, so that the index of kinds finds it at once. */
  private ofKinds(kinds: readonly string[], search: Search): number | undefined {
    const found = this.database
      .prepare<[string, number], number | null>(
        `SELECT ${search.back ? 'max' : 'min'}(seq) FROM decisions WHERE kind = ? AND ${BESIDE_ORDERS} AND seq ${search.back ? '<' : '>'} ?`,
      )
      .pluck();
    return nearest(
      kinds.flatMap((kind) => found.get(kind, search.seq) ?? []),
      search,
    );
  }
}

/** The row of some that lies next to where a search begins. */
function nearest(rows: readonly number[], { span, seq, back }: Search): number | undefined {
  const beyond = rows.filter((one) => one >= span.first && one <= span.last && (back ? one < seq : one > seq));
  return beyond.length === 0 ? undefined : back ? Math.max(...beyond) : Math.min(...beyond);
}

/** What the journal itself has of a run; null where it has no row of it. */
function spanIn(database: Database.Database, run: string): RowSpan | null {
  const runs = database.prepare<[], string>('SELECT run_id FROM runs ORDER BY rowid').pluck().all();
  const wanted = runs.indexOf(run);
  const seeker = new RowSeeker(database);
  const whole = seeker.whole();
  if (whole === null) return null;
  const beginOf = (ordinal: number): number => seeker.firstWhere(whole, ({ run_id }) => runs.indexOf(run_id) >= ordinal);
  const first = beginOf(wanted);
  const last = beginOf(wanted + 1) - 1;
  return first > last ? null : { first, last };
}

/** When the last decision of a run that the journal itself has was made, ISO; null where it has none of it. */
export function lastTimeOf(database: Database.Database, run: string): string | null {
  const span = spanIn(database, run);
  return span && new RowSeeker(database).atOf(span.last);
}
