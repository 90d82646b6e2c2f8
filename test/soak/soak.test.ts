import { expect, test } from 'vitest';
import { driftsOf, type Look, soak } from './soak.ts';

test('I27 half an hour of ten lanes in virtual time: memory, timers, handles and the growth of the journal stay flat', async () => {
  const { faults, looks } = await soak({ hours: 0.5, lanes: 10, everySeconds: 10, looks: 12 });
  expect(faults).toEqual([]);
  expect(looks.at(-1)?.quotes).toBeGreaterThan(1_500);
  expect(looks.at(-1)?.orders).toBeGreaterThan(50);
});

const flat = (at: number): Look => ({ heapMb: 60, timers: 200, handles: 400, decisions: at * 100, orders: at * 10, quotes: at * 1_000 });

test.each<[string, (at: number) => Partial<Look>]>([
  ['its memory grows', (at) => ({ heapMb: 60 + at * 3 })],
  ['its timers grow', (at) => ({ timers: 200 + at * 3 })],
  ['its handles grow', (at) => ({ handles: 400 + at * 3 })],
  ['it adds ever more to the journal', (at) => ({ decisions: at * at * 100 })],
  ['it orders ever less', (at) => ({ orders: Math.min(at, 12) * 10 })],
  ['quotes come ever less', (at) => ({ quotes: Math.min(at, 12) * 1_000 })],
])('what is not flat is named: %s', (fault, grown) => {
  const looks = Array.from({ length: 24 }, (_, at) => ({ ...flat(at + 1), ...grown(at + 1) }));
  expect(driftsOf(looks)).toEqual([fault]);
  expect(driftsOf(looks.map((_, at) => flat(at + 1)))).toEqual([]);
});
