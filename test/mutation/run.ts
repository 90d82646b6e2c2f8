import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from '#assembly/package.ts';
import { endWrong, scriptValues } from '#assembly/script-options.ts';
import { INSTALLED, installStryker } from '../../scripts/stryker/installed.ts';
import { keepFilesInMemory } from '../support/memory-folder.ts';
import { instrumented } from './instrumented.ts';
import { type KeptFile, keptLog, keptOf, readLog, scoreLine, scoreOf } from './kept-log.ts';
import { type FileResult, readAccepted, readReport } from './report.ts';
import { ROOMS, testsOf } from './rooms.ts';
import { isSampled } from './sample.ts';

/**
 * `npm run mutate -- --room risk`: changes the room's code in one place after the other, and runs the tests that come by there
 * against each change. Prints the score, and each mutant that no test noticed and that `survivors.json` gives no
 * reason for. Fails below nine in ten. `--files` takes part of a room (separated by commas), `--at-once N` that many at a time. Without
 * `--room` all rooms.
 * `--share 0.1` tries a tenth of them, which is drawn by `--seed`. `--keep` writes what was found of all of them into the kept log.
 * `--running` leaves out the mutants of what a module does as it is loaded.
 */
const values = scriptValues({
  name: 'mutate',
  does: 'changes the code in one place after the other; a test must notice each',
  options: {
    room: { type: 'string', multiple: true, value: 'ROOM', says: `one of ${Object.keys(ROOMS).join(', ')}; repeatable; all without it` },
    files: { type: 'string', value: 'FILE,FILE', says: 'these files of the room alone' },
    'at-once': { type: 'string', default: '2', value: 'N', says: 'mutants at a time' },
    share: { type: 'string', default: '1', value: 'N', says: 'tries this share of them: 0.1 for a tenth' },
    seed: { type: 'string', default: '1', value: 'TEXT', says: 'with --share: decides which' },
    keep: { type: 'boolean', default: false, says: 'writes what was found into the kept log' },
    running: { type: 'boolean', default: false, says: 'leaves out mutants of what a module does as it is loaded, which take longest' },
  },
});

const GOAL = 0.9;
const LOG = 'test/kept/mutation.txt';
const own = fileURLToPath(new URL('.', import.meta.url));
const stryker = fileURLToPath(new URL('../../scripts/stryker', import.meta.url));
const program = `${INSTALLED}/node_modules/@stryker-mutator/core/bin/stryker.js`;
const rooms = values.room ?? Object.keys(ROOMS);
const unknown = rooms.find((room) => !(room in ROOMS));
if (unknown !== undefined) endWrong(`npm run mutate: --room ${unknown}: there are ${Object.keys(ROOMS).join(', ')}`);
const accepted = readAccepted(`${own}survivors.json`);
const sample = { share: Number(values.share), seed: values.seed };
if (values.keep && sample.share < 1) endWrong('npm run mutate: --keep: the log is of all mutants, so --share must be 1');
keepFilesInMemory();
process.exit(await wholeRooms());

async function wholeRooms(): Promise<number> {
  installStryker();
  const files: KeptFile[] = [];
  for (const room of rooms) {
    const results = await mutated(room, values.files?.split(',') ?? ROOMS[room]?.mutate ?? []);
    const found = results.map((result) => keptOf(result, accepted));
    tell(room, found);
    files.push(...found);
  }
  if (values.keep) keep(files);
  return scoreOf(files).score < GOAL ? 1 : 0;
}

/** Writes what was found into the log; other files keep what they have there. */
function keep(files: readonly KeptFile[]): void {
  const others = readLog(LOG).filter(({ file }) => existsSync(file) && !files.some((one) => one.file === file));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const of = `npm run mutate, kairos ${VERSION} on ${commit}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  writeFileSync(LOG, keptLog(of, [...others, ...files]));
}

async function mutated(room: string, patterns: readonly string[]): Promise<readonly FileResult[]> {
  const files = globSync([...patterns]).sort();
  const env = {
    MUTATED_NAME: room,
    MUTATED_FILES: JSON.stringify(sample.share < 1 ? await placesOf(files) : files),
    MUTATED_TESTS: JSON.stringify(testsOf(room)),
    MUTATED_AT_ONCE: values['at-once'],
    MUTATED_RUNNING: String(values.running),
    MUTATED_SHARE: String(sample.share),
    MUTATED_SEED: sample.seed,
  };
  if (!ran(process.execPath, [program, 'run', `${stryker}/stryker.config.ts`], env)) throw new Error(`Stryker failed on ${room}`);
  // The report has what earlier runs found in other files as well.
  return readReport(`var/mutation/${room}.json`, sample).filter(({ file }) => files.includes(file));
}

/** The places of drawn mutants, as Stryker takes them: what else stands in the code costs time wherever it is passed. */
async function placesOf(files: readonly string[]): Promise<readonly string[]> {
  const { mutants } = await instrumented(files);
  return mutants
    .filter(({ fileName: file, location: { start }, replacement }) => isSampled({ file, start, replacement }, sample))
    .map(({ fileName, location: { start, end } }) => `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`);
}

function tell(name: string, files: readonly KeptFile[]): void {
  console.log(scoreLine(name, files));
  for (const { file, left } of files) for (const line of left) console.log(`  ${file}:${line}`);
}

function ran(command: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  // A sandbox has nothing beside it: tests that need ../shared are skipped there, also in CI.
  const { CI, ...outside } = process.env;
  return spawnSync(command, args, { stdio: 'inherit', env: { ...outside, ...env } }).status === 0;
}
