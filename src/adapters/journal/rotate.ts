import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type Database from 'better-sqlite3';
import type { DecisionKind } from '#domain/decision.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { dayStart } from '#domain/utc-day.ts';
import { type Retention, removeOldArchives } from './archive-retention.ts';
import { chainBegin, noteArchived } from './archives.ts';
import { backupJournal, PARTIAL } from './backup.ts';
import { openForReading, openForWriting } from './database.ts';
import { openFault } from './fault.ts';
import { type JournalFiles, journalFiles } from './files.ts';
import { HighWater } from './high-water.ts';
import { type JournalState, noteAnew, rowEnd } from './journal-state.ts';
import { LATCHING } from './latches.ts';
import { Lease } from './lease.ts';
import { completeOrders } from './owed-orders.ts';
import { LAST_ORDERS, LAST_REJECTED } from './past-risk.ts';
import { signalRows } from './past-signals.ts';
import type { ChainEnd } from './records.ts';
import { recover } from './recovery.ts';
import { BESIDE_ORDERS } from './schema.ts';
import { Snapshots, stateUpTo } from './snapshots.ts';
import { checkEnd } from './start-checks.ts';
import { Tables } from './tables.ts';

/**
 * Rotates a journal that no daemon holds. Takes the lease itself: throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where
 * there is no journal, and what `rotateJournal` throws.
 */
export function rotateAtRest(path: string, now: Millis): Promise<RotationResult> {
  return atRest(path, (database, files) => {
    const tables = new Tables(database);
    completeOrders(database, tables);
    // The mark names the last row, which stays: it holds whether or not the rows before it have gone.
    const { seq, hash } = tables.end();
    new HighWater(files.mark).note({ seq, hash });
    return rotateJournal(database, files, now);
  });
}

/** Removes old archives of a journal that no daemon holds (`removeOldArchives`). Throws as `rotateAtRest`. */
export const removeArchivesAtRest = (path: string, retention: Retention): Promise<void> =>
  atRest(path, async (database, files) => removeOldArchives(database, files, retention));

async function atRest<Result>(path: string, work: (database: Database.Database, files: JournalFiles) => Promise<Result>): Promise<Result> {
  const files = journalFiles(path);
  openForReading(files).close();
  const lease = Lease.acquire(files, process.pid);
  try {
    const database = openForWriting(files);
    try {
      checkEnd(database, files);
      return await work(database, files);
    } finally {
      database.close();
    }
  } catch (error) {
    throw openFault(error, files.named);
  } finally {
    lease.release();
  }
}

/** When a start is to rotate: once so many decisions have come since the last archive, or the first of them is of an earlier month, in UTC. */
interface RotationRule {
  readonly decisions: number | null;
  readonly monthly: boolean;
}

/** Whether the journal at `path` is to be rotated now. Throws what opening throws. */
export function isRotationDue(path: string, { decisions, monthly }: RotationRule, now: Millis): boolean {
  if ((decisions === null && !monthly) || !existsSync(path)) return false;
  const database = openForReading(journalFiles(path));
  try {
    const begin = chainBegin(database).seq;
    if (decisions !== null && rowEnd(database).seq - begin >= decisions) return true;
    const isOfBefore = database
      .prepare<[string, number], number>('SELECT at < ? FROM decisions WHERE seq > ? ORDER BY seq LIMIT 1')
      .pluck();
    return monthly && isOfBefore.get(isoTime(now).slice(0, 7), begin) === 1;
  } finally {
    database.close();
  }
}

interface RotationResult {
  readonly archive: string;
  /** Number of decisions that only the archive has from now on. */
  readonly moved: number;
  /** The last row of the archive. */
  readonly seq: number;
}

/** Kinds of which a start may read any row, and drills, whose orders a summary tells apart. */
const KEPT_KINDS: readonly DecisionKind[] = [...LATCHING, 'scheduled', 'started', 'action', 'booked', 'by_hand', 'by_hand_end', 'drill'];

/**
 * Moves the decisions of a journal to an archive beside it: a whole and read-only copy, checked as a backup is. What
 * orders, ledger and a start need stays, and the chain goes on from the archive's last hash. The rows go in one transaction, which is
 * undone when a start would find anything else than before; cut off at any point there is one whole journal. To be called by
 * whoever holds the lease, between runs. Throws ACT_REFUSED while an order is open, and what a backup throws.
 */
