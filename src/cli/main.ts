import { aloneProgram } from './alone.ts';
import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { exitCodeOf, known, printError } from './errors.ts';
import { overviewAsked, overviewProgram } from './overview.ts';

endQuietlyOnBrokenPipe();

try {
  const words = process.argv.slice(2);
  const asked = overviewAsked(words);
  if (asked) await overviewProgram(asked).parseAsync(process.argv.slice(0, 3));
  else await ((await aloneProgram(words)) ?? (await import('./program.ts')).kairosProgram()).parseAsync(process.argv);
} catch (thrown) {
  const error = known(thrown);
  printError(error, process.argv.includes('--debug'));
  // Setting the exit code is not enough: a process manager's channel would keep the process alive.
  process.exit(exitCodeOf(error));
}
