import { describe, expect, test } from 'vitest';
import { allReadings } from '#adapters/service/dialect/dialect.ts';
import { type Grade, trialOf } from './trial.ts';

/** What the client may come to in each reading alone, by how it is said to meet it. */
const EXPECTED: Readonly<Record<string, readonly Grade[]>> = {
  trades: ['trades'],
  set: ['set', 'trades'],
  stands: ['stands', 'set', 'trades'],
};

describe('each reading of what the specification leaves open: it trades with equal books, or one line names the mend', () => {
  const others = allReadings().filter(({ own }) => !own);
  test.each(others.map(({ name, client }) => [name, client] as const))('%s: %s', { timeout: 60_000 }, async (name, client) => {
    const { grade, why } = await trialOf([name]);
    expect(EXPECTED[client], `${grade}: ${why}`).toContain(grade);
  });
});

test('a fee that no answer tells and that is taken in another currency is called into doubt, and named by service.feeIn', async () => {
  expect(await trialOf(['fee-in-base', 'fee-untold'])).toMatchObject({ grade: 'set' });
});
