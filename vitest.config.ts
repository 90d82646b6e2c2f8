import './scripts/ensure-node.mjs';
import { globSync } from 'node:fs';
import { availableParallelism, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { seeded } from '#domain/seeded.ts';
import { kairos } from '#strategy-testing/vitest.ts';
import { keepFilesInMemory } from './test/support/memory-folder.ts';
import { needsProcess, replacesModules } from './test/support/needs-process.ts';
import { TAGS } from './test/support/tools.ts';

/** Venues of tests keep their key apart from those of the person who runs them. */
process.env.XDG_STATE_HOME = path.join(tmpdir(), `kairos-tests-${userInfo().uid}`);

/** Workers of tests and what tests start find modules compiled, also those of the run before: a thread takes a quarter less of the processor. */
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'node-compile-cache');

keepFilesInMemory();

const TESTS = ['test/**/*.test.ts', 'strategies/**/*.test.ts'];

/** Tests that need the machine for themselves: they use all of it, starve it, or hold an operator's wait to its time; or a process, since they
 * put modules in the place of others. */
const ALONE = [
  ...['test/process/{real-prices,starved}.test.ts', 'test/server/control/starved.test.ts', 'test/bench/beside-sweep.test.ts'],
  ...globSync(TESTS).filter(replacesModules),
];

/** Files that take half a minute or more: they begin first, the longest before the others, so that none is left over when the others are done. */
const LONG =
  `page/page docs/pages page/arena docs/walk dialects/readings bench/smoke load/load page/acts process/report-page process/terminal lab/simulator/simulator
process/clock process/disk-faults page/by-hand page/first-screen conformance/independent/client/client page/first-minute
process/hostile-strategies docs/walk-throughs process/trial process/first-hour process/project process/venue-faults process/modes kills/kills
dialects/dialects`.split(/\s/);

/** Set, it gives the files an order of its own: files that share a process must not matter to each other. */
const { FILE_ORDER } = process.env;

class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      if (FILE_ORDER !== undefined) return seeded(`${FILE_ORDER} ${path.relative('', moduleId)}`).next();
      const at = LONG.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? LONG.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

/** `npm run test:system`: these, and tests that start processes or need one of their own. The others are `npm test`. */
const SYSTEM = [...globSync(TESTS).filter(needsProcess), ...ALONE];

/** By itself vitest leaves a processor idle: half of a machine that has two. One more than there are, since some tests wait. */
const maxWorkers = availableParallelism() + 1;

/** A test that hangs ends so late that none is cut off for time alone. */
const shared = {
  pool: 'forks' as const,
  // Threads that collect garbage beside take a tenth of the processor.
  execArgv: ['--single-threaded-gc', '--max-semi-space-size=32'],
  testTimeout: 1_200_000,
  hookTimeout: 1_200_000,
  expect: { poll: { timeout: 100_000 } },
  // Node loads the modules itself, as for users, and finds them compiled: vitest's own loader takes a sixth more.
  experimental: { viteModuleRunner: false },
  setupFiles: ['./test/support/load-strategies.ts', './test/support/leave-nothing.ts', './test/support/file-times.ts'],
};

/** Each worker loads the modules once, which halves what the tests of parts take of the processor, and saves a second for each other file. */
const manyInOne = { isolate: false, maxWorkers };

export default defineConfig({
  plugins: [kairos()],
  test: {
    tags: TAGS,
    sequence: { sequencer: FileOrder },
    reporters: ['default', './test/support/missing-tools.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'parts',
          include: TESTS,
          exclude: SYSTEM,
          ...manyInOne,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { ...shared, ...manyInOne, name: 'processes', include: SYSTEM, exclude: ALONE, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { ...shared, name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 2 } } },
    ],
  },
});
