import { coinedIn } from './coined.ts';

/** How long a page is, and how much of it is in words of our own. */
export interface Figures {
  /** Of the whole file, as `wc -w` counts them. */
  readonly words: number;
  /** Words of a sentence on average, tables and code blocks apart. A span of code is one word. */
  readonly mean: number;
  /** Sentences of more than 35 words. */
  readonly long: number;
  /** Cells of tables of 15 words and more. */
  readonly wide: number;
  /** Words of our own for what has a name. */
  readonly coined: number;
}

const MAX_SENTENCE = 35;
const WIDE_CELL = 15;

/** Of all written pages together, rounded up to a hundred. It goes down with them; a new page may raise it while all pages fit `ALL`. */
export const WRITTEN = 41_500;

/** Of all pages. `WRITTEN` leaves room below it for what the code adds to generated ones, so that a new setting does not reach it. */
export const ALL = 60_000;

const WORDS: Readonly<Record<string, number>> = { 'README.md': 700, 'CONTRIBUTING.md': 1_200 };

/** What is made from the code is as long as the code has it. */
export const isGenerated = (file: string): boolean => file.startsWith('docs/reference/');

const mostWords = (file: string): number => WORDS[file] ?? (isGenerated(file) ? ALL : file.includes('/how-to/') ? 500 : 1_500);

/** What a page may come to: one of `docs/how-to/` does one task. */
export const GOAL = (file: string): Figures => ({
  words: mostWords(file),
  mean: 15,
  long: 0,
  wide: 0,
  coined: 0,
});

const countOf = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The figures of a page's text. */
export function figuresOf(text: string): Figures {
  const lines = text
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`]+`/g, 'code')
    .split('\n');
  const isRow = (line: string): boolean => line.trimStart().startsWith('|');
  const cells = lines.filter(isRow).flatMap((line) => line.split(/(?<!\\)\|/).map(countOf));
  const blocks = lines
    .map((line) => (isRow(line) || line.startsWith('#') ? '' : line.replace(/^ *(?:[-*]|\d+\.) /, '\n\n')))
    .join('\n')
    .split(/\n\s*\n/);
  const sentences = blocks
    .flatMap((block) => block.split(/(?<=[.!?][)*"_]*)\s+(?=[*_("[]*[\p{Lu}\p{N}]|code)/u))
    .map(countOf)
    .filter((count) => count > 0);
  const sum = sentences.reduce((all, count) => all + count, 0);
  return {
    words: text.split(/\s+/).filter((word) => word !== '').length,
    mean: Math.round((10 * sum) / Math.max(1, sentences.length)) / 10,
    long: sentences.filter((count) => count > MAX_SENTENCE).length,
    wide: cells.filter((count) => count >= WIDE_CELL).length,
    coined: coinedIn(lines.join('\n')).length,
  };
}

/** Which figures are beyond their bounds. */
export const overOf = (figures: Figures, bounds: Figures): readonly string[] =>
  [
    { name: 'words', of: figures.words, most: bounds.words },
    { name: 'words a sentence on average', of: figures.mean, most: bounds.mean },
    { name: `sentences of more than ${MAX_SENTENCE} words`, of: figures.long, most: bounds.long },
    { name: `cells of ${WIDE_CELL} words and more`, of: figures.wide, most: bounds.wide },
    { name: 'words of our own (scripts/words/coined.ts)', of: figures.coined, most: bounds.coined },
  ].flatMap(({ name, of, most }) => (of > most ? [`${of} ${name}, and ${most} is the bound`] : []));
