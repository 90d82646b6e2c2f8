import './scripts/ensure-node.mjs';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { kairos } from '#testing/vitest.ts';
import { needsProcess } from './test/support/needs-process.ts';
import { TAGS } from './test/support/tools.ts';

const TESTS = ['test/**/*.test.ts', 'strategies/**/*.test.ts'];

/** `npm run test:system`: tests that start processes or need one of their own, a few at once. The others are `npm test`. */
const SYSTEM = globSync(TESTS).filter(needsProcess);

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

export default defineConfig({
  plugins: [kairos()],
  test: {
    tags: TAGS,
    reporters: ['default', './test/support/missing-tools.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'parts',
          include: TESTS,
          exclude: [...SYSTEM, ...WAITING, ...ALONE],
          // Each worker loads the modules once, which halves what the tests take of the processor.
          isolate: false,
          // By itself vitest leaves a processor idle: half of a machine that has two. One more than there are, since some wait for a clock.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { ...shared, name: 'waiting', include: WAITING, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          ...shared,
          name: 'processes',
          include: SYSTEM,
          exclude: [...WAITING, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { ...shared, name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 3 } } },
    ],
  },
});
