import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOT_TESTED, RULES, type Side } from './interface-rules.ts';

/** `docs/reference/interface.md`: every rule of the interface with the test that shows it, on each side. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const PAGE = 'docs/reference/interface.md';

/** Where tests of each side are; the venue's are those of its conformance suite alone. */
const FOLDERS: Readonly<Record<Side, readonly string[]>> = {
  venue: ['test/conformance/venue'],
  client: ['test/conformance/client', 'test/adapters/service-client', 'test/adapters/webhook-receiver', 'test/core/market', 'test/process'],
};

const ID = /(?<=^|[ ,(])\d+\.[\w%][\w.%-]*(?: sends)?/;
const IDS = new RegExp(ID, 'g');

interface Title {
  readonly file: string;
  readonly text: string;
  /** Everything that the file says in quotes: the values that a title of many tests is filled with. */
  readonly words: ReadonlySet<string>;
}

/** Titles of tests as they stand in the source, `%s` and all, and the first words of rows that fill a title which is `%s` alone. */
function titlesIn(folder: string): readonly Title[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .flatMap((entry) => {
      const whole = path.join(entry.parentPath, entry.name);
      const text = readFileSync(whole, 'utf8');
      const strings = [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`\n]*)`/g)].map(
        (found) => found[1] ?? found[2] ?? found[3] ?? '',
      );
      const keys = [...text.matchAll(/^\s*([A-Za-z]\w*):/gm)].map(([, key = '']) => key);
      const words = new Set([...strings.flatMap((string) => [string, ...string.split(/[ ,]/)]), ...keys]);
      const file = path.relative(ROOT, whole).split(path.sep).join('/');
      return strings.filter(isTitle).map((string) => ({ file, text: string, words }));
    })
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** A figure that a test compares is no title: a title goes on in words, or is filled in. */
function isTitle(text: string): boolean {
  return ID.test(text) && (text.includes('%') || /[a-z]{3} ?/i.test(text.replaceAll(IDS, '')));
}

const idsIn = (text: string): readonly string[] => [...text.matchAll(IDS)].map(([id]) => id.replace(/\.$/, ''));

/** True where the title is filled with the last words of the rule. */
function shows({ text, words }: Title, rule: string): boolean {
  return idsIn(text).some((id) => {
    if (!id.includes('%')) return false;
    const pattern = new RegExp(`^${id.replaceAll('.', '\\.').replaceAll(/%[sijd]/g, '([\\w-]+)')}$`);
    const filled = pattern.exec(rule);
    return filled?.slice(1).every((word) => words.has(word)) ?? false;
  });
}

/** Titles that name the rule in full; where there are none, those that are filled with it. */
function showing(titles: readonly Title[], rule: string): readonly Title[] {
  const named = titles.filter(({ text }) => idsIn(text).includes(rule));
  return named.length > 0 ? named : titles.filter((title) => shows(title, rule));
}

/** One row: the rule, and for each side the titles that show it or why there are none. */
export interface Row {
  readonly rule: string;
  readonly shown: Readonly<Record<Side, readonly Pick<Title, 'file' | 'text'>[]>>;
}

export function rows(): readonly Row[] {
  const titles = (side: Side): readonly Title[] => FOLDERS[side].flatMap(titlesIn);
  const [venue, client] = [titles('venue'), titles('client')];
  return RULES.map((rule) => ({
    rule,
    shown: { venue: showing(venue, rule), client: showing(client, rule) },
  }));
}

/** Rules one after the other that the same files show share a line. */
export function pageText(): string {
  const cell = ({ rule, shown }: Row, side: Side): string => NOT_TESTED[side][rule] ?? shown[side].slice(0, 1).map(linkTo).join('');
  const lines: { rules: string[]; cells: string }[] = [];
  for (const row of rows()) {
    const cells = `${cell(row, 'venue')} | ${cell(row, 'client')}`;
    const last = lines.at(-1);
    if (last?.cells === cells) last.rules.push(row.rule);
    else lines.push({ rules: [row.rule], cells });
  }
  const columns = '| rule | the paper venue | the client |\n| --- | --- | --- |';
  return `${HEAD}\n\n${columns}\n${lines.map(({ rules, cells }) => `| \`${rules.join(', ')}\` | ${cells} |`).join('\n')}\n`;
}

/** The file of a test, as a cell links to it; its title names the rule there. */
export function linkTo({ file }: Pick<Title, 'file'>): string {
  return `[${file.slice('test/'.length, -'.test.ts'.length)}](../../${file})`;
}

const HEAD = `# The interface, rule by rule

Made from the titles of tests by \`npm run interface\`.

Every rule of the interface specification, with a test of the paper venue and one of the client. The venue's knows nothing of the client.
\`2.5.userId\` is a field of a table in 2.5, \`4.5.3\` rule 3 of section 4.5, \`5.1.s1\` a rule of signatures, \`7.2\` a row of a table.
\`npx vitest run FILE -t 4.5.3\` runs the tests of a rule.

What a rule leaves open: [dialects](dialect.md), by section. How an answer to an order is read: [an order's answer](answers.md).`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(path.join(ROOT, PAGE), pageText());
  console.log(PAGE);
}
