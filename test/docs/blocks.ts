import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.ts';

/** What an HTML comment before a block says of it; a reader of the page does not see it. */
export type Mark =
  /** Its commands are read by the parser alone, for this reason. */
  | { readonly kind: 'not run'; readonly why: string }
  /** It is what this command prints. */
  | { readonly kind: 'output of'; readonly command: string }
  /** It is what a person would see, and no command prints it here, for this reason. */
  | { readonly kind: 'example'; readonly why: string }
  /** It is this file of the folder in which the commands after it run. */
  | { readonly kind: 'file'; readonly name: string }
  /** What it starts is let go on until it has printed this. */
  | { readonly kind: 'until'; readonly printed: string }
  /** Its commands end with this code. */
  | { readonly kind: 'exit code'; readonly code: number };

/** A fenced block of a page. */
export interface Block {
  /** Of the fence, from the checkout: `docs/sweep.md:16`. */
  readonly at: string;
  readonly language: string;
  readonly text: string;
  readonly marks: readonly Mark[];
}

export interface Page {
  /** From the checkout. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** How the folder looks in which its commands begin, as `<!-- folder: traded -->` says; empty without it. */
  readonly folder: 'empty' | 'traded' | 'trading' | 'walk';
  /** Whether a service off this machine answers, as `<!-- service: example -->` says. */
  readonly hasService: boolean;
}

/** Pages that a person wrote or that were made, README and all of `docs/`. */
export function allPages(): readonly Page[] {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', ...docs].map(pageAt);
}

function pageAt(file: string): Page {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const folder = /^<!-- folder: (traded|trading|walk) -->$/m.exec(text)?.[1];
  return {
    path: file,
    text,
    blocks: blocksOf(file, text),
    folder: folder === 'traded' || folder === 'trading' || folder === 'walk' ? folder : 'empty',
    hasService: text.includes('<!-- service: example -->'),
  };
}

/** The fenced blocks of a page in their order. Throws on a comment of a kind that nobody knows, and on a fence without an end. */
export function blocksOf(file: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let marks: Mark[] = [];
  let open: { at: string; language: string; lines: string[]; indent: string } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const at = `${file}:${index + 1}`;
    const fence = /^( *)```(\w*)$/.exec(line);
    if (open) {
      if (fence && fence[2] === '') {
        blocks.push({ at: open.at, language: open.language, text: open.lines.join('\n'), marks });
        [open, marks] = [undefined, []];
      } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
      continue;
    }
    if (fence) open = { at, language: fence[2] ?? '', lines: [], indent: fence[1] ?? '' };
    else if (/^ *<!--/.test(line)) marks.push(...markOf(line.trim(), at));
    else if (line.trim() !== '') marks = [];
  }
  if (open) throw new Error(`${open.at}: the fence has no end`);
  return blocks;
}

function markOf(line: string, at: string): readonly Mark[] {
  const [, kind = '', what = ''] = /^<!-- ([a-z ]+): (.+) -->$/.exec(line) ?? [];
  if (kind === 'not run' || kind === 'example') return [{ kind, why: what }];
  if (kind === 'output of') return [{ kind, command: what }];
  if (kind === 'file') return [{ kind, name: what }];
  if (kind === 'until') return [{ kind, printed: what }];
  if (kind === 'exit code') return [{ kind, code: Number(what) }];
  if (kind === 'folder' || kind === 'service') return [];
  throw new Error(`${at}: what does this say of the block? ${line}`);
}

/** A command of a block, and the lines that the block shows as its output. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

/**
 * The commands of a block: lines after a `$`, the rest being what they print; without any `$` every line. Comments are
 * left out, a line that ends with a backslash goes on in the next one.
 */
export function stepsOf(text: string): readonly Step[] {
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n');
  const prompted = lines.some((line) => line.startsWith('$ '));
  const steps: { command: string; shown: string[] }[] = [];
  for (const line of lines) {
    if (!prompted && line.trim() !== '' && !line.trim().startsWith('#')) steps.push({ command: withoutComment(line), shown: [] });
    else if (line.startsWith('$ ')) steps.push({ command: withoutComment(line.slice(2)), shown: [] });
    else if (prompted) steps.at(-1)?.shown.push(line);
  }
  return steps;
}

const withoutComment = (line: string): string => line.replace(/\s+# .*$/, '').trim();

const FIRST_WORDS =
  /^(npx kairos|kairos|npx vitest|npx pm2|npm|git|cp|mv|rm|cat|cd|mkdir|touch|kill|export|curl|duckdb|python3?|sqlite3|sudo|systemctl|ssh|scp|tar|node|[A-Z_]+=\S+ (npx )?kairos)\b/;

/** Whether a block holds commands, rather than what they print. */
export function hasCommands({ language, text, marks }: Block): boolean {
  if (language === 'sh' || language === 'bash' || language === 'console') return true;
  if (language !== '' || marks.some(({ kind }) => kind === 'output of' || kind === 'example')) return false;
  return stepsOf(text).some(({ command }) => FIRST_WORDS.test(command)) && !/^\w+ +(kB|MB)/.test(text);
}
