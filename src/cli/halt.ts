import type { Command } from 'commander';
import { userName } from '#assembly/user-name.ts';
import type { ActResult } from '#daemon/operations/acts.ts';
import { journalCommand } from '#daemon/operations/journal-command.ts';
import type { RunningDaemon } from '#daemon/operations/running-daemons.ts';
import { KairosError } from '#domain/errors.ts';
import { shortLine } from '#domain/one-line.ts';
import { printDone } from './act.ts';
import { printJson, printLine, printNote } from './output.ts';
import { addUnreadOptions, type ConfigOptions, configFrom, loadOptions, readySettings } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly reason?: string | true;
  readonly drill?: boolean;
}

interface By {
  readonly who: string;
  readonly why: string;
}

/** Adds `halt`: no order goes out until a person resumes. */
export function addHalt(command: Command): void {
  addUnreadOptions(command)
    .option('--reason [text]', 'your reason (default: no reason given)')
    .option('--json', 'print JSON')
    .option('--drill', 'prove on paper that a halt stops an order')
    // No typing error keeps a person from halting.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', '\nExample:\n  kairos halt --reason "prices look wrong"\n  kairos halt --drill')
    .action((options: Options, command: Command) => halt(options, command.args));
}

async function halt({ config = [], set = [], ...rest }: Options, words: readonly string[]): Promise<void> {
  const { reason = '', drill: isDrill } = rest;
  const options = { ...rest, config: config.filter((file) => file !== ''), set: set.filter((one) => one !== '') };
  const by = { who: userName(), why: shortLine([reason === true ? '' : reason, ...words].join(' ')) || 'no reason given' };
  const leftOut = [
    ...words.filter((word) => word.startsWith('-')),
    ...(config.includes('') ? ['--config'] : []),
    ...(set.includes('') ? ['--set'] : []),
  ];
  if (isDrill && leftOut.length === 0) return drill(by, options);
  try {
    await haltNow(by, options);
  } finally {
    if (leftOut.length > 0) printNote(`kairos: the halt left out what is unknown or has no value: ${shortLine(leftOut.join(' '))}`);
  }
}

/** Halts the daemons that are meant. Throws HALT_UNSEEN, or the fault of the settings, where none is reached. */
async function haltNow(by: By, options: Options): Promise<void> {
  const { haltMeant, reachedText } = await import('#daemon/operations/halts.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const ready = async () => {
    await readySettings(options);
    return loadOptions(options);
  };
  const { own, reached, dones, fault, failed, missed, others } = await haltMeant(by, loadOptions(options), { timers: systemTimers, ready });
  tell(reached, dones, { own, json: options.json ?? false });
  if (failed) throw failed;
  if (missed) throw new KairosError(missed.code, `${missed.message}; ${othersText(others)}`);
  if (fault) printNote(`kairos: the configuration is broken (${fault.message}); ${reachedText(reached)} all the same`);
}

function tell(
  reached: readonly ActResult[],
  dones: readonly ActResult[],
  { own, json }: { readonly own: string; readonly json: boolean },
): void {
  const [first = dones[0]] = reached;
  if (first && (json || reached.length > 0)) printDone(first, { json });
  for (const { journal, pid } of reached) {
    if (journal !== own)
      printNote(
        `kairos: process ${pid ?? '?'} runs on ${journal}, unlike journal.path: \`${journalCommand('resume', journal)}\` ends its halt`,
      );
  }
}

const MAX_NAMED = 5;

function othersText(daemons: readonly RunningDaemon[]): string {
  if (daemons.length === 0) return 'no other daemon of yours is known: `touch HALT` in the folder of its journal halts one all the same';
  const named = daemons
    .slice(0, MAX_NAMED)
    .map(({ pid, journal }) => `process ${pid} runs on ${journal}: \`${journalCommand('halt', journal)}\``);
  return [...named, ...(daemons.length > MAX_NAMED ? [`${daemons.length - MAX_NAMED} more run`] : [])].join('; ');
}

async function drill(by: By, options: Options): Promise<void> {
  const { performDrill } = await import('#daemon/operations/acts.ts');
  await readySettings(options);
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
