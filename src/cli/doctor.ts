import type { Command } from 'commander';
import type { Finding } from '#apps/doctor/finding.ts';
import { KairosError } from '#domain/errors.ts';
import { printJson, printLine } from './output.ts';
import { addConfigOptions, type ConfigOptions, loadOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly probe?: boolean;
  readonly json?: boolean;
}

/** Adds `doctor`: what would stop you from trading, and how to mend it. */
export function addDoctor(program: Command): void {
  addConfigOptions(program.command('doctor'))
    .description('check everything that would stop trading, and say how to mend it')
    .option(
      '--probe',
      'also send a signed order for a quote that never was, and sign in where the daemon has to: proves key, user and clock, and can execute nothing',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos doctor --probe')
    .action(doctor);
}

async function doctor(options: Options): Promise<void> {
  const { examine } = await import('#apps/doctor/doctor.ts');
  const { thisMachine } = await import('#apps/doctor/machine.ts');
  const { STATE_CHECK } = await import('#apps/doctor/journal.ts');
  const { PACKAGED_STRATEGIES } = await import('#apps/assembly/packaged-strategies.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const findings = await examine({
    load: loadOptions(options),
    probe: options.probe === true,
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    machine: thisMachine(),
  });
  if (options.json) printJson(findings);
  else for (const finding of findings) printLine(lineOf(finding));
  const failed = findings.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return;
  const names = [...new Set(failed.map(({ check }) => check))].join(', ');
  if (failed.every(({ check }) => check === STATE_CHECK)) throw new KairosError('TRADING_STOPPED', 'trading is stopped: see state above');
  throw new KairosError('DOCTOR_FAILED', `this would stop trading: ${names}`);
}

function lineOf({ check, verdict, what, mend }: Finding): string {
  return `${verdict.padEnd(4)}  ${check.padEnd(16)}  ${what}${mend === null ? '' : `\n${' '.repeat(24)}${mend}`}`;
}
