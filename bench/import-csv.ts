import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { IN_THREAD } from '#daemon/run/record/import-thread.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, type Ratio, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { machineMs, median } from './statistics.ts';

const MAP = { time: 'time', bid: 'bid', ask: 'ask', unit: 'auto' } as const;

/**
 * Rows of a CSV of ticks made into a sealed recording, beside reading the file, splitting it and parsing the numbers, by the
 * clock and by CPU time. The larger file is written in a second thread while it is read.
 */
export async function benchImport({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const sizes = quick
    ? [{ rows: 20_000, rounds: 2 }]
    : [
        { rows: 1_000_000, rounds: 7 },
        { rows: 3_000_000, rounds: 3 },
      ];
  const ratios: Ratio[] = [];
  for (const { rows, rounds } of sizes) ratios.push(...(await inScratch((folder) => importRatios(folder, rows, rounds))));
  return { name: 'import', ratios, figures: [] };
}

async function importRatios(folder: string, rows: number, rounds: number): Promise<readonly Ratio[]> {
  const file = join(folder, 'ticks.csv');
  writeTicks(file, rows);
  const ours: TimeTaken[] = [];
  const bare: TimeTaken[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const parsed = await taken(() => splitAndParse(file), rows);
    const imported = await taken(() => importTicks(file, join(folder, 'out')), rows);
    if (round > 0) {
      bare.push(parsed);
      ours.push(imported);
    }
    rmSync(join(folder, 'out'), { recursive: true });
  }
  const rate = (label: string, of: readonly TimeTaken[], by: (one: TimeTaken) => number): Figure => ({
    label,
    value: (rows * 1000) / median(of.map(by)),
    unit: 'rows/s',
  });
  const sides = (by: (one: TimeTaken) => number) => ({ ours: rate('import', ours, by), theirs: rate('split and parse', bare, by) });
  const what = `CSV of ${rows / 1e6} M ticks`;
  return [
    ratioOf(`${what}, by the clock`, { ...sides(({ ms }) => ms), goal: { atLeast: 0.8 } }),
    ratioOf(
      `${what}, CPU time`,
      sides(({ cpuMs }) => cpuMs),
    ),
  ];
}

interface TimeTaken {
  readonly ms: number;
  /** Of all threads of the process. */
  readonly cpuMs: number;
}

async function taken(work: () => number | Promise<number>, rows: number): Promise<TimeTaken> {
  const before = process.cpuUsage();
  const began = machineMs();
  if ((await work()) !== rows) throw new Error('rows were lost');
  const ms = machineMs() - began;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}

/** Bid and ask of a product that moves by fractions of a pip, five to twelve rows a second. */
export function writeTicks(file: string, rows: number): void {
  const lines = ['time,bid,ask'];
  let state = 1;
  let at = Date.UTC(2014, 4, 1);
  let bid = 138_676;
  for (let row = 0; row < rows; row += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    at += 80 + (state % 120);
    bid += ((state >>> 8) % 5) - 2;
    lines.push(`${at},${(bid / 1e5).toFixed(5)},${((bid + 8 + ((state >>> 16) % 6)) / 1e5).toFixed(5)}`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Makes a recording of the ticks; returns how many quotes it has. */
export async function importTicks(file: string, out: string): Promise<number> {
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1000, feePercentage: 0.1, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  return (await importFile({ file, map: MAP, ticks, out, elsewhere: IN_THREAD })).quotes;
}

function splitAndParse(file: string): number {
  const lines = readFileSync(file, 'latin1').split('\n');
  const [time, bid, ask] = [new Float64Array(lines.length), new Float64Array(lines.length), new Float64Array(lines.length)];
  let rows = 0;
  for (let line = 1; line < lines.length; line += 1) {
    const cells = (lines[line] ?? '').split(',');
    if (cells.length < 3) continue;
    time[rows] = Number(cells[0]);
    bid[rows] = Number(cells[1]);
    ask[rows] = Number(cells[2]);
    rows += 1;
  }
  return rows;
}
