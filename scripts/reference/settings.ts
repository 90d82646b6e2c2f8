import { strategies } from '#config/entries.ts';
import { initialOf } from '#config/resolved.ts';
import { ALL_KEYS, type PlacedKey } from '#config/tree.ts';
import { exampleIn, flowText } from '#domain/settings/form.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'Files merge, later wins; a group by currency or product is one value. Then the environment; then `--set KEY=VALUE`, also of one figure (`risk.maxDayLoss.usd`). In brackets: the variable, where it is not `KAIROS_` and the key in upper snake case, and the default.',
  "A key with a star has no variable. Secrets are variables or files of mode 0600: `..._FILE` names one, or it stands in `secrets/` under the variable's name.",
  'Paths start at the folder of the command. Times without a unit are milliseconds.',
].join('\n');

/** What is so of many settings of a group. */
const NOTES: Readonly<Record<string, string>> = {
  risk: 'Any limit may be `off`. A value is a number in `account.currency`, or a group by currency.',
  alerts: '`alerts.events`: `on`, `silent` or `off`.',
};

/** Every setting with its defaults and meaning. */
export function settingsPage(): Page {
  const parts = [...Map.groupBy(ALL_KEYS, ({ name }) => name.split('.', 1)[0])].map(([top, keys]) => part(`${top}`, keys.map(row)));
  return page(
    'settings',
    'Settings',
    [INTRO, ...parts, part('An entry of strategies', entryRows('strategies[]', strategies.schema.items))].join('\n\n'),
  );
}

const part = (title: string, rows: readonly (readonly string[])[]): string =>
  `## ${title}\n\n${NOTES[title] === undefined ? '' : `${NOTES[title]}\n\n`}${rows.map(([name, initial, meaning]) => `- ${name}: ${meaning}${initial === 'none' ? '' : ` (${initial})`}`).join('\n')}`;

/** What a group may have, such as an entry of a list, by its schema; and what the groups in it may have. */
function entryRows(path: string, schema: unknown): readonly (readonly string[])[] {
  if (!isGroup(schema) || !isGroup(schema.properties)) return [];
  const needed = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const { description, default: initial } = isGroup(field) ? field : {};
    if (description === undefined) return [];
    const here = `${path}.${name}`;
    const whole = [`\`${here}\``, needed.includes(name) ? 'required' : shown(initial), `${description}${mostOf(field)}${formOf(field)}`];
    return [whole, ...formsIn(field).flatMap((form) => entryRows(here, form))];
  });
}

/** What a value may be, where it may also be null. */
const formsIn = (field: unknown): readonly unknown[] => (isGroup(field) && Array.isArray(field.anyOf) ? field.anyOf : [field]);

/** The largest number that a value may be. */
function mostOf(field: unknown): string {
  const most = formsIn(field).flatMap((form) => (isGroup(form) && typeof form.maximum === 'number' ? [form.maximum] : []));
  return most.length === 0 ? '' : `; up to ${most}`;
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
