import './scripts/ensure-node.mjs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { 'kairos/strategy': fileURLToPath(new URL('./src/strategy/index.ts', import.meta.url)) } },
  test: { include: ['test/**/*.test.ts'], pool: 'forks', testTimeout: 20_000 },
});
