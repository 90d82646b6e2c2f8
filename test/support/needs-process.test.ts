import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { needsProcess } from './needs-process.ts';

test.each([
  ['test/domain/seeded.test.ts', false],
  ['test/scenarios/first-light.test.ts', false],
  // By themselves, by what stands beside them, by another file of that, and by what they load of `src`.
  ['test/fuzz/fuzz.test.ts', true],
  ['test/kills/kills.test.ts', true],
  ['test/contract/work-queue.test.ts', true],
  ['test/lab/simulator/simulator.test.ts', true],
  // It has a module of its own in the place of another.
  ['test/research/backtest/endless.test.ts', true],
])('%s: npm test leaves it to npm run test:system: %s', (file, isSystem) => {
  expect(needsProcess(file)).toBe(isSystem);
});

test('the tests of the browser start one', () => {
  expect(globSync('test/page/*.test.ts').filter((file) => !needsProcess(file))).toEqual([]);
});
