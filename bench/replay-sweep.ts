import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTicks, writeTicks } from './import-csv.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, type Ratio, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { median } from './statistics.ts';

const CHILD = fileURLToPath(new URL('./replay-sweep-child.ts', import.meta.url));

/** What a process that played trials has measured of itself. */
export interface SweepMeasured {
  /** From the first job to the last result, starts of threads included. */
  readonly ms: number;
  /** CPU time of the whole process in that time. */
  readonly cpuMs: number;
  /** Most memory that the process had at a time. */
  readonly bytes: number;
}

/**
 * The same trials in one thread and in two, of a short sweep and of a long one, by the clock and by CPU time: what a thread costs until
 * it is warm weighs on the short one. And the memory of many trials beside that of one, which has the columns as well. Each
 * in a process of its own that finds its source compiled, as the second start of `kairos sweep` does.
 */
export async function benchSweep({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const rows = quick ? 4_000 : 100_000;
  const rounds = quick ? 1 : 3;
  const { short, long, many } = quick ? { short: 2, long: 3, many: 4 } : { short: 8, long: 48, many: 100 };
  return inScratch(async (folder) => {
    writeTicks(join(folder, 'ticks.csv'), rows);
    await importTicks(join(folder, 'ticks.csv'), join(folder, 'out'));
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const measured = (trials: number, threads: number): SweepMeasured =>
      JSON.parse(execFileSync(process.execPath, [CHILD, folder, String(trials), String(threads)], { encoding: 'utf8', env }));
    measured(1, 1);
    const threads = (trials: number, goal: number | null): readonly Ratio[] => {
      const one: SweepMeasured[] = [];
      const two: SweepMeasured[] = [];
      for (let round = 0; round < rounds; round += 1) {
        one.push(measured(trials, 1));
        two.push(measured(trials, 2));
      }
      const rate = (of: readonly SweepMeasured[], label: string): Figure => ({
        label,
        value: (trials * 1000) / median(of.map(({ ms }) => ms)),
        unit: 'trials/s',
      });
      const cpu = (of: readonly SweepMeasured[], label: string): Figure => ({
        label,
        value: median(of.map(({ cpuMs }) => cpuMs)) / trials,
        unit: 'ms/trial',
      });
      const sides = { ours: rate(two, '2 threads'), theirs: rate(one, '1 thread') };
      return [
        ratioOf(`${trials} trials, by the clock`, { ...sides, ...(goal !== null && { goal: { atLeast: goal } }) }),
        ratioOf(`${trials} trials, CPU time`, { ours: cpu(two, '2 threads'), theirs: cpu(one, '1 thread') }),
      ];
    };
    const memory = (trials: number, of: number): Figure => ({
      label: `${trials} ${trials === 1 ? 'trial' : 'trials'}`,
      value: measured(trials, of).bytes / 1e6,
      unit: 'MB',
    });
    return {
      name: 'sweep',
      ratios: [
        ...threads(short, null),
        ...threads(long, 1.85),
        ratioOf('memory, one thread', { ours: memory(many, 1), theirs: memory(1, 1), goal: { atMost: 1.2 } }),
      ],
      figures: [
        { label: 'quotes', value: rows, unit: 'quotes' },
        { ...memory(short, 2), label: `memory, ${short} trials in two threads` },
      ],
    };
  });
}
