import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { emptyProgram } from './base.ts';

/** A command in the list of commands. */
interface Listed {
  readonly group: string;
  readonly name: string;
  /** The name with its arguments. */
  readonly term: string;
  readonly summary: string;
}

const OVERVIEW = new URL('./overview.json', import.meta.url);

/** The first commands of a newcomer, in the order of use. */
const FIRST: readonly string[] = ['init', 'run', 'status', 'why', 'backtest'];

/** The lists: a few commands to begin with, or all of them. */
type Overview = 'first' | 'all';

/** The requested list of commands, or the version; null for anything else. */
export function overviewAsked([word = '', ...others]: readonly string[]): Overview | null {
  const isHelp = ['-h', '--help'].includes(word);
  if (isHelp && others.length === 1 && others[0] === 'all') return 'all';
  return others.length === 0 && (isHelp || ['-V', '--version'].includes(word)) ? 'first' : null;
}

/** The content of `overview.json`; `npm run reference` writes it, and a test keeps it current. */
export function overviewOf(program: Command): readonly Listed[] {
  const help = program.createHelp();
  return program.commands.map((command) => ({
    group: command.helpGroup(),
    name: command.name(),
    term: help.subcommandTerm(command),
    summary: help.subcommandDescription(command),
  }));
}

/** A program that lists commands without loading any of them, which makes `kairos --help` quick. */
export function overviewProgram(which: Overview): Command {
  const all: readonly Listed[] = JSON.parse(readFileSync(OVERVIEW, 'utf8'));
  const listed = which === 'all' ? all : FIRST.flatMap((name) => all.filter((one) => one.name === name)).map(toBeginWith);
  const terms = new Map(listed.map(({ name, term }) => [name, term]));
  const program = emptyProgram().configureHelp({ subcommandTerm: (command) => terms.get(command.name()) ?? command.name() });
  for (const { group, name, summary } of listed) program.addCommand(new Command(name).description(summary).helpGroup(group));
  if (which === 'first') {
    program.addHelpText(
      'after',
      '\n  kairos --help all         lists every command by what it is for\n  kairos why --help         explains one, with an example',
    );
  }
  return program;
}

const toBeginWith = (one: Listed): Listed => ({ ...one, group: 'To begin with:' });
