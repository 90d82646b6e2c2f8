import { describe, expect, test } from 'vitest';
import { coverage, coverageOf } from '../../scripts/faults/coverage.ts';

const PAGE = `
- F01: no connection → nothing left
- F02: no name → nothing left

## Without a test

- F02: REASON
`.replace('REASON', 'nobody has one');

const faultsOf = (text: string, page = PAGE) => coverageOf(page, [{ file: 'test/one.test.ts', text }]).faults;

test('every number of docs/faults.md and docs/invariants.md is named by a test that asserts something, or says why not', () => {
  const { rows, faults } = coverage();
  expect(faults).toEqual([]);
  const count = (letter: string) => rows.filter(({ number }) => number.startsWith(letter)).length;
  expect([count('F'), count('I'), count('B'), count('L')]).toEqual([75, 36, 42, 10]);
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
});

describe('what coverage:faults finds', () => {
  test.each([
    ['a title', `test('F01 refused', () => { expect(1).toBe(1); });`],
    ['a title around it', `describe('F01 refused', () => { test('twice', () => { expect(1).toBe(1); }); });`],
    ['a row of its table', `test.each([['F01 refused', 1]])('%s', (_, n) => { expect(n).toBe(1); });`],
    [
      'a row of a table above',
      `const rows = [{ name: 'F01 refused' }]; for (const row of rows) test(row.name, () => { expect(1).toBe(1); });`,
    ],
    ['a function that asserts', `const check = () => { expect(1).toBe(1); }; test('F01 refused', () => check());`],
    ['a method that asserts', `class Rig { check() { expect(1).toBe(1); } } test('F01 refused', () => new Rig().check());`],
  ])('named by %s it is covered', (_, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    [
      'a number without test and reason',
      'test("nothing", () => { expect(1).toBe(1); });',
      'F01: no test names it, and docs/faults.md says no reason',
    ],
    ['a comment alone', '// F01\n', 'F01: no test names it, and docs/faults.md says no reason'],
    [
      'a reason that has become untrue',
      'test("F01 F02", () => { expect(1).toBe(1); });',
      'F02: docs/faults.md says why no test names it, but test/one.test.ts does',
    ],
    [
      'a number that nobody knows',
      'test("F01 F99", () => { expect(1).toBe(1); });',
      'F99: test/one.test.ts:1 names it, and docs/faults.md does not',
    ],
    [
      'a test without an assertion',
      'const check = () => 1; test("F01", () => { check(); });',
      'F01: no assertion can be reached in test/one.test.ts:1 "F01"',
    ],
  ])('%s is a fault', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});

describe('what the simulator has not', () => {
  const APART = `${PAGE}
## Not in the simulator

- F02: names are real
`;
  const text = 'test("F01", () => { expect(1).toBe(1); });';
  const faults = (simulated: readonly string[]) => coverageOf(APART, [{ file: 'test/one.test.ts', text }], new Set(simulated)).faults;

  test('has a reason, or is a gap', () => {
    expect(faults(['F01'])).toEqual([]);
    expect(faults([])).toEqual(['F01: the simulator has it not, and docs/faults.md says no reason']);
    expect(faults(['F01', 'F02'])).toEqual(['F02: docs/faults.md says why the simulator has it not, but it has']);
  });
});
