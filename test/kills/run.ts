import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '#apps/assembly/package.ts';
import { campaign, describeCampaign } from './campaign.ts';
import { keptLog } from './kept-log.ts';

/** `npm run kills -- --kills 1000`: its log and every journal are kept under `var/kills`; `--keep FILE` writes the log as one text. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    beds: { type: 'string', default: '2' },
    longest: { type: 'string', default: '600' },
    keep: { type: 'string' },
  },
});
const folder = path.resolve('var/kills', new Date().toISOString().replaceAll(':', ''));
mkdirSync(folder, { recursive: true });
console.log(`log and journals: ${folder}`);
const started = new Date();
const result = await campaign({
  kills: Number(values.kills),
  beds: Number(values.beds),
  longestMs: Number(values.longest),
  folder,
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
