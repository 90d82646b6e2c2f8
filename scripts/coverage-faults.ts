import { coverage } from './faults/coverage.ts';

/** Prints every number of docs/faults.md with the tests that name it: `npm run coverage:faults`, or `-- F21 I07` for some. Ends with 1 where one lacks both test and reason. */
const asked = process.argv.slice(2);
const { rows, faults } = coverage();
const shown = asked.length === 0 ? rows : rows.filter(({ number }) => asked.includes(number));
for (const { number, words, tests, reason, unsimulated } of shown) {
  console.log(`${number}  ${words}`);
  if (reason !== undefined) console.log(`      no test: ${reason}`);
  if (unsimulated !== undefined) console.log(`      not in the simulator: ${unsimulated}`);
  for (const { file, line, title } of tests) console.log(`      ${file}:${line}  ${title}`);
}
const without = rows.filter(({ tests }) => tests.length === 0);
console.log(`${rows.length} numbers, ${rows.length - without.length} named by a test, ${without.length} without one`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
