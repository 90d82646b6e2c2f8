import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.ts';
import { blocksOf } from './blocks.ts';

/** The walk-throughs of `docs/how-to/add`, in the order in which one may build on another. */
const NAMES = ['operator', 'check', 'act', 'journaled-act', 'alert-channel', 'command', 'metric', 'dialect'];

export const WALKS = NAMES.map((name) => {
  const file = `docs/how-to/add/${name}.md`;
  return { name, file, blocks: blocksOf(file, readFileSync(path.join(ROOT, file), 'utf8')) };
});

interface Change {
  readonly file: string;
  readonly isNew: boolean;
  readonly change: (before: string) => string;
}

/** What one walk-through changes: whole new files, and parts of those that are there. */
export function changesOf({ file: page, blocks }: (typeof WALKS)[number]): readonly Change[] {
  return blocks.flatMap(({ language, text: block, marks }): readonly Change[] => {
    const [named] = marks.flatMap((mark) => (mark.kind === 'file' ? [mark.name] : []));
    if (named !== undefined) return [{ file: named, isNew: true, change: () => `${block}\n` }];
    if (language !== 'diff') return [];
    const [head = '', ...lines] = block.split('\n');
    const file = head.replace('--- ', '');
    const place = `${page}, its change to ${file}`;
    return [{ file, isNew: false, change: (before) => hunksOf(lines).reduce((text, hunk) => applied(text, hunk, place), before) }];
  });
}

const hunksOf = (lines: readonly string[]): readonly (readonly string[])[] => {
  const hunks: string[][] = [[]];
  for (const line of lines) {
    if (line === '@@') hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks;
};

/** Puts a hunk where its lines stand; they must stand at one place alone. */
function applied(before: string, hunk: readonly string[], place: string): string {
  const side = (without: string): string => hunk.flatMap((line) => (line.startsWith(without) ? [] : [`\n${line.slice(1)}`])).join('');
  const parts = `\n${before}`.split(`${side('+')}\n`);
  if (parts.length !== 2) {
    throw new Error(
      `${place}: these lines stand at ${parts.length - 1} places of the file, and must at one; mend the walk-through:${side('+')}`,
    );
  }
  return parts.join(`${side('-')}\n`).slice(1);
}

/** Every file that the walk-throughs add or change, as all of them together leave it. Throws where one does not fit the code. */
export function addedFiles(): readonly { readonly file: string; readonly text: string }[] {
  const files = new Map<string, string>();
  for (const { file, isNew, change } of WALKS.flatMap(changesOf)) {
    files.set(file, change(files.get(file) ?? (isNew ? '' : readFileSync(path.join(ROOT, file), 'utf8'))));
  }
  return [...files].map(([file, text]) => ({ file, text }));
}
