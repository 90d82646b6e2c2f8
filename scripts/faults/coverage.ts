import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAULT_NAMES } from '../../src/lab/simulator/plan/faults.ts';
import { type NamedTest, namedTests } from './named-tests.ts';
import { parse } from './syntax.ts';

/** A number of docs/faults.md or docs/invariants.md, with the tests that name it. */
export interface NumberCoverage {
  readonly number: string;
  readonly words: string;
  readonly tests: readonly NamedTest[];
  /** Why no test names it. */
  readonly reason: string | undefined;
  /** Why the simulator has it not, for a fault or an invariant of which that is so. */
  readonly unsimulated: string | undefined;
}

/** The table of all numbers, and what is wrong with it, one line each. */
export interface Coverage {
  readonly rows: readonly NumberCoverage[];
  readonly faults: readonly string[];
}

/** Faults, and what no test or no simulation has. */
export const PAGE = 'docs/faults.md';
/** Invariants, bad inputs and loads. */
const INVARIANTS = 'docs/invariants.md';
const REASONS = '## Without a test';
const UNSIMULATED = '## Not in the simulator';
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The numbers of a text with their words: items of a list, `- B01: words`. */
const rowsOf = (text: string): [string, string][] =>
  [...text.matchAll(/^- ([FIBL]\d+b?): (.+)$/gm)].map(([, number = '', words = '']) => [number, words]);

/** The test of this very check plants numbers that are none. */
const PLANTED = 'test/docs/fault-numbers.test.ts';

/** The sources of the tests. */
export function sourcesOfTests(): { file: string; text: string }[] {
  return ['test', 'strategies'].flatMap((top) =>
    readdirSync(`${root}/${top}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => `${top}/${file}`)
      .filter((file) => file !== PLANTED)
      .map((file) => ({ file, text: readFileSync(`${root}/${file}`, 'utf8') })),
  );
}

/** The faults that seeds draw, and the invariants that the simulator's watch names. */
export function simulatedNumbers(): ReadonlySet<string> {
  const sources = readdirSync(`${root}/src/lab/simulator`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(watch|daemon)\/.*\.ts$/.test(file))
    .map((file) => readFileSync(`${root}/src/lab/simulator/${file}`, 'utf8'));
  return new Set([...FAULT_NAMES, ...sources.flatMap((source) => source.match(/\bI\d\db?\b/g) ?? [])]);
}

/** Joins the page of all numbers to the tests that name them. */
export function coverageOf(
  page: string,
  sources: readonly { file: string; text: string }[],
  simulated: ReadonlySet<string> = simulatedNumbers(),
): Coverage {
  const [catalogue = '', rest = ''] = page.split(REASONS);
  const [without = '', apart = ''] = rest.split(UNSIMULATED);
  const unsimulated = new Map(rowsOf(apart));
  const reasons = new Map(rowsOf(without));
  const tests = namedTests(sources.map(({ file, text }) => ({ file, text, tree: parse(text, file) })));
  const rows = rowsOf(catalogue).map(([number, words]) => ({
    number,
    words,
    tests: tests.filter((test) => test.number === number),
    reason: reasons.get(number),
    unsimulated: unsimulated.get(number),
  }));
  const known = new Set(rows.map(({ number }) => number));
  const faults = [
    ...rows.flatMap(({ number, tests: named, reason }) => {
      if (named.length === 0 && reason === undefined) return [`${number}: no test names it, and ${PAGE} says no reason`];
      if (named.length > 0 && reason !== undefined) return [`${number}: ${PAGE} says why no test names it, but ${named[0]?.file} does`];
      return [];
    }),
    ...(apart === '' ? [] : rows).flatMap(({ number, unsimulated: why }) => {
      if (!/^[FI]/.test(number)) return [];
      if (simulated.has(number)) return why === undefined ? [] : [`${number}: ${PAGE} says why the simulator has it not, but it has`];
      return why === undefined ? [`${number}: the simulator has it not, and ${PAGE} says no reason`] : [];
    }),
    ...[...reasons.keys()]
      .filter((number) => !known.has(number))
      .map((number) => `${number}: ${PAGE} has a reason for a number that it does not list`),
    ...tests
      .filter(({ number }) => !known.has(number))
      .map(({ number, file, line }) => `${number}: ${file}:${line} names it, and ${PAGE} does not`),
    ...tests
      .filter(({ asserts }) => !asserts)
      .map(({ number, file, line, title }) => `${number}: no assertion can be reached in ${file}:${line} "${title}"`),
  ];
  return { rows, faults };
}

/** The coverage of the checkout. */
export const coverage = (): Coverage =>
  coverageOf([INVARIANTS, PAGE].map((page) => readFileSync(`${root}/${page}`, 'utf8')).join('\n'), sourcesOfTests());
