import '../../../../scripts/ensure-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scriptValues } from '#assembly/script-options.ts';
import { type Compared, compared } from './drawn.ts';

/** `npm run screen:equal -- --trials 1000`: drawn settings of the shipped strategies, alone and several together, on drawn ticks and bars, by the screen and by the engine, whose fills and figures must be equal. */
const values = scriptValues({
  name: 'screen:equal',
  does: 'plays drawn settings of the shipped strategies by the screen and by the engine, and compares each fill',
  options: {
    trials: { type: 'string', default: '1000', value: 'N', says: 'settings that are drawn' },
    seed: { type: 'string', default: '1', value: 'N', says: 'the first of the seeds, each of which draws quotes and five settings' },
    use: { type: 'string', value: 'NAME', says: 'this strategy alone, or several' },
  },
});
const EACH = 5;
const all: Compared[] = [];
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.trials) / EACH; seed++) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'kairos-screen-'));
  try {
    const one = await compared(seed, { cwd, trials: EACH, ...(values.use !== undefined && { use: values.use }) });
    all.push(one);
    for (const { what, screened, exact, job } of one.unequal)
      console.log(
        `seed ${seed} (${one.what}) ${JSON.stringify(job.params)}: ${what} is ${JSON.stringify(screened)}, by the engine ${JSON.stringify(exact)}`,
      );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
const sum = (of: readonly Compared[], figure: (one: Compared) => number): number => of.reduce((total, one) => total + figure(one), 0);
for (const [use, of] of Map.groupBy(all, (one) => one.use)) {
  const reasons = Map.groupBy(
    of.flatMap(({ unscreened }) => unscreened),
    (why) => why,
  );
  const told = [...reasons].map(([why, { length }]) => `${why} ${length}`).join(', ');
  console.log(
    `${use}: ${sum(of, ({ screened }) => screened)} of ${sum(of, ({ trials }) => trials)} screened, ${sum(of, ({ fills }) => fills)} fills${told && `; by the engine: ${told}`}`,
  );
}
const different = sum(all, ({ unequal }) => unequal.length);
console.log(`${sum(all, ({ trials }) => trials)} trials, ${sum(all, ({ screened }) => screened)} screened, ${different} different`);
process.exitCode = different === 0 ? 0 : 1;
