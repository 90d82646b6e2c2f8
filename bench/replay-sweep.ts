import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchOptions } from './options.ts';
import { byQueue, hasRedis } from './replay-queue.ts';
import type { SweepMeasured } from './replay-sweep-child.ts';
import { type BenchResult, type Figure, type Ratio, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { median } from './statistics.ts';
import { benchTicks } from './ticks.ts';

const CHILD = fileURLToPath(new URL('./replay-sweep-child.ts', import.meta.url));
const LOOPS = fileURLToPath(new URL('./idle-loops-child.ts', import.meta.url));

/**
 * The same trials in one thread and in two, of a short sweep and of a long one, by the clock and by CPU time: what a thread costs until
 * it is warm weighs on the short one. What a second thread brings is held against what it brings to an empty loop on this machine, whose
 * cores may share what they have. Where there is a redis-server, the same trials by a queue in two workers as well. And the memory of many trials beside that of one, which has the columns as well. Each in a process of
 * its own that finds its source compiled, as the second start of `kairos sweep` does.
 */
export async function benchSweep({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const rounds = quick ? 1 : 3;
  const { short, long, many, spins } = quick ? { short: 2, long: 2, many: 2, spins: 1e7 } : { short: 8, long: 48, many: 100, spins: 2e9 };
  return inScratch(async (folder) => {
    const ticks = await benchTicks(folder, quick);
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const child = (file: string, ...given: readonly (string | number)[]): string =>
      execFileSync(process.execPath, [file, ...given.map(String)], { encoding: 'utf8', env });
    const before = new Map<string, SweepMeasured>();
    const measured = (trials: number, threads: number): SweepMeasured => {
      const known = quick ? before.get(`${trials} in ${threads}`) : undefined;
      const now: SweepMeasured = known ?? JSON.parse(child(CHILD, folder, trials, threads));
      before.set(`${trials} in ${threads}`, now);
      return now;
    };
    const loops = (threads: number): number => Number(child(LOOPS, spins, threads));
    measured(1, 1);
    const some = inThreads(short, rounds, measured);
    const series = inThreads(long, rounds, measured);
    const empty = { one: alike(rounds, () => loops(1)), two: alike(rounds, () => loops(2)) };
    const gain = (label: string, value: number): Figure => ({ label, value, unit: 'x one' });
    const queued = quick || !hasRedis() ? [] : await timesByQueue(folder, long, rounds);
    const memory = (trials: number, of: number): Figure => ({
      label: `${trials} ${trials === 1 ? 'trial' : 'trials'}`,
      value: measured(trials, of).bytes / 1e6,
      unit: 'MB',
    });
    return {
      name: 'sweep',
      ratios: [
        ...some.ratios,
        ...series.ratios,
        ratioOf(`two threads, ${long} trials`, {
          ours: gain('2 threads', series.gain),
          theirs: gain('2 empty loops', (2 * median(empty.one)) / median(empty.two)),
          goal: { atLeast: 0.95 },
        }),
        ...queued.map((ms) =>
          ratioOf(`two workers by queue, ${long} trials`, {
            ours: { label: '2 workers of a thread', value: (long * 1000) / ms, unit: 'trials/s' },
            theirs: { label: '2 threads', value: (long * 1000) / series.twoMs, unit: 'trials/s' },
            goal: { atLeast: 0.9 },
          }),
        ),
        ratioOf('memory, one thread', { ours: memory(many, 1), theirs: memory(1, 1), goal: { atMost: 1.2 } }),
      ],
      figures: [
        { label: `a trial on the ${ticks.name}, one thread, CPU time (goal: under 150)`, value: series.cpuMs, unit: 'ms' },
        { ...memory(short, 2), label: `memory, ${short} trials in two threads` },
      ],
    };
  });
}

const alike = <Measured>(rounds: number, one: () => Measured): readonly Measured[] => Array.from({ length: rounds }, one);

/** The median of some rounds by queue. */
async function timesByQueue(folder: string, trials: number, rounds: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) times.push((await byQueue(folder, trials)).ms);
  return [median(times)];
}

/** So many trials by one thread and by two: what the second gains by the clock, and CPU time of a trial with one. */
function inThreads(trials: number, rounds: number, measured: (trials: number, threads: number) => SweepMeasured) {
  const turns = alike(rounds, () => ({ one: measured(trials, 1), two: measured(trials, 2) }));
  const of = (threads: 'one' | 'two', what: 'ms' | 'cpuMs'): number => median(turns.map((turn) => turn[threads][what]));
  const rate = (threads: 'one' | 'two', label: string): Figure => ({ label, value: (trials * 1000) / of(threads, 'ms'), unit: 'trials/s' });
  const cpu = (threads: 'one' | 'two', label: string): Figure => ({ label, value: of(threads, 'cpuMs') / trials, unit: 'ms/trial' });
  const ratios: readonly Ratio[] = [
    ratioOf(`${trials} trials, by the clock`, { ours: rate('two', '2 threads'), theirs: rate('one', '1 thread') }),
    ratioOf(`${trials} trials, CPU time`, { ours: cpu('two', '2 threads'), theirs: cpu('one', '1 thread') }),
  ];
  return { ratios, gain: of('one', 'ms') / of('two', 'ms'), twoMs: of('two', 'ms'), cpuMs: of('one', 'cpuMs') / trials };
}
