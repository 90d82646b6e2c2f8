import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { VERSION } from '#apps/assembly/package.ts';
import { bear, LOADS, reportOf } from './loads.ts';

/**
 * `npm run load -- --only L1,L7 --minutes 5`: puts loads on a real daemon one after the other and prints what came of each; `--soak` is four hours of L1.
 * `--keep FILE` writes the report. What has a script of its own is started as that.
 */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  L4: ['bench/run.ts', '--only', 'webhooks'],
  L5: ['bench/run.ts', '--only', 'recover'],
  L9: ['test/kills/run.ts', '--kills', '1000'],
};
const NAMES = [...LOADS.map(({ number }) => number), ...Object.keys(SCRIPTS)];
const USAGE = `usage: npm run load -- [--only ${NAMES.join('|')}[,...]] [--minutes M | --seconds S | --soak] [--keep FILE]`;
const SOAK_SECONDS = 4 * 3_600;
const MAX_WARM_SECONDS = 20;

function asked() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        minutes: { type: 'string' },
        seconds: { type: 'string' },
        soak: { type: 'boolean', default: false },
        keep: { type: 'string' },
      },
    });
    const only = values.only?.split(',') ?? (values.soak ? ['L1'] : LOADS.map(({ number }) => number));
    const seconds = values.soak ? SOAK_SECONDS : values.seconds === undefined ? Number(values.minutes ?? '1') * 60 : Number(values.seconds);
    return seconds >= 3 && only.every((name) => NAMES.includes(name)) ? { only, seconds, keep: values.keep } : undefined;
  } catch {
    // An option that there is not: the usage says which there are.
    return undefined;
  }
}

async function main(): Promise<void> {
  const options = asked();
  if (!options) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const begun = new Date().toISOString().slice(0, 16);
  const reports: string[] = [];
  for (const name of options.only) {
    const script = SCRIPTS[name];
    if (script) {
      if (spawnSync(process.execPath, script, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
      continue;
    }
    const load = LOADS.find(({ number }) => number === name);
    if (!load) continue;
    const result = await bear(load, { seconds: options.seconds, warmSeconds: Math.min(MAX_WARM_SECONDS, options.seconds) });
    reports.push(reportOf(result));
    console.log(reportOf(result));
    if (result.faults.length > 0) process.exitCode = 1;
  }
  if (options.keep === undefined) return;
  const [cpu] = os.cpus();
  const of = `kairos ${VERSION}, Node ${process.versions.node}, ${os.cpus().length} x ${cpu?.model}, begun ${begun}Z`;
  writeFileSync(options.keep, `${of}\n\n${reports.join('\n\n')}\n`);
}

await main();
