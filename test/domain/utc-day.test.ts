import { expect, test } from 'vitest';
import { DAY_MS, dayEnd, dayOf, dayOfPrices, dayStart } from '#domain/utc-day.ts';

const NOON = 20_000 * DAY_MS + DAY_MS / 2;
const MIDNIGHT = 20_001 * DAY_MS;

test('a day begins at midnight sharp', () => {
  expect([dayOf(NOON), dayStart(NOON), dayEnd(NOON)]).toEqual([20_000, 20_000 * DAY_MS, MIDNIGHT]);
  expect([dayOf(MIDNIGHT), dayStart(MIDNIGHT), dayEnd(MIDNIGHT)]).toEqual([20_001, MIDNIGHT, MIDNIGHT + DAY_MS]);
});

test('prices that are known at midnight sharp are the last of the day that ends there', () => {
  expect([MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 1].map(dayOfPrices)).toEqual([20_000, 20_000, 20_001]);
});
