import '../../scripts/ensure-node.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '#assembly/package.ts';
import { scriptValues } from '#assembly/script-options.ts';
import { endAll } from '../support/process.ts';
import { campaign, describe } from './campaign.ts';

/** `npm run parity:live`: real paper runs with drawn settings, timers, acts and ends, each held against its own replay. Ends with 1 where one differs. */
const values = scriptValues({
  name: 'parity:live',
  does: 'runs the daemon on paper with drawn settings, ends it by SIGTERM or SIGKILL, and holds each run against its own replay',
  options: {
    runs: { type: 'string', default: '20', value: 'N', says: 'so many runs' },
    each: { type: 'string', default: '4', value: 'N', says: 'so many of them one after the other on the same journal' },
    seed: { type: 'string', default: '1', value: 'N', says: 'the first seed; each journal has the next one' },
    seconds: { type: 'string', default: '60', value: 'N', says: 'the longest run; the shortest is half of it' },
    beside: { type: 'string', default: '1', value: 'N', says: 'journals side by side' },
    keep: { type: 'string', value: 'FILE', says: 'writes the table' },
  },
});
const folder = path.resolve('var/parity', new Date().toISOString().replaceAll(':', ''));
mkdirSync(folder, { recursive: true });
console.log(`journals: ${folder}`);
const started = new Date();
const each = Math.min(Number(values.each), Number(values.runs));
const longest = Number(values.seconds) * 1000;
const results = await campaign({
  seeds: Array.from({ length: Math.ceil(Number(values.runs) / each) }, (_, index) => String(Number(values.seed) + index)),
  runs: each,
  ms: [longest / 2, longest],
  beside: Number(values.beside),
  folder,
  onRun: ({ seed, run, fault }) => console.log(`seed ${seed}, run ${run}: ${fault === '' ? 'equal' : fault}`),
}).finally(endAll);
const table = describe(results);
console.log(table);
if (values.keep !== undefined) {
  const of = `kairos ${VERSION}, Node ${process.versions.node}, ${started.toISOString().slice(0, 16)}Z to ${new Date().toISOString().slice(0, 16)}Z`;
  writeFileSync(values.keep, `${of}\n\n${table}\n`);
}
process.exitCode = results.length > 0 && results.every(({ fault }) => fault === '') ? 0 : 1;
