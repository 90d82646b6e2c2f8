import { readFileSync, writeFileSync } from 'node:fs';
import { VERSION } from '#assembly/package.ts';
import { scriptValues } from '#assembly/script-options.ts';
import { againOf, campaign, describeCampaign, lineOf } from './campaign.ts';
import { keptLog } from './kept-log.ts';

/**
 * `npm run dialects -- --count 1000 --seed 1`: plays the dialects of the seeds from `--seed` on, a line each; one that is unsafe or silent
 * is told with the command that plays it again. `--keep FILE` writes the log as one text; `--minutes N` ends it after so long.
 */
const values = scriptValues({
  name: 'dialects',
  does: 'plays the daemon beside services that read the specification in other ways, one a seed',
  options: {
    count: { type: 'string', default: '100', value: 'N', says: 'so many dialects, from --seed on' },
    seed: { type: 'string', default: '1', value: 'N', says: 'the first seed' },
    minutes: { type: 'string', default: '600', value: 'N', says: 'ends it after so long' },
    keep: { type: 'string', value: 'FILE', says: 'writes the log' },
  },
});
const first = Number(values.seed);
const started = new Date();
const end = performance.now() + Number(values.minutes) * 60_000;
const result = await campaign({
  seeds: Array.from({ length: Number(values.count) }, (_, index) => String(first + index)),
  goOn: () => performance.now() < end,
  onTrial: (trial) => {
    console.log(lineOf(trial));
    if (trial.grade === 'unsafe' || trial.grade === 'silent') console.log(`  again: ${againOf(trial)}`);
  },
});
console.log(describeCampaign(result));
if (values.keep !== undefined) {
  const of = `kairos ${VERSION}, Node ${process.versions.node}, ${started.toISOString().slice(0, 16)}Z to ${new Date().toISOString().slice(0, 16)}Z`;
  writeFileSync(values.keep, keptLog(of, result));
  console.log(`${readFileSync(values.keep, 'utf8').split('\n').length} lines in ${values.keep}`);
}
process.exit(result.grades.unsafe + result.grades.silent === 0 ? 0 : 1);
