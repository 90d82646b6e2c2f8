import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTicks, writeTicks } from './import-csv.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { median } from './statistics.ts';

const CHILD = fileURLToPath(new URL('./replay-sweep-child.ts', import.meta.url));

/** What a process that played trials has measured of itself. */
export interface SweepMeasured {
  /** From the first job to the last result, starts of threads included. */
  readonly ms: number;
  /** Most memory that the process had at a time. */
  readonly bytes: number;
}

/**
 * The same trials in one thread and in two, and the memory of many trials beside that of one, which has the columns as well: each in
 * a process of its own. Wall time.
 */
export async function benchSweep({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const rows = quick ? 4_000 : 200_000;
  const [few, many] = quick ? [2, 4] : [8, 100];
  return inScratch(async (folder) => {
    writeTicks(join(folder, 'ticks.csv'), rows);
    await importTicks(join(folder, 'ticks.csv'), join(folder, 'out'));
    const measured = (trials: number, threads: number): SweepMeasured =>
      JSON.parse(execFileSync(process.execPath, [CHILD, folder, String(trials), String(threads)], { encoding: 'utf8' }));
    const times = new Map<number, number[]>([
      [1, []],
      [2, []],
    ]);
    for (let round = 0; round < (quick ? 1 : 3); round += 1) {
      for (const [threads, taken] of times) taken.push(measured(few, threads).ms);
    }
    const rate = (threads: number): Figure => ({
      label: `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
      value: (few * 1000) / median(times.get(threads) ?? []),
      unit: 'trials/s',
    });
    const memory = (trials: number, threads: number): Figure => ({
      label: `${trials} ${trials === 1 ? 'trial' : 'trials'}`,
      value: measured(trials, threads).bytes / 1e6,
      unit: 'MB',
    });
    return {
      name: 'sweep',
      ratios: [
        ratioOf('threads', { ours: rate(2), theirs: rate(1), goal: { atLeast: 1.85 } }),
        ratioOf('memory, one thread', { ours: memory(many, 1), theirs: memory(1, 1), goal: { atMost: 1.2 } }),
      ],
      figures: [
        { label: 'quotes', value: rows, unit: 'quotes' },
        { ...memory(few, 2), label: `memory, ${few} trials in two threads` },
      ],
    };
  });
}
