import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { type ActOptions, addActOptions, perform, printDone, whoActs } from './act.ts';
import { printJson, printLine, printNote } from './output.ts';
import { configFrom, loadOptions } from './settings.ts';

interface Options extends ActOptions {
  readonly drill?: boolean;
}

/** Adds `halt`: no order goes out until a person resumes. */
export function addHalt(program: Command): void {
  addActOptions(program.command('halt'))
    .description('stop all orders until `resume`, openings and exits alike')
    .option('--drill', 'prove on a running paper daemon that a halt stops an order, then go on')
    .addHelpText('after', '\nExample:\n  kairos halt --reason "prices look wrong"\n  kairos halt --drill')
    .action(halt);
}

/** Halts whatever faults the configuration has: with them, the daemon is found by what can be read, and by what it leaves beside its journal. */
async function halt(options: Options): Promise<void> {
  const by = { who: whoActs(), why: options.reason };
  if (options.drill) return drill(by, options);
  const { hasMissingFile, readPastFaults } = await import('#apps/operations/past-faults.ts');
  const { config, fault, others } = readPastFaults(loadOptions(options));
  const { path } = config.settings.journal;
  const done = await perform({ act: 'halt', ...by }, config.settings);
  const isConfirmed = done.shutMs !== null;
  if (fault === null || isConfirmed || options.json) printDone(done, options);
  if (fault === null) return;
  if (isConfirmed && !hasMissingFile(config))
    return printNote(`kairos: the configuration is broken (${fault.message}); the daemon that runs on ${path} is halted all the same`);
  const { controlFiles } = await import('#adapters/journal/control-files.ts');
  const came = isConfirmed ? `process ${done.pid ?? '?'} is halted, which runs on ${path}` : `no daemon runs on ${path}`;
  const touch = others.length === 0 ? ['HALT` in the folder of its journal'] : others.map((journal) => `${controlFiles(journal).halt}\``);
  throw new KairosError(
    fault.code,
    `${fault.message}; ${controlFiles(path).halt} is written, and ${came}: to halt another, \`touch ${touch.join(' or `touch ')}`,
  );
}

async function drill(by: { readonly who: string; readonly why: string }, options: Options): Promise<void> {
  const { performDrill } = await import('#apps/operations/acts.ts');
  const result = await performDrill(by, configFrom(options).settings);
  const { verdict, outcome, orderId, shutMs, stoppedMs } = result;
  if (options.json) printJson(result);
  if (verdict !== 'passed')
    throw new KairosError(
      'DRILL_FAILED',
      `the drill ${verdict === 'failed' ? 'failed, and trading is halted' : 'shows nothing'}: ${outcome}`,
    );
  if (!options.json)
    printLine(
      `passed: the gate was shut ${shutMs} ms after the file, and order ${orderId} was stopped after ${stoppedMs} ms; trading goes on`,
    );
}
