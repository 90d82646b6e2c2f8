import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page of `docs/` of this version. */
export interface Document {
  /** Its path below the folder without the ending, such as `how-to/go-live`. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** A part of a page in which all words of a search stand. */
export interface Hit {
  readonly name: string;
  readonly title: string;
  readonly heading: string;
  /** The first line that has one of the words. */
  readonly line: string;
}

interface Part {
  readonly heading: string;
  readonly text: string;
}

/** The page that leads to all others. */
export const INDEX = 'README';

const FOLDER = fileURLToPath(new URL('../../../docs', import.meta.url));
/** A search for a frequent word finds no more parts. */
const MAX_HITS = 40;
const MAX_LINE = 200;

/** All pages, by name. */
export function documents(): readonly Document[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return files
    .map((file) => {
      // Marks of the tests that type what a page says.
      const text = readFileSync(path.join(FOLDER, file), 'utf8').replace(/^ *<!--.*-->\n/gm, '');
      return { name: file.slice(0, -'.md'.length).split(path.sep).join('/'), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The page of a name, also without its folders and in any case. */
export function documentNamed(word: string, all: readonly Document[]): Document | undefined {
  const name = word.toLowerCase().replace(/^docs\/|\.md$/g, '');
  const isNamed = (document: Document): boolean => document.name.toLowerCase() === name;
  return all.find(isNamed) ?? all.find((document) => document.name.toLowerCase().endsWith(`/${name}`));
}

/** The parts of pages that have every word: first those with all of them in the title, then in the heading, then in the text. */
export function searched(asked: string, all: readonly Document[]): readonly Hit[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = all.flatMap(({ name, title, text }) =>
    partsOf(text).flatMap((part, index) => {
      const rank =
        index === 0 && has(`${title} ${name}`) ? 0 : has(part.heading) ? 1 : has(`${title} ${part.heading} ${part.text}`) ? 2 : 3;
      return rank < 3 ? [{ rank, hit: { name, title, heading: part.heading, line: lineOf(part, words) } }] : [];
    }),
  );
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A page's parts, each under its heading; a line of a block of code is no heading. */
function partsOf(text: string): readonly Part[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#+ (.+)$/.exec(line)?.[1];
    if (heading === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ heading, lines: [] });
  }
  return parts.map(({ heading, lines }) => ({ heading, text: lines.join('\n') }));
}

function lineOf({ text }: Part, words: readonly string[]): string {
  const lines = text.split('\n').filter((line) => /\p{L}/u.test(line));
  const line = lines.find((one) => words.some((word) => one.toLowerCase().includes(word))) ?? lines[0] ?? '';
  const plain = line
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[|`*[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE)}…` : plain;
}
