import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { exitCodeOf, printError } from './errors.ts';
import { kairosProgram } from './program.ts';

endQuietlyOnBrokenPipe();

try {
  await kairosProgram().parseAsync(process.argv);
} catch (error) {
  printError(error, process.argv.includes('--debug'));
  // Not only its code: a process manager's channel would keep a process alive that has nothing left to do.
  process.exit(exitCodeOf(error));
}
