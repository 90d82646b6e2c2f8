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
  readonly page: string;
  readonly file: string;
  readonly isNew: boolean;
  /** The changed text. Lines that do not fit are left out, and `misfit` hears of them. */
  readonly change: (before: string, misfit: (what: string) => void) => string;
}

/** What one walk-through changes: whole new files, and parts of those that are there. */
export function changesOf({ file: page, blocks }: (typeof WALKS)[number]): readonly Change[] {
  return blocks.flatMap(({ language, text: block, marks }): readonly Change[] => {
    const [named] = marks.flatMap((mark) => (mark.kind === 'file' ? [mark.name] : []));
    if (named !== undefined) return [{ page, file: named, isNew: true, change: () => `${block}\n` }];
    if (language !== 'diff') return [];
    const [head = '', ...lines] = block.split('\n');
    const file = head.replace('--- ', '');
    return [
      { page, file, isNew: false, change: (before, misfit) => hunksOf(lines).reduce((text, hunk) => applied(text, hunk, misfit), before) },
    ];
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
function applied(before: string, hunk: readonly string[], misfit: (what: string) => void): string {
  const side = (without: string): string => hunk.flatMap((line) => (line.startsWith(without) ? [] : [`\n${line.slice(1)}`])).join('');
  const parts = `\n${before}`.split(`${side('+')}\n`);
  if (parts.length === 2) return parts.join(`${side('-')}\n`).slice(1);
  misfit(`these lines stand at ${parts.length - 1} places of the file, and must at one; mend the walk-through:${side('+')}`);
  return before;
}

interface AddedFile {
  readonly file: string;
  readonly text: string;
  /** The walk-throughs that change it. */
  readonly pages: readonly string[];
}

/** Every file that the walk-throughs add or change, as all of them together leave it, and each change that does not fit the code. */
export function added(): { readonly files: readonly AddedFile[]; readonly misfits: readonly string[] } {
  const files = new Map<string, AddedFile>();
  const misfits: string[] = [];
  for (const { page, file, isNew, change } of WALKS.flatMap(changesOf)) {
    const { text, pages } = files.get(file) ?? { text: isNew ? '' : readFileSync(path.join(ROOT, file), 'utf8'), pages: [] };
    const after = change(text, (what) => misfits.push(`${page}, its change to ${file}: ${what}`));
    files.set(file, { file, text: after, pages: [...pages, page] });
  }
  return { files: [...files.values()], misfits };
}
