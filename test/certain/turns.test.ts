import { expect, test } from 'vitest';
import { countsIn, isCertain, nextOf, type Turn, tableOf, turnsOf } from './turns.ts';

const rows = [
  { command: 'npm test', beside: false, times: 2 },
  { command: 'npm test', beside: true, times: 1 },
];
const turn = (about: Partial<Turn>): Turn => ({
  commit: 'abc',
  command: 'npm test',
  beside: false,
  seconds: 200,
  code: 0,
  passed: 12,
  failed: 0,
  ...about,
});

test('runs of the same commit are gone on with, those of another do not count', () => {
  const log = [turn({}), turn({ commit: 'def' }), turn({ beside: true })].map((one) => `${JSON.stringify(one)}\n`).join('');
  const turns = turnsOf(log, 'abc');
  expect(nextOf(rows, turns)).toEqual(rows[0]);
  expect(nextOf(rows, [...turns, turn({})])).toBeUndefined();
});

test('what a command printed is counted, of .ci/run and of vitest; what broke off before passed nothing', () => {
  expect(countsIn(' Tests  3 failed | 412 passed | 2 skipped (417)\nDuration 3 s\n')).toEqual({ passed: 412, failed: 3 });
  expect(countsIn(' Tests  9 passed (9)\nall of it: 3 s\n8420 passed, 1 failed\n')).toEqual({ passed: 8420, failed: 1 });
  expect(countsIn('Killed\n')).toEqual({ passed: 0, failed: 0 });
});

test.each<[string, readonly Turn[], boolean]>([
  ['all green and alike', [turn({}), turn({}), turn({ beside: true })], true],
  ['one is still to be made', [turn({}), turn({ beside: true })], false],
  ['one failed', [turn({}), turn({}), turn({ beside: true, code: 1, failed: 1, passed: 11 })], false],
  ['one passed fewer', [turn({}), turn({}), turn({ beside: true, passed: 11 })], false],
  ['none found a test', [turn({ passed: 0 }), turn({ passed: 0 }), turn({ beside: true, passed: 0 })], false],
])('certain is only what was run as often as asked, green and alike each time: %s', (_, turns, certain) => {
  expect(isCertain(rows, turns)).toBe(certain);
});

test('the table has a line for each command, with the least and the most seconds', () => {
  const lines = tableOf(rows, [turn({}), turn({ seconds: 240, code: 1, failed: 1, passed: 11 })]).split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['command', 'beside', 'runs', 'green', 'checks', 'seconds'],
    ['npm test', 'nothing', '2 of 2', '1', '12; 11, 1 failed', '200 - 240'],
    ['npm test', 'an endless loop', '0 of 1', '0'],
  ]);
});
