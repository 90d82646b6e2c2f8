/** The value below which `share` (0 to 1) of the samples lie, nearest rank; NaN of none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** Something to be timed; `run` does it once, or a block of it, and returns the seconds that count. */
export interface Contestant {
  readonly label: string;
  run(): number;
}

/**
 * Lets the contestants run in turns, A B C A B C, so that a machine that slows down slows all of them. The first `warmUp`
 * rounds do not count. Returns the seconds of each round, by label.
 */
export function inTurns(contestants: readonly Contestant[], rounds: { readonly warmUp: number; readonly counted: number }) {
  const seconds = new Map<string, number[]>(contestants.map(({ label }) => [label, []]));
  for (let round = 0; round < rounds.warmUp + rounds.counted; round++) {
    for (const { label, run } of contestants) {
      const took = run();
      if (round >= rounds.warmUp) seconds.get(label)?.push(took);
    }
  }
  return (label: string): readonly number[] => seconds.get(label) ?? [];
}

/** Seconds of this thread's own CPU time that `work` takes; what other processes do on the machine is not in it. */
export function cpuSeconds(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/** Monotonic milliseconds since the machine started: the same clock in every process on it. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
