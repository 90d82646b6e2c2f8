import { CommanderError } from 'commander';
import { typed } from '#assembly/typed.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { shown } from '#domain/one-line.ts';
import { uninstalledAdvice } from './uninstalled.ts';

const WRONG_USE = 2;

/** What a person can do instead of commands that there are not. Only Kairos itself disables strategies. */
const INSTEAD: Readonly<Record<string, string>> = {
  disable: '`kairos pause STRATEGY` opens nothing until resume, `enabled: false` in its entry keeps it out of the next run',
  start: '`kairos run` starts the daemon',
  stop: 'Ctrl-C, SIGTERM or its supervisor ends the daemon; `kairos halt` stops orders alone',
};

/** An error of the command line's parser on one line: `kairos: unknown command 'rnu' (did you mean run?)`. */
export function usageText(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replace(/^unknown command '(disable|start|stop)'.*/s, (_, word: string) => `unknown command '${word}': ${INSTEAD[word]}`)
    .replace(/^(unknown option '--(?:threads|workers)').*/s, '$1 (did you mean --jobs?)')
    .replace(/\n\(Did you mean/, ' (did you mean')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*)'\./, "argument '$2' '$1' is invalid.")
    .replace(/^(missing required argument|required option|unknown option) [^(]*$/, '$&: --help has an example');
  return `kairos: ${shown(line)}\n`;
}

/** Converts SQLite's error of a broken file into a KairosError that says how to mend it. */
export function known(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'SqliteError') return error;
  const how = 'if it is the journal, `kairos journal verify` names the first bad row: restore a backup';
  return new KairosError('JOURNAL_BROKEN', `a database cannot be read (${messageOf(error)}); ${how}`, { cause: error });
}

/** Prints an error as one line on standard error, with its stack if `debug`; on a terminal also how to find its code. The parser prints its own errors. */
export function printError(error: unknown, debug: boolean): void {
  if (error instanceof CommanderError) return;
  const known = error instanceof KairosError;
  const [line = ''] = messageOf(error).split('\n');
  const install = uninstalledAdvice(error);
  const unexpected = install === undefined ? ' (unexpected; run with --debug to see where)' : `: ${install}`;
  const explained = known && process.stderr.isTTY ? typed(` (npx kairos docs ${error.code})`) : '';
  const advice = known || debug ? explained : unexpected;
  process.stderr.write(`kairos: ${shown(typed(line))}${advice}\n`);
  if (debug && error instanceof Error && error.stack) process.stderr.write(`${shown(error.stack)}\n`);
}

/** The exit code that an error ends a command with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof KairosError) return error.exitCode;
  if (!(error instanceof CommanderError)) return 1;
  return error.exitCode === 0 ? 0 : WRONG_USE;
}
