import { createInterface } from 'node:readline/promises';
import { KairosError } from '../domain/errors.ts';

/**
 * Asks a person on the terminal. Throws USAGE where nobody can answer, naming `--yes`, and DECLINED for anything but a
 * yes; `declined` says what that means.
 */
export async function askYes(question: string, command: string, declined = 'nothing was written'): Promise<void> {
  if (!process.stdin.isTTY) throw new KairosError('USAGE', `${command} asks first: add --yes where nobody can answer`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new KairosError('DECLINED', declined);
  } finally {
    terminal.close();
  }
}
