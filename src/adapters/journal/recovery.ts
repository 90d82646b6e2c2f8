import type Database from 'better-sqlite3';
import type { ActionDetail, DecisionOf } from '#domain/decision.ts';
import type { BookAmount, LearnedSize, PastExit, PastFill, PastUnknown } from '#domain/event.ts';
import { COUNTS_FROM_HERE } from '#domain/financing.ts';
import type { Latch } from '#domain/latch.ts';
import type { PastManualRequest } from '#domain/manual-request.ts';
import type { Millis } from '#domain/names.ts';
import type { FillText } from '#domain/order.ts';
import type { PastSignal } from '#domain/outside-signal.ts';
import type { PastBooks } from '#domain/past-books.ts';
import type { PastRisk } from '#domain/past-risk.ts';
import type { PastLine } from '#domain/schedule.ts';
import type { PastWork, PositionPeak } from '#domain/work-text.ts';
import type { JournalState } from './journal-state.ts';
import { LATCHING, Latches } from './latches.ts';
import { sizesIn } from './learned-sizes.ts';
import { haltPassedOn, openCreates, pastLines, pastManualRequests, unanswered } from './left-open.ts';
import { pastRisk } from './past-risk.ts';
import { lastSignals } from './past-signals.ts';
import { pastPeaks, pastWorks } from './past-works.ts';
import { type DecisionRecord, decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** A strategy as it was configured in the run that journaled its state; `use` is null where that run does not say it. */
interface StateOrigin {
  readonly product: string;
  readonly use: string | null;
}

/** What earlier runs left behind, from which a new one starts. */
export interface RecoveryState {
  /** Highest inbox number of any decision; a new run numbers on from here, so that order ids stay unique. */
  readonly lastInboxSeq: number;
  /** What fills came to. */
  readonly books: PastBooks;
  readonly unknowns: PastUnknown[];
  readonly latches: Latch[];
  /** Opening balances booked so far, one a book and currency. */
  readonly openings: readonly BookAmount[];
  /** The last exit that was due, of each strategy and product. */
  readonly exits: PastExit[];
  /** Plans at work, and the best prices of open positions. */
  readonly works: PastWork[];
  readonly peaks: PositionPeak[];
  /** Closings that people asked for and that had not ended. */
  readonly hands: PastManualRequest[];
  readonly learned: LearnedSize[];
  /** The state that each strategy kept last, as JSON, by strategy id. */
  readonly states: Record<string, string>;
  /** What each of those strategies was, when it kept its state. */
  readonly stateOrigins: Readonly<Record<string, StateOrigin>>;
  readonly risk: PastRisk;
  /** How far the lines of the schedule were dealt with. */
  readonly schedule: PastLine[];
  /** Actions, without creates, whose last answer the last run did not receive. */
  readonly unanswered: ActionDetail[];
  /** The service has answered to what passed the standing halt on. */
  readonly haltPassedOn: boolean;
  /** Until when the last run has booked financing; null where it had none. */
  readonly financedUpTo: Millis | null;
  /** True where that was a roll, and not a run that counts from its start on. */
  readonly financedByRoll: boolean;
  /** The last 2,000, newest last. */
  readonly usedQuotes: string[];
  /** Creates of strategies at the service whose outcome is not known. */
  readonly creates: ActionDetail[];
  /** The last signal of each source from outside. */
  readonly signals: readonly PastSignal[];
  /** Why the snapshot that was kept could not be used, so that all rows were read; null where nothing is wrong with it. */
  readonly snapshotFault: string | null;
}

const QUOTES_KEPT = 2_000;

/** An ISO time after every row. */
const FOR_EVER = '9999';

/** Reads what earlier runs left, given what all their rows come to. Writes nothing. */
export function recover(database: Database.Database, state: JournalState, now: Millis): Omit<RecoveryState, 'snapshotFault'> {
  const { books, flows, openings } = state;
  const rows = (kind: keyof JournalState['rows']) => rowsAt(database, Object.values(state.rows[kind]));
  return {
    lastInboxSeq:
      database.prepare<[], number>('SELECT inbox_seq FROM decisions WHERE inbox_seq > 0 ORDER BY seq DESC LIMIT 1').pluck().get() ?? 0,
    books,
    unknowns: unknownsOf(database),
    latches: latchesOf(database),
    openings,
    exits: exitsOf(rows('exit')),
    works: pastWorks(database, rows('working')),
    peaks: pastPeaks(rows('peak')),
    hands: pastManualRequests(database),
    learned: sizesIn(rows('learned')),
    states: statesOf(rows('state')),
    stateOrigins: originsOf(database, rows('state')),
    risk: pastRisk(database, now, flows),
    schedule: pastLines(database),
    unanswered: unanswered(database),
    haltPassedOn: haltPassedOn(database),
    ...lastFinanced(database),
    usedQuotes: database
      .prepare<[number], string>('SELECT quote_id FROM orders ORDER BY rowid DESC LIMIT ?')
      .pluck()
      .all(QUOTES_KEPT)
      .reverse(),
    creates: openCreates(database),
    signals: lastSignals(database),
  };
}

/** The rows with those numbers, in their order. */
function rowsAt(database: Database.Database, seqs: readonly number[]): DecisionRecord[] {
  const row = database.prepare<[number], DecisionRecord>('SELECT * FROM decisions WHERE seq = ?');
  return [...seqs].sort((a, b) => a - b).flatMap((seq) => row.get(seq) ?? []);
}

type FillRow = FillText & { readonly at: string; readonly orderId: string; readonly strategy: string; readonly product: string };

/**
 * The fills that stood, in the order they were journaled. Each moved the base currency, then the quote currency, and its order has the
 * figures: the decisions themselves may be in an archive. `after`: only those of later entries of the ledger.
 */
export function fillsOf(database: Database.Database, after = 0, upTo = Number.MAX_SAFE_INTEGER): PastFill[] {
  const rows = database
    .prepare<[number, number], FillRow>(
      `SELECT b.at, b.order_id AS orderId, o.strategy, o.product, o.side, b.currency AS baseCcy, q.currency AS quoteCcy, o.price, o.size,
         o.value, o.fee, o.fee_ccy AS feeCcy
       FROM ledger b CROSS JOIN ledger q ON q.entry_id = b.entry_id + 1 CROSS JOIN orders o ON o.order_id = b.order_id
       WHERE b.entry_id > ? AND b.entry_id <= ? AND b.kind = 'fill' AND q.kind = 'fill' AND q.order_id = b.order_id ORDER BY b.entry_id`,
    )
    .all(after, upTo);
  return rows.map(({ at, orderId, strategy, product, ...fill }) => ({ orderId, strategy, product, at: Date.parse(at), fill }));
}

function exitsOf(rows: readonly DecisionRecord[]): PastExit[] {
  return rows.flatMap((row) => {
    const { strategy, product, at, reason } = decisionOf(row);
    return strategy === null || product === null || reason === null ? [] : [{ strategy, product, at, reason }];
  });
}

function statesOf(rows: readonly DecisionRecord[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const { strategy, detail } = decisionOf(row) as DecisionOf<'state'>;
      return strategy === null ? [] : [[strategy, detail.state]];
    }),
  );
}

