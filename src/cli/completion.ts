import { Argument, type Command } from 'commander';
import { printLine } from './output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** A command for completion: the words that may follow it, each with a line of help. */
interface CommandWords {
  /** Its words without `kairos`; '' for `kairos` itself. */
  readonly path: string;
  readonly next: readonly { readonly word: string; readonly says: string }[];
}

/** Adds `completion`: a script for the shell, which completes commands and options. */
export function addCompletion(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nExamples:\n  kairos completion bash > ~/.local/share/bash-completion/completions/kairos\n  kairos completion zsh > ~/.zfunc/_kairos\n  kairos completion fish > ~/.config/fish/completions/kairos.fish',
    )
    .action((shell: Shell) => printLine(SCRIPTS[shell](completedIn(command.parent ?? command))));
}

function completedIn(command: Command, path = ''): readonly CommandWords[] {
  const options = command.options.flatMap(({ long, description, hidden }) => (long && !hidden ? [{ word: long, says: description }] : []));
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, says: description })),
  );
  const commands = command.commands.map((one) => ({ word: one.name(), says: one.description() }));
  const own = { path, next: [...commands, ...choices, ...options, { word: '--help', says: 'explain this, with an example' }] };
  return [own, ...command.commands.flatMap((one) => completedIn(one, path === '' ? one.name() : `${path} ${one.name()}`))];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const patternOf = (all: readonly CommandWords[]): string => all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|');

const SCRIPTS: Readonly<Record<Shell, (all: readonly CommandWords[]) => string>> = {
  bash: (all) => `# Tab completion of kairos for bash, made by: kairos completion bash
_kairos() {
  local word='' found='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${found:+$found }$word" in
      ${patternOf(all)}) found="\${found:+$found }$word" ;;
    esac
  done
  case "$found" in
${all.map(({ path, next }) => `    ${quoted(path)}) words=${quoted(next.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _kairos kairos`,
  zsh: (all) => `#compdef kairos
# Tab completion of kairos for zsh, made by: kairos completion zsh
_kairos() {
  local word found=''
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${found:+$found }$word" in
      (${patternOf(all)}) found="\${found:+$found }$word" ;;
    esac
  done
  case "$found" in
${all
  .map(
    ({ path, next }) =>
      `    (${quoted(path)}) next=(${next.map(({ word, says }) => quoted(`${word.replaceAll(':', '\\:')}:${says}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'kairos' next || _files
}
if [ "$funcstack[1]" = _kairos ]; then _kairos "$@"; else compdef _kairos kairos; fi`,
  fish: (all) => `# Tab completion of kairos for fish, made by: kairos completion fish
function __kairos_at
    set -l found
    for word in (commandline -opc)[2..]
        switch (string join ' ' $found $word)
            case ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}
                set -a found $word
        end
    end
    test (string join ' ' $found) = "$argv[1]"
end
${all
  .flatMap(({ path, next }) =>
    next.map(({ word, says }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c kairos -n ${fishQuoted(`__kairos_at ${fishQuoted(path)}`)} ${what} -d ${fishQuoted(says)}`;
    }),
  )
  .join('\n')}`,
};

/** Quotes a text for fish, which escapes two characters in single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
