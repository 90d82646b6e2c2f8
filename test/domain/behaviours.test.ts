import { expect, test } from 'vitest';
import { BEHAVIOUR, BEHAVIOURS, changedSince } from '#domain/behaviours.ts';

test('a replay is told what changed since the run, each by its number; of a run that says nothing all of it', () => {
  const last = `decisions changed since the run, ${BEHAVIOUR}: ${BEHAVIOURS.at(-1)}`;
  expect([changedSince(BEHAVIOUR), changedSince(BEHAVIOUR - 1)]).toEqual([[], [last]]);
  expect(changedSince(undefined)).toHaveLength(BEHAVIOUR);
});
