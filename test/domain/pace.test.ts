import { expect, test } from 'vitest';
import { Pace } from '#domain/pace.ts';

/** What is left by shares that were done at times in seconds, in seconds. */
function left(seen: readonly (readonly [atSeconds: number, share: number])[], least?: number): number | undefined {
  const pace = new Pace(least);
  let ms: number | undefined;
  for (const [at, share] of seen) ms = pace.leftMs(share, at * 1000);
  return ms === undefined ? undefined : Math.round(ms / 1000);
}

test.each<[string, readonly (readonly [number, number])[], number | undefined]>([
  [
    'an even pace',
    [
      [0, 0],
      [10, 0.1],
      [20, 0.2],
    ],
    80,
  ],
  [
    'nothing in the first ten seconds',
    [
      [0, 0],
      [9.9, 0.5],
    ],
    undefined,
  ],
  ['nothing before a second look', [[20, 0.5]], undefined],
  [
    'nothing while nothing is done',
    [
      [0, 0],
      [60, 0],
    ],
    undefined,
  ],
  [
    'nothing when all is done',
    [
      [0, 0],
      [60, 1],
    ],
    undefined,
  ],
  [
    'a start that is slow counts for less the further the work is',
    [
      [0, 0],
      [100, 0.1],
      [110, 0.2],
      [120, 0.3],
      [130, 0.4],
    ],
    60,
  ],
  [
    'work that others had begun',
    [
      [0, 0.5],
      [50, 0.75],
    ],
    50,
  ],
])('the time left is of the later half of what is done: %s', (_, seen, seconds) => expect(left(seen)).toBe(seconds));

test('it waits for the share that it needs', () => {
  expect([
    left(
      [
        [0, 0],
        [20, 0.04],
      ],
      0.05,
    ),
    left(
      [
        [0, 0],
        [20, 0.05],
      ],
      0.05,
    ),
  ]).toEqual([undefined, 380]);
});
