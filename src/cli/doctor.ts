import { type Command, Option } from 'commander';
import type { Finding } from '#daemon/doctor/finding.ts';
import type { ServiceDialect } from '#daemon/doctor/first-inspection.ts';
import { KairosError } from '#domain/errors.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine, printNote } from './output.ts';
import { addConfigOptions, type ConfigOptions, loadOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly probe?: boolean;
  readonly service?: boolean;
  readonly seconds?: number;
  readonly json?: boolean;
}

/** How long `doctor` listens, in seconds: long enough for rare events such as a maintenance. */
const LISTEN_SECONDS = 60;

/** Adds `doctor`: what would stop trading, and how to mend it. */
export function addDoctor(command: Command): void {
  addConfigOptions(command)
    .option('--probe', 'also sign in and send an order that cannot execute')
    .option('--service', "also listen on each lane, and show the service's dialect")
    .addOption(new Option('--seconds <number>', 'how long to listen').argParser(wholeNumber(1, 3600)).implies({ service: true }))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos doctor --probe\n  kairos doctor --service --seconds 60')
    .action(doctor);
}

async function doctor(options: Options): Promise<void> {
  (await import('#assembly/load-guard.ts')).guardLoading();
  const { examine } = await import('#daemon/doctor/doctor.ts');
  const { thisMachine } = await import('#daemon/doctor/machine.ts');
  const { STATE_CHECK } = await import('#daemon/doctor/journal.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  let dialect: ServiceDialect | undefined;
  if (options.service && !options.json) printNote(`listening for ${options.seconds ?? LISTEN_SECONDS} s, without trading`);
  const findings = await examine({
    load: loadOptions(options),
    probe: options.probe === true,
    listenMs: options.service ? (options.seconds ?? LISTEN_SECONDS) * 1000 : null,
    onDialect: (heard) => {
      dialect = heard;
    },
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    machine: thisMachine(),
  });
  if (options.json) await printAsJson(findings, options.service ? (dialect ?? null) : undefined);
  else for (const finding of findings) printLine(lineOf(finding));
  if (dialect && !options.json) {
    const { printDialect } = await import('./dialect-lines.ts');
    printDialect(dialect, dialect.lanes[0]?.product.toLowerCase() ?? 'PRODUCT');
  }
  const failed = findings.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return;
  const names = [...new Set(failed.map(({ check }) => check))].join(', ');
  if (failed.every(({ check }) => check === STATE_CHECK)) throw new KairosError('TRADING_STOPPED', 'trading is stopped: see state above');
  throw new KairosError('DOCTOR_FAILED', `this would stop trading: ${names}`);
}

/** Prints the findings as JSON, with the dialect and its settings if it was listened to. */
async function printAsJson(findings: readonly Finding[], dialect: ServiceDialect | null | undefined): Promise<void> {
  if (dialect === undefined) return printJson(findings);
  const { settingsBlock } = await import('./settings-block.ts');
  const hasSettings = dialect !== null && Object.keys(dialect.settings).length > 0;
  printJson({ findings, dialect, yaml: hasSettings ? settingsBlock(dialect.settings) : '' });
}

function lineOf({ check, verdict, what, mend }: Finding): string {
  return `${verdict.padEnd(4)}  ${check.padEnd(16)}  ${what}${mend === null ? '' : `\n${' '.repeat(24)}${mend}`}`;
}
