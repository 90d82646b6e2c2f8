import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { wholeProgram } from '#cli/commands.ts';
import { messageOf } from '#domain/errors.ts';
import { ROOT } from '../support/root.ts';

/** The words of a command line as a shell would split them; `$(...)` and variables stay as they are. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|((?:[^\s'"]|=["'][^"']*["'])+)/g)].map(
    ([, single, double, bare = '']) => single ?? double ?? bare.replace(/["']/g, ''),
  );
}

/** The words behind `kairos` in each simple command of a line; nothing for other programs. */
export function kairosCalls(command: string): readonly (readonly string[])[] {
  return command.split(/ && | \|\|? | ; /).flatMap((part) => {
    const words = wordsOf(part.replace(/ \d?>.*$/, ''));
    const at = words.findIndex(
      (word, index) => word === 'kairos' && words.slice(0, index).every((one) => one === 'npx' || /^[A-Z_]+=/.test(one)),
    );
    return at < 0 ? [] : [words.slice(at + 1)];
  });
}

const PROGRAM = await wholeProgram();

/** Does nothing and prints nothing. Made once: the parser forgets what it parsed before. */
const IDLE = await wholeProgram();
for (const command of withSubcommands(IDLE)) {
  command.action(() => {}).configureOutput({ writeErr: () => {}, writeOut: () => {} });
}

/** What Kairos's parser has against a command, options and arguments included; undefined where it takes it. Nothing is run. */
export async function complaint(words: readonly string[]): Promise<string | undefined> {
  try {
    await IDLE.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    return /outputHelp|helpDisplayed/.test(String(error)) ? undefined : messageOf(error);
  }
}

/** What is wrong with a command that a sentence names in code, placeholders and all: a word or an option that does not exist. */
export function misnamed(words: readonly string[]): string | undefined {
  let command: Command = PROGRAM;
  let at = 0;
  for (; at < words.length; at += 1) {
    const next = command.commands.find((one) => one.name() === words[at]);
    if (!next) break;
    command = next;
  }
  const rest = words.slice(at).map((word) => word.replace(/[[\]()]/g, ''));
  if (command.commands.length > 0 && rest[0] !== undefined && /^[a-z]/.test(rest[0])) return `there is no command ${rest[0]}`;
  const known = [...command.options, ...PROGRAM.options].flatMap(({ long, short }) => [long, short]);
  return rest
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.replace(/=.*$/, ''))
    .filter((flag) => flag !== '--help' && !known.includes(flag))
    .map((flag) => `${command.name()} has no ${flag}`)[0];
}

/** Whether the command ends only when it is stopped. */
export function goesOn(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (first === 'run' || first === 'watch' || first === 'arena') return true;
  if (first === 'venue') return (second === '' || second.startsWith('-')) && !words.includes('help');
  if (first === 'record') return !words.includes('--seconds');
  if (first === 'quotes') return !words.includes('--count');
  return first === 'journal' && second === 'tail' && words.some((word) => word === '-f' || word === '--follow');
}

/** Whether the command asks before it acts, and can be told not to. */
export function asksFirst(words: readonly string[]): boolean {
  let command: Command = PROGRAM;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  return command.options.some(({ long }) => long === '--yes') && !words.includes('--yes');
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

interface PackageScripts {
  readonly scripts: Readonly<Record<string, string>>;
}

/** What is wrong with a line that calls npm: a script that the package does not have. */
export function npmComplaint(command: string): string | undefined {
  const { scripts }: PackageScripts = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return [...command.matchAll(/\bnpm (run )?([a-z:]+)/g)]
    .map(([, run, name = '']) => (run || name === 'start' || name === 'test' ? name : undefined))
    .filter((name) => name !== undefined && scripts[name] === undefined)
    .map((name) => `there is no script ${name}`)[0];
}
