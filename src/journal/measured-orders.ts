import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';

/** How the service answered an order of a past run, as far as the journal knows. */
export interface MeasuredOrder {
  readonly quoteId: string;
  readonly outcome: 'accepted' | 'rejected' | 'unknown';
  /** From the write to the answer; null where none came. */
  readonly roundTripMs: number | null;
  readonly httpStatus: number | null;
  readonly body: string;
  /** True when the answer came after the quote's death. */
  readonly late: boolean;
}

interface Row {
  readonly quote_id: string;
  readonly state: 'accepted' | 'rejected' | 'unknown';
  readonly settled_at: string | null;
  readonly valid_until: string;
  readonly response: string | null;
  readonly round_trip: number | null;
  readonly http_status: number | null;
}

/** The last word that the service itself gave on each order. */
const ANSWERED = `SELECT o.quote_id, o.state, o.settled_at, o.valid_until, o.response,
    json_extract(d.detail, '$.roundTripMs') AS round_trip, json_extract(d.detail, '$.httpStatus') AS http_status
  FROM orders o LEFT JOIN decisions d ON d.seq =
    (SELECT max(seq) FROM decisions WHERE order_id = o.order_id AND kind IN ('accepted', 'rejected'))
  WHERE o.state IN ('accepted', 'rejected', 'unknown') AND (@run IS NULL OR o.run_id = @run) ORDER BY o.rowid`;

/**
 * Orders that left, with what came back: of one run, or of all. Reads only, also while a daemon runs. Throws what opening
 * a journal throws.
 */
export function measuredOrders(path: string, run: string | null): readonly MeasuredOrder[] {
  const database = openForReading(journalFiles(path));
  try {
    const rows = database.prepare<[{ run: string | null }], Row>(ANSWERED).all({ run });
    return rows.map(
      (row): MeasuredOrder => ({
        quoteId: row.quote_id,
        outcome: row.state,
        roundTripMs: row.round_trip,
        httpStatus: row.http_status,
        body: row.response ?? '',
        late: row.settled_at !== null && row.settled_at > row.valid_until,
      }),
    );
  } finally {
    database.close();
  }
}
