import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tellingApart } from './differences.ts';
import { instrumented, type Made } from './instrumented.ts';
import { readAccepted } from './report.ts';

/**
 * `node test/mutation/draw-mutants.ts N SEED`: draws one-line changes of the code, by the mutation run's own operators, over the rooms whose
 * mistakes the simulator should see. Leaves out those that its kept log or its list of survivors has as noticed by no test; of a file that the log
 * has not, or not as it stands, a mutant must compile. Writes the sources with the drawn mutants, and a list of these to the standard output.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  risk: ['src/core/risk/*.ts'],
  execution: ['src/core/execution/*.ts'],
  portfolio: ['src/core/portfolio/*.ts'],
  recovery: [
    'src/adapters/journal/{latches,left-open,owed-orders,past-risk,past-works,projection,recovery}.ts',
    'src/core/engine/restore-run.ts',
  ],
  schedule: ['src/core/schedule/*.ts', 'src/core/engine/scheduled-actions.ts'],
};
const OUT = 'var/mutation/drawn';
const KEPT = 'test/kept/mutation.txt';

interface Drawn extends Made {
  readonly room: string;
  readonly text: string;
}

const [count = 0, seed = '1'] = [Number(process.argv[2]), process.argv[3]];
const accepted = readAccepted('test/mutation/survivors.json');
const kept = keptFiles();

const files = Object.values(ROOMS)
  .flat()
  .flatMap((one) => globSync(one))
  .sort();
const all = await instrumented(files);
const perRoom = Object.entries(ROOMS).map(([room, patterns]) => candidates(room, patterns));
const inTurns = Array.from({ length: Math.max(...perRoom.map((one) => one.length)) }, (_, at) =>
  perRoom.flatMap((one) => one[at] ?? []),
).flat();
const twice = inTurns.slice(0, 2 * count);
const broken = notCompiling(twice.filter(({ fileName }) => !isKept(fileName)));
const drawn = twice.filter((one) => !broken.has(one)).slice(0, count);
// Each mutant that stands in the code costs time wherever it is passed, so that only the places of the drawn ones are changed.
const placed = await instrumented([...new Set(drawn.map(({ fileName }) => fileName))], (name) =>
  drawn.flatMap(({ fileName, location }) => (fileName === name ? [location] : [])),
);
const idOf = new Map(placed.mutants.map((one) => [identity(one), one.id]));
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const mutators = new Map(drawn.map((one) => [idOf.get(identity(one)) ?? '', one.mutatorName]));
for (const { name, content } of placed.files)
  writeFileSync(path.join(OUT, belowSrc(name).replaceAll('/', '-')), await tellingApart(content, mutators));
const mutants = drawn.map((one) => {
  const { fileName, room, mutatorName, replacement, text, location } = one;
  return {
    id: idOf.get(identity(one)),
    room,
    file: belowSrc(fileName),
    line: location.start.line + 1,
    mutator: mutatorName,
    text,
    replacement,
  };
});
console.log(JSON.stringify({ sources: path.resolve(OUT), mutants }));

function identity({ fileName, mutatorName, replacement, location: { start, end } }: Made): string {
  return [fileName, mutatorName, start.line, start.column, end.line, end.column, replacement].join('\n');
}

function belowSrc(file: string): string {
  return file.slice('src/'.length);
}

/** The mutants of a room in the order of the draw. */
function candidates(room: string, patterns: readonly string[]): readonly Drawn[] {
  const own = new Set(patterns.flatMap((one) => globSync(one)));
  const lines = new Map([...own].map((name) => [name, readFileSync(name, 'utf8').split('\n')]));
  const isTaken = ({ location: { start, end } }: Made): boolean => start.line === end.line;
  return all.mutants
    .filter((one) => own.has(one.fileName) && one.status !== 'Ignored' && isTaken(one))
    .map((one) => ({ ...one, room, text: lines.get(one.fileName)?.[one.location.start.line]?.trim() ?? '' }))
    .filter((one) => !isUnnoticed(one))
    .map((one) => ({
      one,
      place: createHash('sha256')
        .update([seed, one.fileName, one.location.start.line, one.location.start.column, one.replacement].join('\n'))
        .digest('hex'),
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ one }) => one);
}

/** The files of the kept log, with their hashes, and the mutants that no test noticed. */
function keptFiles(): ReadonlyMap<string, { readonly hash: string; readonly left: readonly string[] }> {
  const files = new Map<string, { readonly hash: string; readonly left: string[] }>();
  let last: string[] = [];
  for (const line of readFileSync(KEPT, 'utf8').split('\n')) {
    const [, file = '', hash = ''] = /^(src\/\S+) ([0-9a-f]{12}) /.exec(line) ?? [];
    if (file !== '') {
      last = [];
      files.set(file, { hash, left: last });
    } else if (/^ {2}\d+ /.test(line)) last.push(line.replace(/^ {2}\d+ /, ''));
  }
  return files;
}

function isKept(file: string): boolean {
  return kept.get(file)?.hash === createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}

/** True for one that no test notices, by its line's text: lines move. */
function isUnnoticed({ fileName, mutatorName, replacement, text }: Drawn): boolean {
  const flat = replacement.replace(/\s+/g, ' ');
  const isListed = accepted.some(
    (one) => one.file === fileName && one.text === text && (one.replacement === '*' || one.replacement === flat),
  );
  return isListed || (kept.get(fileName)?.left.includes(`${mutatorName}: ${text} -> ${flat}`) ?? false);
}

/** Those that the compiler refuses: each stands as a file of its own in a copy of the tree. */
function notCompiling(mutants: readonly Drawn[]): ReadonlySet<Drawn> {
  const tree = 'var/mutation/tree';
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const one of ['src', 'package.json', 'tsconfig.json']) cpSync(one, `${tree}/${one}`, { recursive: true });
  symlinkSync(path.resolve('node_modules'), `${tree}/node_modules`);
  const files = new Map(mutants.map((one, at) => [`${one.fileName.slice(0, -'.ts'.length)}.mutant-${at}.ts`, one]));
  for (const [
    file,
    {
      fileName,
      location: { start, end },
      replacement,
    },
  ] of files) {
    const lines = readFileSync(fileName, 'utf8').split('\n');
    const line = lines[start.line] ?? '';
    lines[start.line] = `${line.slice(0, start.column)}${replacement}${line.slice(end.column)}`;
    writeFileSync(`${tree}/${file}`, lines.join('\n'));
  }
  const { stdout } = spawnSync('npx', ['tsc', '-p', '.', '--noEmit'], { cwd: tree, encoding: 'utf8' });
  return new Set([...files].flatMap(([file, one]) => (stdout.includes(`${file}(`) ? [one] : [])));
}
