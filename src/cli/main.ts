// First: what reads the time zone before goes by another.
import './user-zone.ts';
import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { runCommandLine } from './command-line.ts';

endQuietlyOnBrokenPipe();

const failure = await runCommandLine(process.argv.slice(2));
// Setting the exit code is not enough: a process manager's channel would keep the process alive.
if (failure !== undefined) process.exit(failure);
