import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { copyJournal, makeBackup } from '#daemon/run/backups.ts';
import { runId } from '#domain/names.ts';
import { History } from '../../bench/recover-journal.ts';
import { inScratch } from '../../bench/scratch.ts';
import type { Loaded } from './loads.ts';

/** What L5 asks for, on a machine with nothing else to do. */
const MAX_START_MS = 10_000;
const MAX_BACKUP_MS = 60_000;
const MAX_LAG_MS = 50;
const RUNS = 50;
/** Rows behind the last snapshot when a process is killed just before another is due. */
const BEHIND = 1_900;
/** While a backup is made, the journal is written as often as a busy day does. */
const EVERY_MS = 50;

/**
 * L5: a journal of so many rows in fifty runs, the last of which was killed. A start reads it from its snapshot, then it is copied and
 * checked beside a loop that goes on writing. Journals of less than a million rows are not held to the times.
 */
export function bearYears(rows: number): Promise<Loaded> {
  return inScratch(async (folder) => {
    const file = path.join(folder, 'kairos.db');
    const begun = performance.now();
    const history = new History(file, rows);
    for (let run = 0; run < RUNS; run++) history.addRun(rows / RUNS, 'stopped');
    history.addRun(BEHIND, 'killed');
    const madeMs = performance.now() - begun;
    const opening = performance.now();
    const journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {}, now: () => history.at });
    try {
      const recovered = journal.recover(history.at);
      const startMs = performance.now() - opening;
      const run = runId('run-loaded');
      journal.beginRun({ run, at: history.at, mode: 'paper', version: 'load', configHash: '', configJson: '{}' });
      const backing = await backedUp(journal, { folder, file, at: history.at });
      const { books } = recovered.books;
      const isTimed = rows >= 1_000_000;
      const over = (what: string, ms: number, most: number): string[] => (isTimed && ms > most ? [`${what}: ${ms.toFixed(0)} ms`] : []);
      return {
        number: 'L5',
        what: `a journal of ${rows.toLocaleString('en')} rows`,
        seconds: Math.round((performance.now() - begun) / 1000),
        figures: {
          'making it, s': madeMs / 1000,
          'open and recover after a SIGKILL, ms': startMs,
          'backup and its check, s': backing.ms / 1000,
          'rows in the backup': backing.rows,
          'commits meanwhile': backing.commits,
          'longest loop lag meanwhile, ms': backing.lagMs,
        },
        faults: [
          ...over('the start took long', startMs, MAX_START_MS),
          ...over('the backup took long', backing.ms, MAX_BACKUP_MS),
          ...over('the loop stood still', backing.lagMs, MAX_LAG_MS),
          ...(books.length > 0 ? [] : ['the start found no position']),
          ...(backing.fault === null ? [] : [backing.fault]),
          ...(backing.rows >= rows + BEHIND ? [] : [`the backup has ${backing.rows} rows`]),
        ],
      };
    } finally {
      journal.close();
    }
  });
}

interface BackedUp {
  readonly ms: number;
  readonly lagMs: number;
  readonly rows: number;
  readonly commits: number;
  /** What the backup says where there is none. */
  readonly fault: string | null;
}

/** Makes a backup as a daemon does, beside a loop that writes the journal all the while. */
async function backedUp(journal: SqliteJournal, { folder, file, at }: { folder: string; file: string; at: number }): Promise<BackedUp> {
  const about = { at, inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  let commits = 0;
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const writing = setInterval(() => {
    journal.commit([{ ...about, kind: 'started', detail: { config: 'h', strategies: [] } }]);
    commits += 1;
  }, EVERY_MS);
  const begun = performance.now();
  const settings = {
    path: file,
    instance: 'measured',
    backup: { dir: path.join(folder, 'backups'), everyMs: null, keep: 1 },
    rotate: { decisions: null, monthly: false, keepDays: 0, at: null },
  };
  const signal = new AbortController().signal;
  const { status, response } = await makeBackup('1-1', settings, { now: at, signal, copy: copyJournal });
  const ms = performance.now() - begun;
  clearInterval(writing);
  lag.disable();
  const rows = Number(/(\d+) rows checked/.exec(response ?? '')?.[1] ?? 0);
  return { ms, lagMs: lag.max / 1e6, rows, commits, fault: status === 'confirmed' ? null : `the backup failed: ${response}` };
}
