import './scripts/ensure-node.mjs';
import { defineConfig } from 'vitest/config';
import { kairos } from '#testing/vitest.ts';

/** Tests that start whole daemons, and hold them to real time: one after the other, when everything else is done. */
const PROCESSES = [
  'test/process/**/*.test.ts',
  'test/kills/**/*.test.ts',
  'test/conformance/independent/client/**/*.test.ts',
  'test/pm2/**/*.test.ts',
  'test/server/**/*.test.ts',
  'test/page/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/docs/pages.test.ts',
];

const shared = { pool: 'forks', testTimeout: 20_000 } as const;

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
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { ...shared, name: 'processes', include: PROCESSES, fileParallelism: false, sequence: { groupOrder: 1 } } },
    ],
  },
});
