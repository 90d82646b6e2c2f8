import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

/** Adds a line for each file of tests to the file that `FILE_TIMES` names: its seconds of the processor, and its seconds. */
const { FILE_TIMES } = process.env;
const before = seconds();
if (FILE_TIMES !== undefined) afterAll(() => appendFileSync(FILE_TIMES, `${line()}\n`));

function line(): string {
  const used = seconds().map((now, at) => (now - (before[at] ?? 0)).toFixed(1));
  return [...used, path.relative('', expect.getState().testPath ?? '')].join('\t');
}

/** Of the processor, with the children that this process has waited for, where the system says so; and of the clock. */
function seconds(): readonly number[] {
  const file = '/proc/self/stat';
  const fields = existsSync(file)
    ? readFileSync(file, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ')
    : [];
  return [fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100, performance.now() / 1000];
}
