import { createInterface } from 'node:readline/promises';
import { KairosError } from '#domain/errors.ts';
import { shown } from '#domain/one-line.ts';

/** Asks a person to type a word, which guards against a typing error. Throws as `askYes`. */
export async function askWord(what: string, word: string, command: string): Promise<void> {
  const answer = await askLine(`${what}\nType ${JSON.stringify(word)} to go on: `, command);
  if (answer.trim() !== word) throw new KairosError('DECLINED', 'nothing was sent');
}

/** Asks a person for the six digits of a second factor. */
export const askDigits = (): Promise<string> => askLine('Six digits of your authenticator: ', 'the sign-in');

/**
 * Asks a person on the terminal. Throws USAGE, which names `--yes`, without a terminal, and DECLINED for anything but a
 * yes; `declined` is its consequence.
 */
export async function askYes(question: string, command: string, declined = 'nothing was written'): Promise<void> {
  const answer = await askLine(`${question} [y/N] `, command);
  if (!/^y(es)?$/i.test(answer.trim())) throw new KairosError('DECLINED', declined);
}

/** Asks a person on the terminal for a line. Throws USAGE without a terminal, DECLINED for Ctrl-C and where nobody answers within `withinMs`. */
export async function askLine(question: string, command: string, withinMs = Number.POSITIVE_INFINITY): Promise<string> {
  if (!process.stdin.isTTY) throw new KairosError('USAGE', `${command} asks first: add --yes where nobody can answer`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const limit = Number.isFinite(withinMs) ? { signal: AbortSignal.timeout(withinMs) } : {};
  try {
    return await terminal.question(shown(question), limit);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new KairosError('DECLINED', `${command}: nobody answered`);
    throw error;
  } finally {
    terminal.close();
  }
}
