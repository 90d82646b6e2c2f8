import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { emptyProgram } from './base.ts';

/** A command as the list of all of them shows it. */
interface Listed {
  readonly group: string;
  readonly name: string;
  /** The name with what may follow it. */
  readonly term: string;
  readonly summary: string;
}

const OVERVIEW = new URL('./overview.json', import.meta.url);

/** Whether nothing but the list of commands or the version is asked for. */
export const asksForOverview = (words: readonly string[]): boolean =>
  words.length === 1 && ['-h', '--help', '-V', '--version'].includes(words[0] ?? '');

/** What `overview.json` must say of a program; `npm run reference` writes it, and a test keeps it current. */
export function overviewOf(program: Command): readonly Listed[] {
  const help = program.createHelp();
  return program.commands.map((command) => ({
    group: command.helpGroup(),
    name: command.name(),
    term: help.subcommandTerm(command),
    summary: help.subcommandDescription(command),
  }));
}

/** A program that lists all commands without loading any, so that `kairos --help` is there at once also the first time. */
export function overviewProgram(): Command {
  const listed: readonly Listed[] = JSON.parse(readFileSync(OVERVIEW, 'utf8'));
  const terms = new Map(listed.map(({ name, term }) => [name, term]));
  const program = emptyProgram().configureHelp({ subcommandTerm: (command) => terms.get(command.name()) ?? command.name() });
  for (const { group, name, summary } of listed) program.addCommand(new Command(name).description(summary).helpGroup(group));
  return program;
}
