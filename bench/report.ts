import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import type { BenchResult, Figure, Goal } from './result.ts';

/** Where results go unless a test says otherwise. */
export const RESULTS = fileURLToPath(new URL('results', import.meta.url));

/** One part of the benchmark as people read it: ratios with both sides, then what stands alone. */
export function reportText({ name, ratios, figures }: BenchResult): string {
  const parts = [`\n${name}`];
  if (ratios.length > 0) {
    const table = new Table({ head: ['what', 'Kairos', 'beside it', 'ratio', 'goal'], style: { head: [], border: [] } });
    for (const { what, ours, theirs, ratio, goal, met } of ratios) {
      const verdict = goal === null ? '' : `${goalText(goal)} ${met ? 'met' : 'MISSED'}`;
      table.push([what, sideText(ours), sideText(theirs), ratio.toFixed(ratio < 0.1 ? 4 : 2), verdict]);
    }
    parts.push(table.toString());
  }
  const width = Math.max(0, ...figures.map(({ label }) => label.length));
  parts.push(...figures.map((figure) => `  ${figure.label.padEnd(width)}  ${valueText(figure)}`));
  return parts.join('\n');
}

/** Writes all results of a run to one file in `folder` and returns its path. */
export function writeResults(results: readonly BenchResult[], where: { readonly folder: string; readonly what: string; at: Date }): string {
  const { folder, what, at } = where;
  const stamp = at.toISOString().slice(0, 19).replaceAll(':', '');
  const file = `${folder}/${stamp}-${what}.json`;
  const machine = { node: process.versions.node, kernel: release(), cores: availableParallelism(), cpu: cpus()[0]?.model ?? 'unknown' };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ at: at.toISOString(), machine, results }, null, 2)}\n`);
  return file;
}

const sideText = (figure: Figure): string => `${valueText(figure)} ${figure.label}`;

function goalText(goal: Goal): string {
  return 'atMost' in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
}

function valueText({ value, unit }: Figure): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}
