import type { Command } from 'commander';
import type { Millis } from '#domain/names.ts';
import { instant } from './instant.ts';
import { printJson, printNote, printTable, printText } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly at?: Millis | 'last';
  readonly strategy?: string;
}

/** Adds `why-not`: why there was no order. */
export function addWhyNot(command: Command): void {
  addJournalOptions(command)
    .option('--at <time>', "a time, or `last`: the last refusal, else the last run's end (default: now)", moment)
    .option('--strategy <id>', 'only this strategy, with what to do')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos why-not --at 2026-11-21T14:30:00Z --strategy cross-btc')
    .action(explain);
}

const moment = (text: string): Millis | 'last' => (text === 'last' ? text : instant(text));

async function explain(options: Options): Promise<void> {
  const { whyNotAnswers } = await import('#daemon/operations/why-not.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { oneLine } = await import('#domain/one-line.ts');
  const answers = await whyNotAnswers({
    settings: (await runningConfigFrom(options)).settings,
    at: options.at,
    strategy: options.strategy,
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    notice: printNote,
  });
  if (options.json) return printJson(answers);
  // What cannot trade comes first, with what ends that.
  const [first, ...others] = answers.toSorted((a, b) => Number(a.state === null) - Number(b.state === null));
  if (first === undefined) return;
  if (others.length > 0) {
    const isOneMoment = others.every(({ at }) => at === first.at);
    printTable(
      ['strategy', isOneMoment ? `why it had no order at ${first.at}` : 'why it had no order'],
      [first, ...others].map(({ strategy, at, answer }) => [strategy, oneLine(isOneMoment ? answer : `${at}: ${answer}`)]),
      { notes: new Map(answers.flatMap(({ strategy, state, advice }) => (state === null ? [] : [[strategy, oneLine(`then ${advice}`)]]))) },
    );
    return printNote(`--strategy ${first.strategy} says what to do, and what it saw`);
  }
  const { strategy, at, answer, advice, facts } = first;
  printText(oneLine(`${strategy} at ${at}: ${answer}`));
  printText(oneLine(`  ${'then'.padEnd(9)} ${advice}`));
  for (const { about, text } of facts) printText(oneLine(`  ${about.padEnd(9)} ${text}`));
}
