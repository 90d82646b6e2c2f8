import '../../scripts/ensure-node.mjs';
import { defineConfig } from 'vitest/config';
import { kairos } from '#testing/vitest.ts';

const tests: readonly string[] = JSON.parse(process.env.MUTATED_TESTS ?? '[]');
const include = tests.map((of) => (of.endsWith('.ts') ? of : `${of}/**/*.test.ts`));

export default defineConfig({ plugins: [kairos()], test: { include, pool: 'forks', testTimeout: 20_000 } });
