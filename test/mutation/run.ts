import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type MutationResult, readAccepted, readReport, unaccounted } from './report.ts';
import { ROOMS } from './rooms.ts';

/**
 * `npm run mutate -- --room risk`: changes the room's code in one place after the other, and runs its tests against each change. Prints the
 * score, and each mutant that no test noticed and that `survivors.json` gives no reason for. `--files` takes part of a room
 * (separated by commas), `--at-once N` that many at a time, `--keep FILE` writes what was printed. Without `--room` all rooms.
 * A second run plays only what has changed. Fails below nine in ten.
 */
const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    files: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    keep: { type: 'string' },
  },
});

const GOAL = 0.9;
const own = fileURLToPath(new URL('.', import.meta.url));
const stryker = fileURLToPath(new URL('../../scripts/stryker', import.meta.url));
/** Stryker is no dependency of the project: it is installed beside what it leaves behind, by its own lock file. */
const installed = 'var/mutation/program';
const program = `${installed}/node_modules/@stryker-mutator/core/bin/stryker.js`;
const rooms = values.room ?? Object.keys(ROOMS);
const unknown = rooms.find((room) => !(room in ROOMS));
if (unknown !== undefined) throw new Error(`no room ${unknown}; there are ${Object.keys(ROOMS).join(', ')}`);
if (!existsSync(program)) install();
const lines: string[] = [];
const accepted = readAccepted(`${own}survivors.json`);
let isBelow = false;
for (const room of rooms) tell(room, mutated(room));
if (values.keep !== undefined) writeFileSync(values.keep, `${lines.join('\n')}\n`);
process.exit(isBelow ? 1 : 0);

function install(): void {
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(`${stryker}/${file}`, `${installed}/${file}`);
  must('npm', ['ci', '--prefix', installed, '--legacy-peer-deps']);
}

function mutated(room: string): MutationResult {
  const files = values.files?.split(',') ?? ROOMS[room]?.mutate ?? [];
  const env = { MUTATED_ROOM: room, MUTATED_FILES: JSON.stringify(files), MUTATED_AT_ONCE: values['at-once'] };
  must(process.execPath, [program, 'run', `${stryker}/stryker.config.mjs`], env);
  return readReport(`var/mutation/${room}.json`);
}

function tell(room: string, { killed, survivors }: MutationResult): void {
  const left = unaccounted(survivors, accepted);
  const all = killed + survivors.length;
  const score = (all - left.length) / all;
  if (score < GOAL) isBelow = true;
  const known = survivors.length - left.length;
  say(
    `${room}: ${(100 * score).toFixed(1)} % of ${all} mutants (${killed} found by a test, ${known} listed with a reason, ${left.length} not)`,
  );
  for (const { file, line, mutator, text, replacement } of left)
    say(`  ${file}:${line} ${mutator}: ${text} -> ${replacement.replaceAll('\n', ' ')}`);
}

function say(line: string): void {
  lines.push(line);
  console.log(line);
}

function must(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''} failed`);
}
