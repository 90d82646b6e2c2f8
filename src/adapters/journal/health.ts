import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Latch } from '#domain/latch.ts';
import { type SpoiltArchive, spoiltArchives } from './archive-ends.ts';
import { archiveNames } from './archives.ts';
import { openForReading } from './database.ts';
import { openFault } from './fault.ts';
import { journalFiles } from './files.ts';
import type { LeaseHolder } from './lease.ts';
import { whyUnknown } from './named-rows.ts';
import { JournalReader } from './reader.ts';
import { checkEnd, lostJournal } from './start-checks.ts';
import { type StatusReport, statusReport } from './status-report.ts';
import type { RunRow } from './tables.ts';

/** What is known of a journal before a start; `wrong` says in one line why it cannot be used. */
export interface JournalHealth {
  readonly exists: boolean;
  /** Why a journal that is not there should be, and what to do. */
  readonly lost: ReturnType<typeof lostJournal>;
  readonly wrong: string | null;
  /** The book of its last run. */
  readonly book: string | null;
  readonly holder: LeaseHolder | null;
  /** Its last run, with its configuration. */
  readonly run: RunRow | null;
  readonly latches: readonly Latch[];
  /** Orders of unknown outcome, each with its reason, which names the setting at fault if an answer came. */
  readonly unknowns: readonly { readonly order: string; readonly why: string | null }[];
  readonly positions: StatusReport['positions'];
  /** Archives that are not beside it. */
  readonly missingArchives: readonly string[];
  readonly spoiltArchives: readonly SpoiltArchive[];
}

const NONE: JournalHealth = {
  exists: false,
  lost: null,
  wrong: null,
  book: null,
  holder: null,
  run: null,
  latches: [],
  unknowns: [],
  positions: [],
  missingArchives: [],
  spoiltArchives: [],
};

/** Reads the journal at `path` and checks its last rows, also while a daemon writes it. Changes nothing. */
export function journalHealth(path: string): JournalHealth {
  const files = journalFiles(path);
  try {
    if (!existsSync(files.database)) return { ...NONE, lost: lostJournal(files) };
    const database = openForReading(files);
    try {
      checkEnd(database, files);
    } finally {
      database.close();
    }
    const reader = JournalReader.open(path);
    try {
      const open = reader.openOrders();
      const run = reader.lastRun();
      return {
        exists: true,
        lost: null,
        wrong: null,
        book: run?.book ?? null,
        holder: reader.holder(),
        run: run ?? null,
        latches: reader.latches(),
        unknowns: open.flatMap(({ order_id, state }) =>
          state === 'unknown' ? [{ order: order_id, why: reader.named((database) => whyUnknown(database, order_id)) }] : [],
        ),
        positions: statusReport(reader).positions,
        missingArchives: reader.named((database) => archiveNames(database, dirname(files.database)).missing),
        spoiltArchives: reader.named((database) => spoiltArchives(database, dirname(files.database))),
      };
    } finally {
      reader.close();
    }
  } catch (error) {
    return { ...NONE, exists: true, wrong: openFault(error, files.named).message };
  }
}
