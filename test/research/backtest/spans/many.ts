/** `npm run spans -- 1000 [first]`: random backtests, one in three of two lanes, half of these imports that share times, one in four with dust, quote by quote and by spans, whose journals must be equal. */
import { linesOf, randomRun } from './random-run.ts';

const [count = 1_000, first = 1] = process.argv.slice(2).map(Number);
let different = 0;
let rows = 0;
let fast = 0;
let fastOfSeveral = 0;
for (let seed = first; seed < first + count; seed++) {
  const { what, play } = randomRun(seed, seed % 10 === 0 ? 5_000 : 400, {
    several: seed % 3 === 0,
    bars: seed % 6 === 0,
    dust: seed % 4 === 0,
  });
  const run = play(false);
  const [spans, every] = [linesOf(run), linesOf(play(true))];
  if (run.oneByOne.length === 0) fast += 1;
  if (run.oneByOne.length === 0 && run.lastQuotes.length > 1) fastOfSeveral += 1;
  const at = every.findIndex((line, n) => line !== spans[n]);
  rows += every.length;
  if (at < 0 && every.length === spans.length) continue;
  different += 1;
  console.log(`seed ${seed} (${what}): line ${at} of ${every.length} and ${spans.length}\n  ${every[at]}\n  ${spans[at]}`);
}
console.log(
  `${count} random backtests from seed ${first} on, ${rows} rows of journals; ${fast} passed over most quotes, ${fastOfSeveral} of them of several lanes; ${different} different`,
);
process.exitCode = different === 0 ? 0 : 1;
