import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Length of the kept histories, in hours. */
export const KEPT_HOURS = 1;

/** Hashes of histories, a seed and its hash a line: a change that leaves them alike changes nothing that a simulation sees. */
const FILE = fileURLToPath(new URL('../../../../test/kept/histories.txt', import.meta.url));

/** The kept hashes by seed. */
export function keptHistories(): ReadonlyMap<string, string> {
  return new Map(
    readFileSync(FILE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

/** Writes hashes by seed, in the order of the seeds. */
export function keepHistories(file: string, hashes: ReadonlyMap<string, string>): void {
  const rows = [...hashes].sort(([a], [b]) => Number(a) - Number(b));
  writeFileSync(file, rows.map((row) => `${row.join(' ')}\n`).join(''));
}
