import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { type Accepted, type FileResult, type Survivor, unaccounted } from './report.ts';
import { ROOMS } from './rooms.ts';

/** What is kept of the mutants of one file. */
export interface KeptFile {
  readonly file: string;
  /** Of the source that was mutated. */
  readonly hash: string;
  readonly found: number;
  /** Survivors with a reason in `survivors.json`. */
  readonly listed: number;
  /** The others, a line each. */
  readonly left: readonly string[];
}

/** Tells whether a file has changed since it was mutated. */
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);

/** A survivor as a line of the log. */
const lineOf = ({ line, mutator, text, replacement }: Survivor): string => `${line} ${mutator}: ${text} -> ${replacement}`;

export function keptOf({ file, killed, survivors }: FileResult, list: Accepted): KeptFile {
  const left = unaccounted(survivors, list);
  return { file, hash: hashOf(file), found: killed, listed: survivors.length - left.length, left: left.map(lineOf) };
}

/** The files of a room, in their order. */
function filesOf(room: string): readonly string[] {
  const patterns = ROOMS[room]?.mutate ?? [];
  const not = patterns.filter((pattern) => pattern.startsWith('!')).flatMap((pattern) => globSync(pattern.slice(1)));
  return patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !not.includes(file))
    .sort();
}

/** Score of some files: the share of mutants that a test found or that have a reason. */
export function scoreOf(files: readonly KeptFile[]) {
  const sum = (of: (file: KeptFile) => number): number => files.reduce((all, file) => all + of(file), 0);
  const found = sum((file) => file.found);
  const listed = sum((file) => file.listed);
  const left = sum((file) => file.left.length);
  const all = found + listed + left;
  return { all, found, listed, left, score: all === 0 ? 1 : (found + listed) / all };
}

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

export function scoreLine(name: string, files: readonly KeptFile[]): string {
  const { all, found, listed, left, score } = scoreOf(files);
  return `${name}: ${percent(score)} of ${all} mutants: ${found} found by a test, ${listed} listed with a reason, ${left} neither`;
}

const fileLine = ({ file, hash, found, listed, left }: KeptFile): string =>
  `${file} ${hash} ${found} found, ${listed} listed, ${left.length} left`;

/** The log of all rooms. `of` says what was run and when. Rooms name how many of their files were mutated. */
export function keptLog(of: string, files: readonly KeptFile[]): string {
  const rooms = Object.keys(ROOMS).map((room) => {
    const names = filesOf(room);
    const mine = files.filter(({ file }) => names.includes(file));
    return mine.length === 0 ? `${room}: not run` : `${scoreLine(room, mine)}; ${mine.length} of ${names.length} files with code`;
  });
  const blocks = [...files]
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map((file) => [fileLine(file), ...file.left.map((line) => `  ${line}`)].join('\n'));
  return `${of}\n\n${scoreLine('all', files)}\n${rooms.join('\n')}

Texts are not mutated. Each mutant met the tests that come by it: those of its file's name, then its room's own and others, the quickest first, as long as they
took two seconds of the processor together: what only slower ones would notice counts as not noticed.

Each line: a file, the hash of its source, its mutants by what became of them; under it those that no test noticed and that have no
reason in test/mutation/survivors.json, by line and kind.

${blocks.join('\n')}
`;
}

/** Reads such a log; nothing where there is none yet. */
export function readLog(path: string): readonly KeptFile[] {
  if (!existsSync(path)) return [];
  const files: (KeptFile & { readonly left: string[] })[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const head = /^(src\/\S+) ([0-9a-f]{12}) (\d+) found, (\d+) listed, \d+ left$/.exec(line);
    if (head) files.push({ file: head[1] ?? '', hash: head[2] ?? '', found: Number(head[3]), listed: Number(head[4]), left: [] });
    else if (/^ {2}\d+ /.test(line)) files.at(-1)?.left.push(line.trim());
  }
  return files;
}
