import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { printJson, printText } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

/** Adds `why`: the history of an order in words. */
export function addWhy(command: Command): void {
  addJournalOptions(command)
    .argument('<order>', "an order's id or number, the first digits of its quote, or `last`")
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos why last')
    .action(why);
}

async function why(word: string, options: ConfigOptions & { readonly json?: boolean }): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { ordersNamed } = await import('#adapters/journal/named-rows.ts');
  const { decisionOf } = await import('#adapters/journal/records.ts');
  const { orderWords } = await import('#report/order-words.ts');
  const { isBacktest, isDry } = await import('#domain/mode.ts');
  const { oneLine } = await import('#domain/one-line.ts');
  const { decisionJson } = await import('./decision-lines.ts');
  const journal = JournalReader.open((await runningConfigFrom(options)).settings.journal.path);
  try {
    const [id = word, ...others] = journal.named((database) => ordersNamed(database, word));
    if (others.length > 0)
      throw new KairosError('USAGE', `${word} is the number of several orders: ${[id, ...others].join(', ')}: name one`);
    const story = journal.story(id);
    if (!story) {
      const [what, mend] =
        word === 'last'
          ? [
              'no order yet',
              isBacktest(journal.lastRun()?.mode)
                ? '`kairos why-not --at last` says what kept the last one back'
                : '`kairos why-not` says what each strategy waits for',
            ]
          : [`no order ${JSON.stringify(word)}`, 'see kairos orders'];
      throw new KairosError('NOT_FOUND', `there is ${what} in journal ${journal.path}: ${mend}`);
    }
    const { order, decisions, ledger, decidedAt } = story;
    const lines = orderWords({ ...story, decisions: decisions.map(decisionOf), isDry: isDry(journal.lastRun()?.mode) });
    if (options.json) {
      const words = lines.map(([about, text]) => ({ about, text }));
      return printJson({ order, words, decisions: decisions.map(decisionJson), ledger });
    }
    if (order) {
      printText(
        `order ${id} is ${order.state}: ${order.side} ${order.size} ${order.product} for ${order.strategy}, decided ${decidedAt ?? order.intent_at}`,
      );
    }
    for (const [n, [about, text]] of lines.entries())
      printText(oneLine(`  ${(about === lines[n - 1]?.[0] ? '' : about).padEnd(9)} ${text}`));
  } finally {
    journal.close();
  }
}
