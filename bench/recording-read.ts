import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTicks, writeTicks } from './import-csv.ts';
import type { BenchOptions } from './options.ts';
import type { Side } from './recording-read-child.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { median } from './statistics.ts';

const CHILD = fileURLToPath(new URL('./recording-read-child.ts', import.meta.url));
const ROUNDS = { quick: 1, full: 7 };

/**
 * From a sealed recording to its columns in memory, in a process of its own each time: the first time, out of Parquet, the
 * second, out of the cache, and DuckDB reading the same columns into typed arrays. Wall time without loading of modules.
 */
export async function benchRecordingRead({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const rows = quick ? 20_000 : 1_000_000;
  return inScratch(async (folder) => {
    const ticks = join(folder, 'ticks.csv');
    writeTicks(ticks, rows);
    const out = join(folder, 'out');
    await importTicks(ticks, out);
    const sealed = join(out, readdirSync(out)[0] ?? '', 'sealed');
    const times = new Map<Side, number[]>([
      ['first', []],
      ['second', []],
      ['duckdb', []],
    ]);
    for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round += 1) {
      rmSync(join(sealed, 'cache'), { recursive: true, force: true });
      for (const [side, taken] of times) taken.push(measured(side, side === 'duckdb' ? sealed : out, rows));
    }
    const bytes = readdirSync(sealed)
      .filter((name) => name.endsWith('.parquet'))
      .reduce((sum, name) => sum + statSync(join(sealed, name)).size, 0);
    const took = (label: string, side: Side): Figure => ({ label, value: median(times.get(side) ?? []), unit: 'ms' });
    const second = median(times.get('second') ?? []);
    return {
      name: 'recording',
      ratios: [
        ratioOf('start from Parquet', { ours: took('first time', 'first'), theirs: took('DuckDB', 'duckdb'), goal: { atMost: 1.5 } }),
        ratioOf('start from the cache', { ours: took('second time', 'second'), theirs: took('first time', 'first') }),
      ],
      figures: [
        { label: 'second time', value: (rows * 1000) / second, unit: 'quotes/s' },
        { label: 'imported quotes without ids', value: bytes / rows, unit: 'bytes/quote' },
      ],
    };
  });
}

function measured(side: Side, path: string, rows: number): number {
  const [ms, found] = execFileSync(process.execPath, [CHILD, side, path], { encoding: 'utf8' }).trim().split(' ').map(Number);
  if (ms === undefined || found !== rows) throw new Error(`${side} read ${found} of ${rows} quotes`);
  return ms;
}
