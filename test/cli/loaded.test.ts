import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { programFor, wholeProgram } from '#cli/commands.ts';
import { ROOT } from '../support/root.ts';

const SOURCE = path.join(ROOT, 'src');
const STATIC = /^(?:import|export) (?!type\b)(?:[^';]*? from )?'([^']+)'/gm;
const LATER = /\bimport\('([^']+)'\)/g;

const named = (file: string, pattern: RegExp): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name);
const fileOf = (name: string, from: string): string =>
  name.startsWith('#') ? path.join(SOURCE, name.slice(1)) : path.resolve(path.dirname(from), name);

/** What Node loads with some modules from elsewhere, packages and its own modules, before any of their code runs. */
function loadedWith(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const next = [...entries];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const name of named(file, STATIC)) {
      if (/^[.#]/.test(name)) next.push(fileOf(name, file));
      else packages.add(name);
    }
  }
  return [...packages].sort();
}

const packagesWith = (entries: readonly string[]): readonly string[] => loadedWith(entries).filter((name) => !name.startsWith('node:'));

/** The modules of a command's file that it loads when it runs, with the settings. */
function modulesOf(command: string): readonly string[] {
  const file = path.join(SOURCE, `cli/${command}.ts`);
  return [file, path.join(SOURCE, 'config/load.ts'), ...named(file, LATER).map((name) => fileOf(name, file))];
}

const PROGRAM = ['cli-table3', 'commander', 'decimal.js', 'string-width'];

test('the table of commands loads no package but the parser', () => {
  const table = path.join(SOURCE, 'cli/commands.ts');
  expect(existsSync(table)).toBe(true);
  expect(packagesWith([table])).toEqual(['commander']);
});

/** What answers beside a running daemon in a fraction of a second: none of it loads rxjs, undici, zod or a library of Parquet. */
const QUICK = ['status', 'positions', 'orders', 'trades', 'journal', 'why', 'halt', 'schedule', 'ledger', 'profit'];

test.each(QUICK)('kairos %s loads settings and the journal, and nothing that only other commands need', (command) => {
  const packages = packagesWith(modulesOf(command));
  expect(packages.filter((name) => !['better-sqlite3', 'convict', 'croner', 'yaml', ...PROGRAM].includes(name))).toEqual([]);
});

const SERVICE = ['better-sqlite3', 'convict', 'croner', 'undici', 'yaml', 'zod', ...PROGRAM];
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  doctor: [...SERVICE, '@babel/parser'],
  service: SERVICE,
  products: SERVICE,
  accounts: SERVICE,
};

test.each(Object.keys(CALLERS))('kairos %s asks the service without sockets for quotes, and without rxjs', (command) => {
  const unexpected = packagesWith(modulesOf(command)).filter((name) => !CALLERS[command]?.includes(name));
  expect(unexpected).toEqual([]);
});

test('kairos report loads no engine, no rxjs and no parser of strategies: only backtests play', () => {
  const known = ['better-sqlite3', 'cli-progress', 'convict', 'croner', 'simple-statistics', 'yaml', ...PROGRAM];
  expect(packagesWith(modulesOf('report')).filter((name) => !known.includes(name))).toEqual([]);
});

test.each([...QUICK, ...Object.keys(CALLERS), 'act', 'acts', 'arm', 'close', 'flatten', 'strategies'])(
  "kairos %s does not import node:http, with which Node's whole fetch would be loaded",
  (command) => {
    expect(loadedWith(modulesOf(command))).not.toContain('node:http');
    expect(readFileSync(path.join(SOURCE, 'daemon/operations/daemon-call.ts'), 'utf8')).not.toMatch(/\bfetch\(/);
  },
);

test("the page's threads load nothing that only reports need, and no first screen waits for that", () => {
  const loaded = packagesWith([path.join(SOURCE, 'daemon/page/page-thread-entry.ts')]);
  expect(loaded).toEqual(['better-sqlite3', 'croner', 'decimal.js']);
});

const WHOLE = await wholeProgram();

test.each(WHOLE.commands.map((one) => [one.name(), one] as const))(
  'kairos %s is loaded without the other commands, and is the same',
  async (word, whole) => {
    const program = await programFor([word, '--json']);
    const alone = program.commands.find((one) => one.name() === word);
    expect(alone?.helpInformation()).toBe(whole.helpInformation());
    expect(alone?.commands.map((one) => one.name())).toEqual(whole.commands.map((one) => one.name()));
    const loaded = program.commands.filter(
      (one) => one.options.length > 0 || one.commands.length > 0 || one.registeredArguments.length > 0,
    );
    expect(loaded.filter((one) => one !== alone && word !== 'completion')).toEqual([]);
  },
);
