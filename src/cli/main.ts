import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { exitCodeOf, known, printError } from './errors.ts';
import { overviewAsked, overviewProgram } from './overview.ts';

endQuietlyOnBrokenPipe();

try {
  const asked = overviewAsked(process.argv.slice(2));
  if (asked) await overviewProgram(asked).parseAsync(process.argv.slice(0, 3));
  else await (await import('./program.ts')).kairosProgram().parseAsync(process.argv);
} catch (thrown) {
  const error = known(thrown);
  printError(error, process.argv.includes('--debug'));
  // Not only its code: a process manager's channel would keep a process alive that has nothing left to do.
  process.exit(exitCodeOf(error));
}
