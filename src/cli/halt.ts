import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';
import { printJson, printLine } from './output.ts';
import { configFrom } from './settings.ts';

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

async function halt(options: Options): Promise<void> {
  const by = { who: whoActs(), why: options.reason };
  if (!options.drill) return act({ act: 'halt', ...by }, options);
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
