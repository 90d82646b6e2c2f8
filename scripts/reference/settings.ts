import { strategies } from '#config/entries.ts';
import { initialOf } from '#config/resolved.ts';
import { ALL_KEYS, type PlacedKey } from '#config/tree.ts';
import { exampleIn, flowText } from '#domain/settings/form.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { type Page, page, table } from './page.ts';

const INTRO = [
  'Files merge, later wins; then the environment; then `--set KEY=VALUE`. The environment variable of a key is `KAIROS_` and the key in upper snake case',
  '(`KAIROS_JOURNAL_PATH`); others are named. Those with a star (lists, groups) have none. Secrets come from the environment, or from files of mode 0600: `..._FILE` names one,',
  'or it has the name of the variable in `secrets/`. Paths are relative to the folder in which the command is typed; only `use` of a strategy is relative to the folder of its file. Numbers of',
  'time are milliseconds.',
].join('\n');

/** Every setting with its defaults and meaning. */
export function settingsPage(): Page {
  const all = table([['key', 'default', 'meaning'], ...ALL_KEYS.map(row)]);
  const entry = table([['key', 'default', 'meaning'], ...entryRows(strategies.schema.items)]);
  return page('settings', 'Settings', `${INTRO}\n\n${all}\n\n## An entry of strategies\n\n${entry}`);
}

/** What an entry of a list may have, by its schema. */
function entryRows(schema: unknown): readonly (readonly string[])[] {
  if (!isGroup(schema) || !isGroup(schema.properties)) return [];
  const needed = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, default: initial } = isGroup(field) ? field : {};
    return [`\`strategies[].${name}\``, needed.includes(name) ? 'required' : shown(initial), `${description}${formOf(field)}`];
  });
}

function row({ name, key, env }: PlacedKey): readonly string[] {
  const variable = env === undefined ? ' *' : key.env === undefined ? '' : ` (\`${env}\`)`;
  const named = `\`${name}\`${variable}`;
  if (key.secret) return [named, key.onPaper === undefined ? 'none' : "on paper the venue's", `${key.doc} (secret)`];
  const usual = shown(initialOf(key, 'live'));
  const onPaper = shown(initialOf(key, 'paper'));
  const hasForm = isGroup(initialOf(key, 'paper')) && onPaper !== '`{}`';
  return [named, onPaper === usual ? usual : `${usual}, on paper ${onPaper}`, `${key.doc}${hasForm ? '' : formOf(key.kind.schema)}`];
}

/** The form of a group, or of an entry of a list of them, by the example in its schema. */
function formOf(schema: unknown): string {
  const example = exampleIn(schema);
  return example === undefined ? '' : `; such as \`${flowText(example)}\``;
}

function shown(value: unknown): string {
  return value === null || value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}
