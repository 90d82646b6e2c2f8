import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from '#apps/assembly/package.ts';
import { endWrong, scriptValues } from '#apps/assembly/script-options.ts';
import { filesOf, hashOf, type KeptFile, keptLog, keptOf, percent, readLog, scoreLine, scoreOf, withoutNumber } from './kept-log.ts';
import { type FileResult, readAccepted, readReport } from './report.ts';
import { ROOMS } from './rooms.ts';

/**
 * `npm run mutate -- --room risk`: changes the room's code in one place after the other, and runs the tests that come by there
 * against each change. Prints the score, and each mutant that no test noticed and that `survivors.json` gives no
 * reason for. Fails below nine in ten. `--files` takes part of a room (separated by commas), `--at-once N` that many at a time. Without
 * `--room` all rooms.
 * `--keep` writes what was found into docs/mutation.txt. `--changed` takes the files that are not as they were then, one by one, ends
 * after `--minutes`, tells which mutants neither the log nor the list has, and fails where a file comes to less than it had and than the goal.
 * `--near` leaves the wider tests out, `--running` the mutants of what a module does as it is loaded.
 */
const values = scriptValues({
  name: 'mutate',
  does: 'changes the code in one place after the other; a test must notice each',
  options: {
    room: { type: 'string', multiple: true, value: 'ROOM', says: `one of ${Object.keys(ROOMS).join(', ')}; repeatable; all without it` },
    files: { type: 'string', value: 'FILE,FILE', says: 'these files of the room alone' },
    'at-once': { type: 'string', default: '2', value: 'N', says: 'mutants at a time' },
    keep: { type: 'boolean', default: false, says: 'writes what was found into docs/mutation.txt' },
    changed: { type: 'boolean', default: false, says: 'takes the files that have changed since then, one by one' },
    near: { type: 'boolean', default: false, says: 'leaves the wider tests out' },
    running: { type: 'boolean', default: false, says: 'leaves out mutants of what a module does as it is loaded, which take longest' },
    minutes: { type: 'string', default: '600', value: 'N', says: 'with --changed: ends after so long' },
  },
});

const GOAL = 0.9;
/** A busy machine tries fewer tests within the half second of a mutant: a score may fall by so much. */
const SLACK = 0.05;
const LOG = 'docs/mutation.txt';
const own = fileURLToPath(new URL('.', import.meta.url));
const stryker = fileURLToPath(new URL('../../scripts/stryker', import.meta.url));
/** Stryker is no dependency of the project: it is installed beside what it leaves behind, by its own lock file. */
const installed = 'var/mutation/program';
const program = `${installed}/node_modules/@stryker-mutator/core/bin/stryker.js`;
const rooms = values.room ?? Object.keys(ROOMS);
const unknown = rooms.find((room) => !(room in ROOMS));
if (unknown !== undefined) endWrong(`npm run mutate: --room ${unknown}: there are ${Object.keys(ROOMS).join(', ')}`);
const accepted = readAccepted(`${own}survivors.json`);
const kept = readLog(LOG);
process.exit(values.changed ? changedAlone() : wholeRooms());

function wholeRooms(): number {
  if (!install()) throw new Error('Stryker could not be installed');
  const files = rooms.flatMap((room) => {
    const found = (mutated(room, values.files?.split(',') ?? ROOMS[room]?.mutate ?? []) ?? []).map((result) => keptOf(result, accepted));
    tell(room, found);
    return found;
  });
  if (values.keep) keep(files);
  return scoreOf(files).score < GOAL ? 1 : 0;
}

/** Writes what was found into the log; other files keep what they have there. */
function keep(files: readonly KeptFile[]): void {
  const others = kept.filter(({ file }) => existsSync(file) && !files.some((one) => one.file === file));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const of = `npm run mutate, kairos ${VERSION} on ${commit}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  writeFileSync(LOG, keptLog(of, [...others, ...files]));
}

/** One file after the other, so that what is over when time is up is known. */
function changedAlone(): number {
  const until = performance.now() + Number(values.minutes) * 60_000;
  const changed = rooms.flatMap((room) =>
    filesOf(room)
      .filter((file) => kept.some((one) => one.file === file && one.hash !== hashOf(file)))
      .map((file) => ({ room, file })),
  );
  console.log(`${changed.length} of ${kept.length} files in ${LOG} have changed since`);
  if (changed.length === 0) return 0;
  if (!install()) {
    console.log('nothing was tried: Stryker could not be installed');
    return 0;
  }
  let hasFallen = false;
  const tried: KeptFile[] = [];
  for (const { room, file } of changed) {
    const leftMs = until - performance.now();
    const results = leftMs > 0 ? mutated(room, [file], leftMs) : undefined;
    if (results === undefined) {
      console.log(`${file}: not tried, the time is up`);
      continue;
    }
    const found = results.map((result) => keptOf(result, accepted));
    tried.push(...found);
    const before = kept.filter((one) => one.file === file);
    const known = new Set(before.flatMap(({ left }) => left.map(withoutNumber)));
    tell(
      file,
      found,
      found.map((one) => ({ ...one, left: one.left.filter((line) => !known.has(withoutNumber(line))) })),
    );
    const { score } = scoreOf(found);
    if (score >= Math.min(GOAL, scoreOf(before).score) - SLACK) continue;
    console.log(`${file}: ${percent(score)}, and ${percent(scoreOf(before).score)} before`);
    hasFallen = true;
  }
  if (values.keep) keep(tried);
  return hasFallen ? 1 : 0;
}

function install(): boolean {
  if (existsSync(program)) return true;
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(`${stryker}/${file}`, `${installed}/${file}`);
  return ran('npm', ['ci', '--prefix', installed, '--legacy-peer-deps']);
}

/** Undefined where it was not over in time. */
function mutated(room: string, files: readonly string[], withinMs?: number): readonly FileResult[] | undefined {
  const { tests = [], wider = [] } = ROOMS[room] ?? {};
  const env = {
    MUTATED_NAME: room,
    MUTATED_FILES: JSON.stringify(files),
    MUTATED_TESTS: JSON.stringify({ near: tests, wider: values.near ? [] : wider }),
    MUTATED_AT_ONCE: values['at-once'],
    MUTATED_RUNNING: String(values.running),
  };
  const over = ran(process.execPath, [program, 'run', `${stryker}/stryker.config.mjs`], env, withinMs);
  if (!over && withinMs === undefined) throw new Error(`Stryker failed on ${room}`);
  if (!over) return undefined;
  // The report has what earlier runs found in other files as well.
  const asked = files.flatMap((one) => globSync(one));
  return readReport(`var/mutation/${room}.json`).filter(({ file }) => asked.includes(file));
}

function tell(name: string, files: readonly KeptFile[], shown = files): void {
  console.log(scoreLine(name, files));
  for (const { file, left } of shown) for (const line of left) console.log(`  ${file}:${line}`);
}

function ran(command: string, args: readonly string[], env: Record<string, string> = {}, withinMs?: number): boolean {
  // A sandbox has nothing beside it: tests that need ../shared are skipped there, also in CI.
  const { CI, ...outside } = process.env;
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...outside, ...env },
    timeout: withinMs && Math.ceil(withinMs),
  });
  if (status !== 0 && withinMs !== undefined && (error === undefined || !('code' in error) || error.code !== 'ETIMEDOUT'))
    throw new Error(`${command} ${args[0] ?? ''} failed`);
  return status === 0;
}