function originsOf(database: Database.Database, rows: readonly DecisionRecord[]): Record<string, StateOrigin> {
  const useOf = database
    .prepare<[string, string], string | null>(
      `SELECT entry.value ->> 'use' FROM runs, json_each(iif(json_valid(config_json), config_json, '{}'), '$.strategies') AS entry
       WHERE run_id = ? AND entry.value ->> 'id' = ?`,
    )
    .pluck();
  return Object.fromEntries(
    rows.flatMap(({ run_id, strategy, product }) =>
      strategy === null || product === null
        ? []
        : [[strategy, { product: product.toLowerCase(), use: useOf.get(run_id, strategy) ?? null }]],
    ),
  );
}

function unknownsOf(database: Database.Database): PastUnknown[] {
  const rows = database
    .prepare<[], DecisionRecord & { readonly state: string }>(
      `SELECT d.*, o.state AS state FROM orders o JOIN decisions d ON d.order_id = o.order_id AND d.kind = 'approved'
       WHERE o.state IN ('intent', 'sent', 'unknown') ORDER BY d.seq`,
    )
    .all();
  return rows.map((row) => ({
    order: (decisionOf(row) as DecisionOf<'approved'>).detail.order,
    journaled: row.state === 'unknown',
  }));
}

/** Up to when rolls are dealt with; null if none ever were, or if a run since then had no financing. A run without a roll says nothing of it. */
function lastFinanced(database: Database.Database): Pick<RecoveryState, 'financedUpTo' | 'financedByRoll'> {
  const found = database
    .prepare<[], { readonly up_to: string; readonly why: string }>(
      `SELECT detail ->> 'upTo' AS up_to, detail ->> 'why' AS why FROM decisions WHERE kind = 'booked' AND ${BESIDE_ORDERS} AND detail ->> 'upTo' IS NOT NULL
       AND seq > (SELECT coalesce(max(seq), 0) FROM decisions JOIN runs USING (run_id) WHERE kind = 'started' AND ${BESIDE_ORDERS}
         AND coalesce(json_array_length(config_json, '$.account.financing.rates'), 0) = 0) ORDER BY seq DESC LIMIT 1`,
    )
    .get();
  return found === undefined
    ? { financedUpTo: null, financedByRoll: false }
    : { financedUpTo: Date.parse(found.up_to), financedByRoll: found.why !== COUNTS_FROM_HERE };
}

/** What is latched after all rows so far. Rows after `upTo`, an ISO time, are left out. */
export function latchesOf(database: Database.Database, upTo: string = FOR_EVER): Latch[] {
  const kinds = LATCHING.map((kind) => `'${kind}'`).join(', ');
  const rows = database
    .prepare<[string], DecisionRecord>(`SELECT * FROM decisions WHERE kind IN (${kinds}) AND ${BESIDE_ORDERS} AND at <= ? ORDER BY seq`)
    .all(upTo);
  const latches = new Latches();
  for (const row of rows) latches.apply(decisionOf(row));
  return latches.standing;
}
