import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { programFor } from './commands.ts';
import { exitCodeOf, known, printError } from './errors.ts';

endQuietlyOnBrokenPipe();

try {
  const words = process.argv.slice(2);
  const isAll = words.join(' ') === '--help all' || words.join(' ') === '-h all';
  await (await programFor(words)).parseAsync(isAll ? process.argv.slice(0, 3) : process.argv);
} catch (thrown) {
  const error = known(thrown);
  printError(error, process.argv.includes('--debug'));
  // Setting the exit code is not enough: a process manager's channel would keep the process alive.
  process.exit(exitCodeOf(error));
}
