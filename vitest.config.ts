import './scripts/ensure-node.mjs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that start whole daemons, and hold them to real time: one after the other, when everything else is done. */
const PROCESSES = [
  'test/process/**/*.test.ts',
  'test/kills/**/*.test.ts',
  'test/pm2/**/*.test.ts',
  'test/ops/**/*.test.ts',
  'test/bench/**/*.test.ts',
];

const shared = { pool: 'forks', testTimeout: 20_000 } as const;

export default defineConfig({
  resolve: { alias: { 'kairos/strategy': fileURLToPath(new URL('./src/strategy/index.ts', import.meta.url)) } },
  test: {
    projects: [
      {
        extends: true,
        test: { ...shared, name: 'parts', include: ['test/**/*.test.ts'], exclude: PROCESSES, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { ...shared, name: 'processes', include: PROCESSES, fileParallelism: false, sequence: { groupOrder: 1 } } },
    ],
  },
});
