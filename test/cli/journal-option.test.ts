import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { wholeProgram } from '#cli/commands.ts';

/** Commands that read a journal and write none. */
const READ = [
  ...['status', 'positions', 'orders', 'trades', 'profit', 'report', 'why', 'why-not', 'parity', 'ledger balances'],
  ...['notifications list', 'notifications show'],
  ...['runs', 'tail', 'show', 'reasons', 'verify', 'backup', 'rotate', 'resolve'].map((name) => `journal ${name}`),
];

const PROGRAM = await wholeProgram();

function named(words: string): Command {
  return words.split(' ').reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word);
    if (!found) throw new Error(`there is no command ${words}`);
    return found;
  }, PROGRAM);
}

test.each(READ)('%s takes --journal FILE, for journal.path', async (words) => {
  const command = named(words);
  const set: unknown[] = [];
  command.exitOverride().action(() => void set.push(command.opts().set));
  const needed = command.registeredArguments.map(() => 'one');
  const mandatory = words === 'journal resolve' ? ['--as', 'accepted'] : [];
  await command.parseAsync([...needed, ...mandatory, '--set', 'account.currency=usd', '--journal', 'kept db.db'], { from: 'user' });
  expect(set).toEqual([['account.currency=usd', 'journal.path=kept db.db']]);
});
