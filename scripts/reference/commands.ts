import type { Argument, Command, Option } from 'commander';
import { wholeProgram } from '#cli/commands.ts';
import { type Page, page, table } from './page.ts';

const PROGRAM = await wholeProgram();

/** What nearly every command takes; told once. */
const COMMON = ['--config', '--set', '--debug', '--json', '--help'];

/** On so many commands an option of one meaning is told once, and named at each. */
const SHARED_BY = 3;

const INTRO = [
  '`npx kairos COMMAND --help` says the same, with more examples. Most commands take `--config FILE` (repeatable, later wins; `./kairos.yaml` without it, else the packaged paper one),',
  '`--set KEY=VALUE` (repeatable, over files and environment) and `--debug` (the stack of an error). `--json` prints the result for scripts, but where it says *no json*. `<argument>` is needed, `[argument]` is not. Brackets behind a name have its default.',
  'Times are ISO 8601, UTC where they name no zone. Without a terminal a command that asks is refused, unless `--yes` is given.',
].join('\n');

const EXITS: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done, or stopped by one signal'],
  ['1', 'failed'],
  ['2', 'wrong use or configuration'],
  ['3', 'refused, declined, or trading is halted'],
  ['4', 'a check found a difference'],
  ['5', 'another process holds the journal; of a backtest: a strategy failed'],
  ['130, 143', 'ended at once by a signal'],
];

/** Every command with its arguments, options and an example, as the parser has them. */
export function commandsPage(): Page {
  const leaves = PROGRAM.commands.flatMap((command) => leavesOf(command, ''));
  const exits = table([['exit code', 'meaning'], ...EXITS]);
  const counts = Map.groupBy(
    leaves.flatMap(({ command }) => ownOf(command).map(lineOf)),
    (line) => line,
  );
  const shared = new Set([...counts].filter(([, lines]) => lines.length >= SHARED_BY).map(([line]) => line));
  const first = new Map<string, string>();
  for (const { name, command } of leaves) {
    for (const line of ownOf(command).map(lineOf)) if (!shared.has(line) && !first.has(line)) first.set(line, name);
  }
  const parts = leaves.map((leaf) => section(leaf, shared, first));
  const told = `What several commands take:\n\n${[...shared].sort().join('\n')}`;
  return page('commands', 'Commands', [INTRO, exits, 'Errors by their codes: [errors](errors.md).', told, ...parts].join('\n\n'));
}

interface Leaf {
  /** `journal tail` */
  readonly name: string;
  readonly command: Command;
}

/** Commands that do something; a group of them has no section of its own. */
export function leavesOf(command: Command, above: string): readonly Leaf[] {
  const name = above === '' ? command.name() : `${above} ${command.name()}`;
  const below = command.commands.flatMap((one) => leavesOf(one, name));
  return below.length > 0 && !acts(command) ? below : [{ name, command }, ...below];
}

/** A group such as `data` does nothing by itself and takes no options but `--help`. */
const acts = (command: Command): boolean => command.options.length > 0 || command.registeredArguments.length > 0;

const ownOf = (command: Command): readonly Option[] =>
  command.options.filter(({ long }) => long === undefined || long === null || !COMMON.includes(long));

/** A command's own lines; of what an earlier command explains, and of what many take, the names alone. */
function section({ name, command }: Leaf, shared: ReadonlySet<string>, first: ReadonlyMap<string, string>): string {
  const json = command.options.some(({ long }) => long === '--json') ? '' : ' *No json.*';
  const own = ownOf(command);
  const elsewhere = Map.groupBy(own, (option) => (shared.has(lineOf(option)) ? 'also' : first.get(lineOf(option))));
  const lines = [
    ...command.registeredArguments.map((one) => line(shapeOf(one), one.description, one.defaultValueDescription ?? one.defaultValue)),
    ...(elsewhere.get(name) ?? []).map(lineOf),
    ...[...elsewhere].flatMap(([at, options]) => {
      const flags = options.map(({ long, flags }) => `\`${long ?? flags}\``).join(', ');
      if (at === undefined || at === name) return [];
      return [at === 'also' ? `- also ${flags}` : `- as [\`${at}\`](#${anchor(at)}): ${flags}`];
    }),
  ];
  const [example = ''] = examplesOf(command);
  return [
    `## ${name}`,
    `${capital(command.description())}.${json}`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(/ -/.test(example) ? [`Example: \`${example}\``] : []),
  ].join('\n\n');
}

function shapeOf(one: Argument): string {
  const name = `${one.name()}${one.variadic ? '...' : ''}`;
  return one.required ? `<${name}>` : `[${name}]`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const lineOf = ({ flags, description, defaultValue, defaultValueDescription, mandatory, argChoices }: Option): string => {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  const needed = mandatory && defaultValue === undefined ? ' (required)' : '';
  return line(flags, `${description}${choices}${needed}`, defaultValueDescription ?? defaultValue);
};

/** A line of the page: a default that the description names, or the parser's, stands behind the name. */
function line(name: string, description: string, initial: unknown): string {
  const [stated, named] = / ?\(default: (.+?)\)/.exec(description) ?? [];
  const own = initial === undefined || initial === false ? named : typeof initial === 'string' ? initial : JSON.stringify(initial);
  return `- \`${name}\`${own === undefined ? '' : ` (${own})`}: ${description.replace(stated ?? '', '')}`;
}

/** The examples that a command's help ends with. */
export function examplesOf(command: Command): readonly string[] {
  let help = '';
  const { writeOut } = command.configureOutput();
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  if (writeOut) command.configureOutput({ writeOut });
  const [, after = ''] = help.split(/\nExamples?:\n/);
  return after
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}.*$/, ''))
    .filter((line) => line.startsWith('kairos '));
}

const anchor = (name: string): string => name.replaceAll(' ', '-');
