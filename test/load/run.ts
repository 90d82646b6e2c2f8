import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { VERSION } from '#assembly/package.ts';
import { endWrong, scriptValues } from '#assembly/script-options.ts';
import { bear, LOADS, type Loaded, reportOf } from './loads.ts';
import { bearYears } from './years.ts';

/**
 * `npm run load -- --only L1,L7 --minutes 5`: puts loads on a real daemon one after the other and prints what came of each. `--hours 4` alone soaks:
 * L1 that long, with pages that come and go and lanes that are dropped. `--keep FILE` writes the report, or adds to one. What has a script of
 * its own is started as that.
 */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  L4: ['bench/run.ts', '--only', 'webhooks'],
  L9: ['test/kills/run.ts', '--kills', '1000'],
  L10: ['src/lab/simulator/main.ts', '--seeds', '500', '--hours', '1', '--no-shrink'],
};
/** Loads that are no daemon's. */
const OTHERS: Readonly<Record<string, () => Loaded | Promise<Loaded>>> = {
  L5: () => bearYears(5_000_000),
};
const NAMES = [...LOADS.map(({ number }) => number), ...Object.keys(OTHERS), ...Object.keys(SCRIPTS)];
const MAX_WARM_SECONDS = 20;

function asked() {
  const values = scriptValues({
    name: 'load',
    does: 'puts loads on a real daemon, one after the other, and prints what came of each',
    options: {
      only: { type: 'string', value: 'NAME,NAME', says: `one or some of ${NAMES.join(', ')}` },
      hours: { type: 'string', value: 'N', says: 'length of each; alone it soaks so long' },
      minutes: { type: 'string', value: 'N', says: 'length of each (default: 1)' },
      seconds: { type: 'string', value: 'N', says: 'length of each, 3 at least' },
      keep: { type: 'string', value: 'FILE', says: 'writes the report, or adds to one' },
    },
  });
  const only =
    values.only?.split(',') ??
    (values.hours === undefined ? LOADS.map(({ number }) => number).filter((name) => name !== 'soak') : ['soak']);
  const { hours = '0', minutes = values.hours === undefined && values.seconds === undefined ? '1' : '0', seconds: more = '0' } = values;
  const seconds = Number(hours) * 3_600 + Number(minutes) * 60 + Number(more);
  const unknown = only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) endWrong(`npm run load: --only ${unknown}: there are ${NAMES.join(', ')}`);
  if (seconds < 3) endWrong('npm run load: a load takes 3 seconds at least: name --seconds, --minutes or --hours');
  return { only, seconds, keep: values.keep };
}

async function main(): Promise<void> {
  const options = asked();
  const begun = new Date().toISOString().slice(0, 16);
  const reports: string[] = [];
  for (const name of options.only) {
    const script = SCRIPTS[name];
    if (script) {
      if (spawnSync(process.execPath, script, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
      continue;
    }
    const load = LOADS.find(({ number }) => number === name);
    const warmSeconds = Math.min(MAX_WARM_SECONDS, options.seconds);
    const result = load ? await bear(load, { seconds: options.seconds, warmSeconds }) : await OTHERS[name]?.();
    if (!result) continue;
    reports.push(reportOf(result));
    console.log(reportOf(result));
    if (result.faults.length > 0) process.exitCode = 1;
  }
  if (options.keep === undefined) return;
  const [cpu] = os.cpus();
  const of = `kairos ${VERSION}, Node ${process.versions.node}, ${os.cpus().length} x ${cpu?.model}, begun ${begun}Z`;
  writeFileSync(options.keep, kept(options.keep, { of, reports }));
}

/** The report of this run in a file with those of others: each load has its newest, under what it was run on. */
function kept(file: string, { of, reports }: { readonly of: string; readonly reports: readonly string[] }): string {
  const before = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n\n') : [];
  const blocks = new Map(
    [...before, ...reports.map((report) => `${report}\n  run on: ${of}`)].map((block) => [block.split(':')[0], block]),
  );
  return `${[...blocks.values()].join('\n\n')}\n`;
}

await main();
