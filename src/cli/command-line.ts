import { haltWords, programFor } from './commands.ts';
import { exitCodeOf, known, printError } from './errors.ts';

/** Runs the command that these words are, and prints its error. Resolves with the exit code of an error; without one it is `process.exitCode`. */
export async function runCommandLine(typed: readonly string[]): Promise<number | undefined> {
  const words = haltWords(typed);
  const isAll = words.join(' ') === '--help all' || words.join(' ') === '-h all';
  try {
    await (await programFor(words)).parseAsync(isAll ? words.slice(0, 1) : [...words], { from: 'user' });
    return undefined;
  } catch (thrown) {
    const error = known(thrown);
    printError(error, words.includes('--debug'));
    return exitCodeOf(error);
  }
}
