import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { exitCodeOf, known, printError } from './errors.ts';
import { asksForOverview, overviewProgram } from './overview.ts';

endQuietlyOnBrokenPipe();

try {
  const program = asksForOverview(process.argv.slice(2)) ? overviewProgram() : (await import('./program.ts')).kairosProgram();
  await program.parseAsync(process.argv);
} catch (thrown) {
  const error = known(thrown);
  printError(error, process.argv.includes('--debug'));
  // Not only its code: a process manager's channel would keep a process alive that has nothing left to do.
  process.exit(exitCodeOf(error));
}
