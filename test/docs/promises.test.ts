import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const count = (figure: string | number): string => Number(figure).toLocaleString('en');
const seeds = (figure: string | number): string => `${count(figure)} ${Number(figure) === 1 ? 'seed' : 'seeds'}`;

/** What each kept log comes to, in the words in which README and docs may say so. */
const FACTS: Readonly<Record<string, (log: string) => readonly string[]>> = {
  'kills.txt': (log) => {
    const campaigns = [...log.matchAll(/^(\d+) kills, /gm)].map(([, kills]) => Number(kills));
    return [`${count(campaigns.reduce((sum, kills) => sum + kills, 0))} kills`];
  },
  'simulator.txt': (log) => [
    ...[...log.matchAll(/^(\d+) of (\d+) planted defects were found/gm)].map(([, found, all]) => `${found} of ${all} planted defects`),
    ...[...log.matchAll(/In all (\d+) were reached, and (\d+) of these found/g)].map(
      ([, all, found]) => `${found} of ${all} drawn mutants`,
    ),
    ...[...log.matchAll(/^([a-z][a-z-]+) .*\n {2}found after (\d+) seeds?, /gm)].map(
      ([, defect, after = '']) => `${defect} after ${seeds(after)}`,
    ),
  ],
  'dialects.txt': (log) => [...log.matchAll(/^(\d+) drawn dialects, /gm)].map(([, drawn = '']) => `${count(drawn)} drawn dialects`),
  'parity.txt': (log) => {
    const runs = (line: RegExp): number => [...log.matchAll(line)].reduce((sum, [, n]) => sum + Number(n), 0);
    const all = runs(/^(\d+) runs, /gm);
    return runs(/^(\d+) runs, .*: all equal$/gm) === all ? [`${count(all)} live runs replayed to their own decisions`] : [];
  },
  'mutation.txt': (log) =>
    [...log.matchAll(/^(\w+): ([\d.]+ %) of (\d+) mutants: /gm)].map(
      ([, room, score, all = '']) => `${room}: ${score} of ${count(all)} mutants`,
    ),
};

const figures = [...read('docs/figures.md').matchAll(/^\| (.+?) \| `(npm run .+?)` \| (.+?) \| (\w+\.txt) \|$/gm)].map(
  ([, says = '', command = '', commit = '', log = '']) => ({ says, command, commit, log }),
);
const linked = [...read('README.md').matchAll(/\[([^\]]+)\]\(docs\/figures\.md\)/g)].map(([, says = '']) => says);

test.each(figures)('docs/figures.md says "$says" with its commit, and test/kept/$log says so', ({ says, commit, log }) => {
  expect(FACTS[log]?.(read(`test/kept/${log}`))).toContain(says);
  expect(commit).toMatch(/\b[0-9a-f]{8}\b/);
});

test('what README says of long campaigns stands in docs/figures.md', () => {
  const quoted = linked.filter((says) => /\d/.test(says));
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter((says) => !figures.some((figure) => figure.says === says))).toEqual([]);
});

test('each log of figures has one that is told', () => {
  expect([...new Set(figures.map(({ log }) => log))].sort()).toEqual(Object.keys(FACTS).sort());
});