async function rotateJournal(database: Database.Database, files: JournalFiles, now: Millis): Promise<RotationResult> {
  const open = database.prepare<[], number>("SELECT count(*) FROM orders WHERE state IN ('intent', 'sent', 'unknown')").pluck().get() ?? 0;
  if (open > 0) throw new KairosError('ACT_REFUSED', `${open} orders have no outcome yet: settle them with \`kairos journal resolve\``);
  // The last row may be of an earlier run: a settled order's own.
  const last = database
    .prepare<[], ChainEnd & { run_id: string }>(
      'SELECT seq, hash, (SELECT run_id FROM runs ORDER BY rowid DESC LIMIT 1) AS run_id FROM decisions ORDER BY seq DESC LIMIT 1',
    )
    .get();
  if (!last || last.seq <= chainBegin(database).seq)
    throw new KairosError('ACT_REFUSED', 'there are no decisions to move after the last archive');
  const archive = `${files.database}.archive-${last.seq}`;
  removeCutOff(files);
  await backupJournal(files.database, archive);
  chmodSync(archive, 0o400);
  const moved = database
    .transaction(() => {
      try {
        return move(database, { last, archive, now });
      } catch (error) {
        // Nothing is committed: the journal has all rows of the copy, and no other rotation would remove it.
        rmSync(archive);
        throw error;
      }
    })
    .immediate();
  try {
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    const text = `the decisions are in ${archive}, but the file could not be made smaller (${messageOf(error)}): its free space is used again`;
    throw new KairosError('BACKUP_FAILED', text, { cause: error });
  }
  return { archive, moved, seq: last.seq };
}

/** Removes what rotations that were cut off have left: theirs ended with other rows, so that no copy of today takes their place. */
function removeCutOff({ database }: JournalFiles): void {
  const folder = dirname(database);
  const isCutOff = (name: string): boolean => name.startsWith(`${basename(database)}.archive-`) && name.includes(PARTIAL);
  for (const name of readdirSync(folder).filter(isCutOff)) rmSync(join(folder, name));
}

function move(
  database: Database.Database,
  { last, archive, now }: { readonly last: ChainEnd & { readonly run_id: string }; readonly archive: string; readonly now: Millis },
): number {
  const snapshots = new Snapshots(database);
  snapshots.keep();
  const state = snapshots.journalState();
  const left = (): unknown => ({ state: stateUpTo(database, rowEnd(database)), recovered: recover(database, state, now) });
  const before = left();
  noteAnew(database);
  const named = JSON.stringify([...namedIn(state), ...signalRows(database).map(({ seq }) => seq)]);
  const { changes } = database
    .prepare<[Keep]>(`DELETE FROM decisions WHERE seq <= @last AND seq NOT IN (SELECT seq FROM (${KEPT}) WHERE seq IS NOT NULL)`)
    .run({ last: last.seq, named, since: isoTime(dayStart(now)), works: firstWork(state) });
  database
    .prepare('INSERT INTO archives (seq, hash, file, run_id, at) VALUES (?, ?, ?, ?, ?)')
    .run(last.seq, last.hash, basename(archive), last.run_id, isoTime(now));
  noteArchived(database, last.seq, database);
  if (isDeepStrictEqual(left(), before)) return changes;
  throw new KairosError('JOURNAL_BROKEN', 'nothing was moved: a start would find another state than before; please report it');
}

interface Keep {
  readonly last: number;
  readonly named: string;
  readonly since: string;
  readonly works: number;
}

const KINDS = KEPT_KINDS.map((kind) => `'${kind}'`).join(', ');

/** The rows that `recover` reads, and the base currency of each product. An extra row does no harm; a missing one is detected. */
const KEPT = `
  SELECT @last AS seq UNION SELECT value FROM json_each(@named)
  UNION SELECT max(seq) FROM decisions WHERE inbox_seq > 0
  UNION SELECT max(seq) FROM decisions WHERE kind = 'measured' AND ${BESIDE_ORDERS}
  UNION SELECT seq FROM decisions WHERE kind IN (${KINDS}) AND ${BESIDE_ORDERS}
  UNION SELECT seq FROM (${LAST_REJECTED})
  UNION SELECT d.seq FROM orders o CROSS JOIN decisions d ON d.order_id = o.order_id AND d.kind = 'approved'
    WHERE o.intent_at >= @since OR o.rowid IN (${LAST_ORDERS})
  UNION SELECT d.seq FROM (SELECT min(order_id) AS id FROM orders GROUP BY lower(product)) f JOIN decisions d ON d.order_id = f.id AND d.kind = 'approved'
  UNION SELECT d.seq FROM decisions i JOIN decisions d ON d.order_id = i.order_id
    WHERE i.kind = 'intent' AND i.seq > @works AND json_extract(i.detail, '$.work') IS NOT NULL`;

const namedIn = ({ rows }: JournalState): readonly number[] => Object.values(rows).flatMap((byAbout) => Object.values(byAbout));

/** The first plan at work; without one no order is needed for it. */
const firstWork = ({ rows }: JournalState): number => Math.min(Number.MAX_SAFE_INTEGER, ...Object.values(rows.working));
