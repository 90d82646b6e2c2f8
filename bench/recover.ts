import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { BenchOptions } from './options.ts';
import { History } from './recover-journal.ts';
import type { BenchResult, Figure } from './result.ts';
import { inScratch } from './scratch.ts';
import { machineMs } from './statistics.ts';

const ROWS = 5_000_000;
const QUICK_ROWS = 50_000;
const RUNS = 50;
/** Rows behind the snapshot when a process is killed just before another is due. */
const BEHIND = 1_900;

/**
 * A start on a journal of years: how long it takes to open and to read what earlier runs left, after a clean end, after a
 * SIGKILL at the worst moment, and where no snapshot can be used. Wall time; the journal was just written, so that its pages are in memory.
 */
export async function benchRecover({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch((folder) => {
    const path = join(folder, 'kairos.db');
    const before = machineMs();
    const rows = quick ? QUICK_ROWS : ROWS;
    const history = new History(path, rows);
    for (let run = 0; run < RUNS; run++) history.addRun(rows / RUNS, 'stopped');
    const madeMs = machineMs() - before;
    const stopped = start(path, history.at);
    history.addRun(BEHIND, 'killed');
    const killed = start(path, history.at);
    withoutSnapshot(path);
    const whole = start(path, history.at);
    const ms = (label: string, value: number): Figure => ({ label, value, unit: 'ms' });
    return {
      name: `recover, ${quick ? '50 thousand' : '5 million'} rows`,
      ratios: [],
      figures: [
        ms('open (goal 2,000)', stopped.openMs),
        ms('recover after a clean end (goal 10,000)', stopped.recoverMs),
        ms('recover after a SIGKILL, 1,900 rows behind the snapshot (goal 10,000)', killed.recoverMs),
        ms('recover without a snapshot, which the first start after an upgrade does', whole.recoverMs),
        ms('the same, CPU time', whole.cpuMs),
        { label: 'memory that this takes', value: whole.grownMb, unit: 'MB' },
        { label: "the start's event", value: stopped.eventKb, unit: 'kB' },
        { label: 'making the journal', value: madeMs / 1000, unit: 's' },
      ],
    };
  });
}

function start(path: string, at: number) {
  const rssBefore = process.memoryUsage.rss();
  const begun = machineMs();
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {}, now: () => at });
  try {
    const opened = machineMs();
    const cpuBefore = process.threadCpuUsage();
    const recovered = journal.recover(at);
    const { user, system } = process.threadCpuUsage(cpuBefore);
    const done = machineMs();
    return {
      openMs: opened - begun,
      recoverMs: done - opened,
      cpuMs: (user + system) / 1000,
      grownMb: (process.memoryUsage.rss() - rssBefore) / 1e6,
      eventKb: JSON.stringify(recovered).length / 1000,
    };
  } finally {
    journal.close();
  }
}

function withoutSnapshot(path: string): void {
  const database = new Database(path);
  database.exec('DELETE FROM snapshots');
  database.close();
}
