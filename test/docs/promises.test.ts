import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const count = (figure: string | number): string => Number(figure).toLocaleString('en');
const seeds = (figure: string | number): string => `${count(figure)} ${Number(figure) === 1 ? 'seed' : 'seeds'}`;

/** What each kept log comes to, in the words in which README may say so. */
const FACTS: Readonly<Record<string, (log: string) => readonly string[]>> = {
  'docs/kills.txt': (log) => {
    const campaigns = [...log.matchAll(/^(\d+) kills, /gm)].map(([, kills]) => Number(kills));
    return [`${count(campaigns.reduce((sum, kills) => sum + kills, 0))} kills`];
  },
  'docs/simulator.txt': (log) => [
    ...[...log.matchAll(/^(\d+) of (\d+) planted defects were found/gm)].map(([, found, all]) => `${found} of ${all} planted defects`),
    ...[...log.matchAll(/^([a-z][a-z-]+) .*\n {2}found after (\d+) seeds?, /gm)].map(
      ([, defect, after = '']) => `${defect} after ${seeds(after)}`,
    ),
  ],
  'docs/dialects.txt': (log) => [...log.matchAll(/^(\d+) drawn dialects, /gm)].map(([, drawn = '']) => `${count(drawn)} drawn dialects`),
  'docs/parity.txt': (log) => {
    const runs = (line: RegExp): number => [...log.matchAll(line)].reduce((sum, [, n]) => sum + Number(n), 0);
    const all = runs(/^(\d+) runs, /gm);
    return runs(/^(\d+) runs, .*: all equal$/gm) === all ? [`${count(all)} live runs replayed to their own decisions`] : [];
  },
  'docs/mutation.txt': (log) =>
    [...log.matchAll(/^(\w+): ([\d.]+ %) of (\d+) mutants: /gm)].map(
      ([, room, score, all = '']) => `${room}: ${score} of ${count(all)} mutants`,
    ),
};

const [, table = ''] = /## Can it be trusted with money\?\n([\s\S]+?)\n## /.exec(read('README.md')) ?? [];
const rows = table.split('\n').filter((line) => line.startsWith('|'));
const linked = [...rows.join('\n').matchAll(/\[([^\]]+)\]\((docs\/\w+\.txt)\)/g)].map(([, says = '', log = '']) => ({ says, log }));

test.each(linked)('README says "$says", and $log does', ({ says, log }) => {
  expect(FACTS[log]?.(read(log))).toContain(says);
});

test('each kept log stands behind a promise', () => {
  expect([...new Set(linked.map(({ log }) => log))].sort()).toEqual(Object.keys(FACTS).sort());
});
