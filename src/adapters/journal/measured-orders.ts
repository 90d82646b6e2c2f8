import type { Millis } from '#domain/names.ts';
import { refuseArchived } from './archives.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';

/** What became of an order of a past run that reached the last gate, and how long it took, in engine time. */
export interface MeasuredOrder {
  readonly quoteId: string;
  readonly strategy: string;
  readonly side: string;
  readonly outcome: 'accepted' | 'rejected' | 'unknown' | 'expired';
  readonly intentAt: Millis;
  /** From the decision to the last gate. */
  readonly gateMs: number;
  /** From the gate to when the answer was handled; null where nothing was sent, or nothing came back. */
  readonly roundTripMs: number | null;
  readonly httpStatus: number | null;
  readonly body: string;
  /** True if the answer came after the quote had expired. */
  readonly late: boolean;
}

interface Row {
  readonly quote_id: string;
  readonly strategy: string;
  readonly side: string;
  readonly state: MeasuredOrder['outcome'];
  readonly intent_at: string;
  readonly sent_at: string | null;
  readonly settled_at: string | null;
  readonly valid_until: string;
  readonly response: string | null;
  readonly http_status: number | null;
  /** When the service's own answer came; null where none did. */
  readonly answered_at: string | null;
}

/** Orders with the service's last answer; a person's settlement says nothing about how long it took. */
const ANSWERED = `SELECT o.quote_id, o.strategy, o.side, o.state, o.intent_at, o.sent_at, o.settled_at, o.valid_until, o.response,
    json_extract(d.detail, '$.httpStatus') AS http_status, d.at AS answered_at
  FROM orders o LEFT JOIN decisions d ON d.seq =
    (SELECT max(seq) FROM decisions WHERE order_id = o.order_id AND kind IN ('accepted', 'rejected'))
  WHERE (o.state = 'expired' OR o.sent_at IS NOT NULL AND o.state IN ('accepted', 'rejected', 'unknown'))
    AND (@run IS NULL OR o.run_id = @run)
    AND EXISTS (SELECT 1 FROM decisions i WHERE i.order_id = o.order_id AND i.kind = 'intent') ORDER BY o.rowid`;

/**
 * Orders that reached the last gate, with what came of them: of one run, or of all whose decisions are in no archive. Reads only, also while a daemon runs.
 * Throws what opening a journal throws.
 */
export function measuredOrders(path: string, run: string | null): readonly MeasuredOrder[] {
  const database = openForReading(journalFiles(path));
  try {
    return database.transaction(() => {
      if (run !== null) refuseArchived(database, path, run);
      return database.prepare<[{ run: string | null }], Row>(ANSWERED).all({ run }).map(measured);
    })();
  } finally {
    database.close();
  }
}

function measured(row: Row): MeasuredOrder {
  const intentAt = Date.parse(row.intent_at);
  const gateAt = Math.max(intentAt, Date.parse(row.sent_at ?? row.settled_at ?? row.intent_at));
  const answeredAt = row.answered_at === null ? null : Date.parse(row.answered_at);
  return {
    quoteId: row.quote_id,
    strategy: row.strategy,
    side: row.side,
    outcome: row.state,
    intentAt,
    gateMs: gateAt - intentAt,
    roundTripMs: answeredAt === null ? null : Math.max(0, answeredAt - gateAt),
    httpStatus: row.http_status,
    body: row.response ?? '',
    late: (row.settled_at ?? '') > row.valid_until,
  };
}
