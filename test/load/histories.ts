import { spawnSync } from 'node:child_process';
import type { Loaded } from './loads.ts';

/** What L10 asks for, of 500 seeds of an hour on two processors. */
const MAX_S = 300;
const WHOLE = 500;

/**
 * L10: so many drawn histories of so many simulated hours, as `npm run simulate` plays them. Less than 500 hours are not held to the
 * time.
 */
export function bearHistories(seeds: number, hours: number): Loaded {
  const begun = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['src/lab/simulator/main.ts', '--seeds', String(seeds), '--hours', String(hours), '--no-shrink'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const seconds = (performance.now() - begun) / 1000;
  const said = /^(\d+) seeds .*, ([\d.]+) s of CPU each: (\d+) quotes, (\d+) orders, (\d+) processes; (\d+) seeds failed$/m.exec(stdout);
  const [played = 0, cpu = 0, quotes = 0, orders = 0, processes = 0, failed = 0] = (said ?? []).slice(1).map(Number);
  return {
    number: 'L10',
    what: `${seeds} drawn histories of ${hours} h`,
    seconds: Math.round(seconds),
    figures: { played, failed, 'processor each, s': cpu, quotes, orders, processes },
    faults: [
      ...(said ? [] : [`the simulator said no result: ${stderr.slice(-300)}`]),
      ...(status === 0 ? [] : [`the simulator ended with ${status}: ${stdout.slice(-300)}`]),
      ...(seeds * hours >= WHOLE && seconds > MAX_S ? [`it took ${seconds.toFixed(0)} s, and ${MAX_S} s are the most`] : []),
    ],
  };
}
