import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file of the checkout. */
export interface Source {
  /** Path from the checkout, with `/`. */
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  /** The text with comments blanked, line breaks kept. */
  readonly code: string;
}

/** The TypeScript files below a folder of the checkout. */
export function sourcesUnder(top: string): Source[] {
  return readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
      const text = readFileSync(path.join(root, file), 'utf8');
      return { file, folder: file.split('/')[1] ?? '', text, code: withoutComments(text) };
    });
}

/** Blanks comments; lines stay where they are. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, (comment, before: string) => before + ' '.repeat(comment.length - before.length));
}

/** Rooms that are a folder in a folder. */
export const WINGS: ReadonlySet<string> = new Set(['core', 'adapters', 'research', 'daemon', 'lab']);

/** The room of a path below `src/`: `core/engine` of `core/engine/inbox.ts`. */
export function roomOf(file: string): string {
  const [top = '', below = ''] = file.split('/');
  return WINGS.has(top) ? `${top}/${below}` : top;
}

/** What a file imports; texts that become files of a user's project are no imports. */
export function importsOf({ file, code }: Source): string[] {
  if (/^src\/cli\/init\/.*-texts\.ts$/.test(file)) return [];
  const statements = /^import\b[^;'`]*?'([^']+)'|^export (?:type )?[{*][^;'`]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...code.matchAll(statements)].map(([, imported, exported, lazy]) => imported ?? exported ?? lazy ?? '');
}

/** The path below `src/` that an import names; undefined for a package. */
export function targetOf(source: Source, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(source.file), specifier).replace(/^src\//, '');
}

/** Each room of `src` with the rooms that its files import, in the order of the alphabet; what only type-checks counts too. */
export function roomImports(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const source of sources) {
    const room = roomOf(source.file.replace(/^src\//, ''));
    const to = found.get(room) ?? new Set();
    found.set(room, to);
    for (const specifier of importsOf(source)) {
      const target = targetOf(source, specifier);
      if (target !== undefined && roomOf(target) !== room) to.add(roomOf(target));
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([room, to]) => [room, [...to].sort()]));
}

/** Rooms from which others import most, before those that import them. Throws where rooms import each other in a circle. */
export function inLayers(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const order: string[] = [];
  const walk = (room: string, above: readonly string[]): void => {
    if (above.includes(room))
      throw new Error(`rooms import each other in a circle: ${[...above.slice(above.indexOf(room)), room].join(' -> ')}`);
    if (order.includes(room)) return;
    for (const next of imports.get(room) ?? []) walk(next, [...above, room]);
    order.push(room);
  };
  for (const room of imports.keys()) walk(room, []);
  return order;
}

/** The arrows that say all: those that follow from others are left out. */
export function arrowsOf(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly [from: string, to: string])[] {
  const order = inLayers(imports);
  const reach = new Map<string, ReadonlySet<string>>();
  for (const room of order) reach.set(room, new Set((imports.get(room) ?? []).flatMap((next) => [next, ...(reach.get(next) ?? [])])));
  return [...order].reverse().flatMap((room) => {
    const direct = imports.get(room) ?? [];
    const told = (next: string): boolean => direct.some((other) => other !== next && reach.get(other)?.has(next) === true);
    return direct.filter((next) => !told(next)).map((next) => [room, next] as const);
  });
}

/** The rooms and their arrows as a Mermaid drawing. */
export function drawing(imports: ReadonlyMap<string, readonly string[]>): string {
  const id = (room: string): string => room.replaceAll(/[/-]/g, '_');
  const rooms = [...inLayers(imports)].reverse();
  const wings = [...WINGS].map((wing) => {
    const inside = rooms.filter((room) => room.startsWith(`${wing}/`)).map((room) => `    ${id(room)}["${room.slice(wing.length + 1)}"]`);
    return [`  subgraph ${wing}`, ...inside, '  end'].join('\n');
  });
  const arrows = arrowsOf(imports).map(([from, to]) => `  ${id(from)}-->${id(to)}`);
  return ['flowchart TD', ...wings, ...arrows].join('\n');
}

const BUILT = 'docs/explanation/how-it-is-built.md';
const DRAWN = /(```mermaid\n)[\s\S]*?(\n```)/;

/** The page on how Kairos is built with its drawing of the rooms as the imports are now. */
export function builtPage(): Page {
  const text = readFileSync(path.join(root, BUILT), 'utf8');
  if (!DRAWN.test(text)) throw new Error(`${BUILT} has no block of mermaid for the drawing`);
  return {
    path: BUILT,
    text: text.replace(DRAWN, (_all, open: string, close: string) => open + drawing(roomImports(sourcesUnder('src'))) + close),
  };
}
