import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '#assembly/package.ts';
import { scriptValues } from '#assembly/script-options.ts';
import { campaign, describeCampaign } from './campaign.ts';
import { keptLog } from './kept-log.ts';

/** `npm run kills -- --kills 1000`: its log and every journal are kept under `var/kills`; `--keep FILE` writes the log as one text. */
const values = scriptValues({
  name: 'kills',
  does: "kills daemons at random moments; the venue's books judge",
  options: {
    kills: { type: 'string', default: '1000', value: 'N', says: 'so many kills' },
    beds: { type: 'string', default: '2', value: 'N', says: 'daemons side by side, each with a journal and a venue of its own' },
    longest: { type: 'string', default: '600', value: 'N', says: 'milliseconds from the first order of a run to its kill, at most' },
    seed: { type: 'string', value: 'TEXT', says: 'decides the moments of the kills; drawn without it' },
    keep: { type: 'string', value: 'FILE', says: 'writes the log' },
  },
});
const folder = path.resolve('var/kills', new Date().toISOString().replaceAll(':', ''));
mkdirSync(folder, { recursive: true });
const seed = values.seed ?? String(Date.now());
console.log(`seed ${seed}, log and journals: ${folder}`);
const started = new Date();
// Ctrl-C ends the campaign with what it has come to; a second one ends it at once.
let isOver = false;
process.once('SIGINT', () => {
  isOver = true;
});
const result = await campaign({
  isOver: () => isOver,
  kills: Number(values.kills),
  beds: Number(values.beds),
  longestMs: Number(values.longest),
  folder,
  seed,
  onKill: (done, { open }) => {
    if (done % 10 === 0) console.log(`${done} kills, the last with ${open} open orders`);
  },
});
console.log(describeCampaign(result));
if (values.keep !== undefined) {
  const of = `kairos ${VERSION}, Node ${process.versions.node}, ${started.toISOString().slice(0, 16)}Z to ${new Date().toISOString().slice(0, 16)}Z`;
  writeFileSync(values.keep, keptLog(of, result));
}
process.exitCode = result.faults.length === 0 ? 0 : 1;
