import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/process.ts';

const SOURCE = path.join(ROOT, 'src');
const STATIC = /^(?:import|export) (?!type\b)(?:[^';]*? from )?'([^']+)'/gm;
const LATER = /\bimport\('([^']+)'\)/g;

const named = (file: string, pattern: RegExp): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name);
const fileOf = (name: string, from: string): string =>
  name.startsWith('#') ? path.join(SOURCE, name.slice(1)) : path.resolve(path.dirname(from), name);

/** The packages that Node loads with some modules, before any of their code runs. */
function packagesWith(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const next = [...entries];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const name of named(file, STATIC)) {
      if (/^[.#]/.test(name)) next.push(fileOf(name, file));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return [...packages].sort();
}

const PROGRAM = ['cli-table3', 'commander', 'decimal.js', 'string-width'];

test('the commands themselves load no more packages than a table and the parser need', () => {
  const program = path.join(SOURCE, 'cli/program.ts');
  expect(existsSync(program)).toBe(true);
  expect(packagesWith([program]).filter((name) => !PROGRAM.includes(name))).toEqual([]);
});

/** What answers beside a running daemon in a fraction of a second: none of it loads rxjs, undici, zod or a library of Parquet. */
const QUICK = ['status', 'positions', 'orders', 'trades', 'journal', 'why', 'halt', 'schedule', 'ledger', 'profit'];

test.each(QUICK)('kairos %s loads settings and the journal, and nothing that only other commands need', (command) => {
  const file = path.join(SOURCE, `cli/${command}.ts`);
  const modules = named(file, LATER).map((name) => fileOf(name, file));
  const packages = packagesWith([file, path.join(SOURCE, 'config/load.ts'), ...modules]);
  expect(packages.filter((name) => !['better-sqlite3', 'convict', 'croner', 'yaml', ...PROGRAM].includes(name))).toEqual([]);
});
