import './scripts/ensure-node.mjs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { kairos } from '#testing/vitest.ts';

/** Tests that start whole daemons, and hold them to real time: a few at once, when everything else is done. */
const PROCESSES = [
  'test/process/**/*.test.ts',
  'test/kills/**/*.test.ts',
  'test/conformance/independent/{client,venue}/**/*.test.ts',
  'test/pm2/**/*.test.ts',
  'test/server/**/*.test.ts',
  'test/page/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/load/**/*.test.ts',
  'test/docs/pages.test.ts',
  'test/docs/walk-throughs.test.ts',
];

/** Of these, tests that mostly wait for a clock: three at once leave the processor as idle as one. */
const WAITING = [
  'test/conformance/independent/{client,venue}/**/*.test.ts',
  'test/pm2/**/*.test.ts',
  'test/server/control/standstill.test.ts',
  ...['broken', 'clock', 'disk-faults', 'fee-in-base', 'first-hour', 'hostile-strategies', 'terminal', 'trial', 'venue-faults'].map(
    (name) => `test/process/${name}.test.ts`,
  ),
];

/** Of these, tests that need the machine for themselves: they use all of it, starve it, or hold what a person sees to its time. */
const ALONE = [
  'test/kills/**/*.test.ts',
  'test/page/**/*.test.ts',
  'test/docs/pages.test.ts',
  'test/process/{real-prices,starved}.test.ts',
  'test/server/control/starved.test.ts',
];

const shared = { pool: 'forks', testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } } as const;

/** On a shared machine a real daemon may be late: CI asks its tests once more, and lists those that needed it. */
const held = { ...shared, retry: process.env.CI ? 1 : 0 } as const;

export default defineConfig({
  plugins: [kairos()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'parts',
          include: ['test/**/*.test.ts', 'strategies/**/*.test.ts'],
          exclude: PROCESSES,
          // By itself vitest leaves a processor idle: half of a machine that has two. One more than there are, since some wait for a clock.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { ...held, name: 'waiting', include: WAITING, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          ...held,
          name: 'processes',
          include: PROCESSES,
          exclude: [...WAITING, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { ...held, name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 3 } } },
    ],
  },
});
