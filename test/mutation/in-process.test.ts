import { expect, test } from 'vitest';
import { collected } from './in-process/collected.ts';
import { runTests } from './in-process/run-tests.ts';
import * as api from './in-process/vitest.ts';

const seen: string[] = [];
const note = (what: string) => () => {
  seen.push(what);
};

/** A file of tests as the runner loads it. */
const load = () =>
  collected.load('a.test.ts', async () => {
    api.beforeEach(note('before'));
    api.afterEach(note('after'));
    api.test('first', () => {
      seen.push('first');
      api.onTestFinished(note('finished'));
    });
    api.describe('a suite', () => {
      api.beforeAll(note('begin'));
      api.afterAll(note('end'));
      api.beforeEach(() => note('undone'));
      api.test.each([
        [1, 2],
        [3, 3],
      ])('%d is %d', (a: unknown, b: unknown) => api.expect(a).toBe(b));
      api.test('skips itself', ({ skip }: { skip(): never }) => skip());
    });
    api.test.skipIf(true)('left out', note('left out'));
    api.test('last', note('last'));
  });

const run = async (bail: boolean) => {
  seen.length = 0;
  const ended = await runTests(await load(), { onTest: () => {}, bail });
  return { ended: ended.map(({ id, failure }) => [id, failure !== undefined]), seen: [...seen] };
};

test('the runner that tries mutants runs tests with the hooks around them, and tells which failed', async () => {
  const { ended, seen: all } = await run(false);
  expect(ended).toEqual([
    ['a.test.ts#first', false],
    ['a.test.ts#a suite > %d is %d [0]', true],
    ['a.test.ts#a suite > %d is %d [1]', false],
    ['a.test.ts#a suite > skips itself', false],
    ['a.test.ts#last', false],
  ]);
  const within = ['before', 'undone', 'after'];
  expect(all).toEqual([
    ...['before', 'first', 'after', 'finished', 'begin'],
    ...[...within, ...within, ...within],
    ...['end', 'before', 'last', 'after'],
  ]);
});

test('it ends with the first failure, and leaves the suite behind it', async () => {
  const { ended, seen: all } = await run(true);
  expect(ended.at(-1)).toEqual(['a.test.ts#a suite > %d is %d [0]', true]);
  expect(all.at(-1)).toBe('end');
});
