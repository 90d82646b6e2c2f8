import '../../scripts/ensure-node.mjs';
import { defineConfig } from 'vitest/config';
import { kairos } from '#testing/vitest.ts';
import { ROOMS } from './rooms.ts';

const { tests = [] } = ROOMS[process.env.MUTATED_ROOM ?? ''] ?? {};
const include = tests.map((of) => (of.endsWith('.ts') ? of : `${of}/**/*.test.ts`));

export default defineConfig({ plugins: [kairos()], test: { include, pool: 'forks', testTimeout: 20_000 } });
