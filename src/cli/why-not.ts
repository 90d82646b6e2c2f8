import type { Command } from 'commander';
import { isoTime, type Millis } from '#domain/names.ts';
import { instant } from './instant.ts';
import { printJson, printLine, printNote } from './output.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly at?: Millis | 'last';
  readonly strategy?: string;
}

/** Adds `why-not`: why there was no order. */
export function addWhyNot(program: Command): void {
  addJournalOptions(program.command('why-not'))
    .description('why there was no order: the refusal or, without one, what the strategy saw')
    .option('--at <time>', 'ISO 8601, UTC unless it says otherwise, or `last`: when something was last refused (default: now)', moment)
    .option('--strategy <id>', 'only this strategy')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos why-not --at 2026-11-21T14:30:00Z --strategy cross-btc')
    .action(explain);
}

const moment = (text: string): Millis | 'last' => (text === 'last' ? text : instant(text));

async function explain(options: Options): Promise<void> {
  const { silences } = await import('#apps/backtest/parity/silence.ts');
  const { whyNot } = await import('#report/why-not.ts');
  const { PACKAGED_STRATEGIES } = await import('#apps/assembly/package.ts');
  const { oneLine } = await import('#domain/one-line.ts');
  const found = await silences({
    settings: configFrom(options).settings,
    at: options.at ?? Date.now(),
    strategy: options.strategy,
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    notice: printNote,
  });
  const answers = found.map((silence) => ({
    strategy: silence.strategy,
    at: isoTime(silence.at),
    run: silence.run ?? null,
    ...whyNot(silence),
  }));
  if (options.json)
    return printJson(answers.map(({ lines, ...answer }) => ({ ...answer, facts: lines.map(([about, text]) => ({ about, text })) })));
  for (const { strategy, at, answer, advice, lines } of answers) {
    printLine(oneLine(`${strategy} at ${at}: ${answer}`));
    printLine(oneLine(`  ${'then'.padEnd(9)} ${advice}`));
    for (const [about, text] of lines) printLine(oneLine(`  ${about.padEnd(9)} ${text}`));
  }
}
