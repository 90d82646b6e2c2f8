import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Bundle } from '#adapters/export/bundle.ts';
import { exportRun } from '#daemon/operations/bundle/export-run.ts';
import type { BenchOptions } from './options.ts';
import { History } from './recover-journal.ts';
import { type BenchResult, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { benchConfig } from './settings.ts';
import { median } from './statistics.ts';

/** Processor time that a million decisions may take beyond their reading, in milliseconds. */
const ALLOWED_MS = 2_000;

/** A run's decisions as a table for a notebook, in SQLite and in Parquet, beside reading them and two seconds a million. Processor time of the whole process. */
export async function benchBundle({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const rows = quick ? 10_000 : 1_000_000;
  return inScratch(async (folder) => {
    const file = join(folder, 'kairos.db');
    const { json } = benchConfig({ folder, baseUrl: null, strategies: [] });
    new History(file, rows, json).addRun(rows, 'stopped');
    const settings = { journal: { path: file }, recording: { dir: folder } };
    const dir = join(folder, 'bundle');
    const times = { read: [] as number[], written: [] as number[] };
    for (let round = 0; round < (quick ? 1 : 5); round += 1) {
      times.read.push(await cpuMs(() => read(file)));
      times.written.push(await cpuMs(() => write(file, dir)));
    }
    const whole = await cpuMs(() => exportRun({ settings, run: 'last', dir, folders: { cwd: folder, packaged: folder } }));
    const reading = median(times.read);
    return {
      name: 'bundle',
      ratios: [
        ratioOf('a million decisions as a table', {
          ours: { label: 'export of them', value: median(times.written), unit: 'ms' },
          theirs: { label: 'reading them and 2 s a million', value: reading + (ALLOWED_MS * rows) / 1e6, unit: 'ms' },
          goal: { atMost: 1 },
        }),
      ],
      figures: [
        { label: 'decisions', value: rows, unit: '' },
        { label: 'reading them', value: reading, unit: 'ms' },
        { label: 'export of the run, with an order in seven decisions', value: whole, unit: 'ms' },
      ],
    };
  });
}

function write(file: string, dir: string): void {
  const bundle = new Bundle(dir);
  bundle.decisions(file, 'run-0', Number.MAX_SAFE_INTEGER);
  if (bundle.finish().decisions === 0) throw new Error('the journal has no decision');
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Every row, each value as JavaScript has it. */
function read(file: string): void {
  const database = new Database(file, { readonly: true });
  let count = 0;
  for (const row of database.prepare<[], unknown[]>('SELECT * FROM decisions ORDER BY seq').raw().iterate()) count += row.length;
  database.close();
  if (count === 0) throw new Error('the journal has no decision');
}
