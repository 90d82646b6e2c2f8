import { afterEach, describe, expect, test } from 'vitest';
import { endAll } from '../support/process.ts';
import { bear, LOADS } from './loads.ts';
import { CAN_WATCH, driftOf, hasMoreTimers, heldIn } from './watched.ts';
import { bearYears } from './years.ts';

afterEach(() => endAll());

const load = (number: string) => {
  const found = LOADS.find((one) => one.number === number);
  if (!found) throw new Error(`no load ${number}`);
  return found;
};

/** The short forms of what `npm run load` does for minutes and hours: nothing here says how fast anything is. */
describe.skipIf(!CAN_WATCH)('a daemon under load, watched from outside (needs Linux)', () => {
  test('L1 I27 200 lanes: quotes come on all of them, memory, descriptors and threads stay flat, the journal is whole', async () => {
    const { figures, faults } = await bear(load('L1'), { seconds: 9, warmSeconds: 6 });
    expect(faults).toEqual([]);
    expect(figures.orders).toBeGreaterThan(0);
  });

  test('L7 L6 I27 lanes that are dropped and pages that come, stall and go leave no descriptor, thread, timer, handle and listener behind', async () => {
    const both = { ...load('L7'), pages: { count: 20, stalled: 1, comeAndGo: true } } as const;
    const { figures, faults } = await bear(both, { seconds: 9, warmSeconds: 4 });
    expect(faults).toEqual([]);
    expect(figures['listeners more than after warming up']).toBe(0);
    expect(figures['lanes that came back']).toBeGreaterThan(5);
  });
});

describe('loads that are no daemon’s, in short', () => {
  test('L5 a journal of many runs is read from its snapshot after a kill, and copied whole beside a loop that writes it', async () => {
    const { figures, faults } = await bearYears(20_000);
    expect(faults).toEqual([]);
    expect(figures['commits meanwhile']).not.toBe(0);
  });
});

test('drift is what grew, whatever single figures say', () => {
  expect(driftOf([10, 10, 90, 10, 10, 10, 10, 10, 10])).toBe(1);
  expect(driftOf([10, 10, 10, 15, 15, 15, 20, 20, 20])).toBe(2);
});

test('lanes that are quoted by the end add no timers of their own; one left behind at each drop does, however few lanes there are', () => {
  const held = (timers: number, quoted: number) =>
    heldIn(`kairos_active_resources{kind="Timeout"} ${timers}\nkairos_lanes{phase="acked"} ${quoted}\nkairos_process_listeners 3\n`);
  expect(hasMoreTimers(held(30, 0), held(30 + 2 * 200, 200), 200)).toBe(false);
  expect(hasMoreTimers(held(30 + 2 * 200, 200), held(30 + 2 * 200 + 13, 200), 200)).toBe(true);
  expect(hasMoreTimers(held(30 + 2 * 200, 200), held(30 + 2 * 150 + 50, 150), 200)).toBe(false);
});
