import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '#config/load.ts';
import { SHIPPED } from '#lab/simulator/plan/draw-strategies.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { describe, type RunResult } from './campaign.ts';
import { configText, drawHistory } from './plan.ts';

const SPAN = { runs: 2, ms: [30_000, 60_000] } as const;
const drawn = (count: number) => Array.from({ length: count }, (_, index) => drawHistory(String(index + 1), SPAN));

test('each drawn configuration can be read, and the same seed draws the same', () => {
  const folder = new DaemonFolder('parity-plan');
  onTestFinished(() => folder.remove());
  for (const history of drawn(40)) {
    expect(drawHistory(history.seed, SPAN)).toEqual(history);
    writeFileSync(path.join(folder.path, 'kairos.yaml'), configText(history));
    expect(() => loadConfig({ files: [path.join(folder.path, 'kairos.yaml')], env: {}, cwd: folder.path })).not.toThrow();
  }
});

test('twenty runs have every shipped strategy, timers, a schedule, acts of a person and both ends', () => {
  const histories = drawn(10);
  const strategies = histories.flatMap(({ config }) => parse(JSON.stringify(config.strategies)));
  const uses: readonly string[] = strategies.map(({ use }) => use);
  expect([...new Set(uses)].sort()).toEqual(['./clockwork.ts', ...Object.keys(SHIPPED)].sort());
  expect(histories.some(({ config }) => JSON.stringify(config.schedule).includes('bot.flatten'))).toBe(true);
  const runs = histories.flatMap((history) => history.runs);
  expect(new Set(runs.map(({ end }) => end))).toEqual(new Set(['SIGTERM', 'SIGKILL']));
  expect(new Set(runs.flatMap(({ acts }) => acts.map(({ args }) => args[0]))).size).toBeGreaterThan(4);
  expect(runs.every(({ ms }) => ms >= 30_000 && ms <= 60_000)).toBe(true);
});

test('the table names the run that differs, and the sum counts it', () => {
  const compared = { events: 10, quotes: 9, decisions: 8, orders: 1, ledger: 2, outputs: 1 };
  const same: RunResult = { seed: '1', run: 'a', seconds: 30, end: 'SIGTERM', compared, limits: ['the end is cut off'], fault: '' };
  const table = describe([same, { ...same, run: 'b', end: 'SIGKILL', limits: [], fault: 'row 4 of decisions' }]);
  expect(table.split('\n')).toEqual([
    'seed  run  ended by  seconds  quotes  decisions  orders  parity',
    '1     a    SIGTERM   30       9       8          1       equal; the end is cut off',
    '1     b    SIGKILL   30       9       8          1       DIFFERS: row 4 of decisions',
    '2 runs, 18 quotes, 16 decisions, 2 orders, 4 ledger entries: 1 DIFFER',
  ]);
});
