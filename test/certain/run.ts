import '../../scripts/ensure-node.mjs';
import { spawn } from 'node:child_process';
import { appendFileSync, createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { scriptValues } from '#assembly/script-options.ts';
import { countsIn, isCertain, nextOf, type Row, tableOf, turnsOf } from './turns.ts';

/**
 * `npm run certain`: whether the tests say the same each time, quiet and beside a loop that never ends, with the files in an order of
 * its own. Each run adds a line to the log, and the
 * next `npm run certain` of the same commit goes on behind it. Ends with 1 unless all runs were green and passed the same checks.
 */
const values = scriptValues({
  name: 'certain',
  does: 'runs npm test and .ci/run again and again, quiet and beside an endless loop, and says whether all runs were alike',
  options: {
    tests: { type: 'string', default: '10', value: 'N', says: 'runs of npm test, quiet, and as many beside the loop' },
    ci: { type: 'string', default: '3', value: 'N', says: 'runs of .ci/run, quiet, and as many beside the loop' },
    minutes: { type: 'string', default: '600', value: 'N', says: 'after this time no further run begins' },
    log: { type: 'string', default: 'var/certain/runs.jsonl', value: 'FILE', says: 'where the runs are kept' },
  },
});

const COMMANDS: Readonly<Record<string, readonly string[]>> = { 'npm test': ['npm', 'test'], '.ci/run': ['.ci/run'] };
const rows: readonly Row[] = [['npm test', Number(values.tests)] as const, ['.ci/run', Number(values.ci)] as const].flatMap(
  ([command, times]) => [false, true].map((beside) => ({ command, beside, times })),
);

/** Ends with the process that started it, also where that was killed. */
const LOOP = 'const starter = process.ppid; while (process.ppid === starter);';

const said = async (
  command: readonly string[],
  file: string,
  order?: number,
): Promise<{ readonly code: number | null; readonly text: string }> => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...(order !== undefined && { FILE_ORDER: String(order) }) },
  });
  const kept = createWriteStream(file);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      kept.write(more);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  kept.end();
  return { code, text };
};

const commit = (await said(['git', 'rev-parse', '--short=12', 'HEAD'], '/dev/null')).text.trim();
const log = path.resolve(values.log);
const folder = path.dirname(log);
mkdirSync(folder, { recursive: true });
const turns = () => turnsOf(existsSync(log) ? readFileSync(log, 'utf8') : '', commit);

const begun = Date.now();
while (Date.now() - begun < Number(values.minutes) * 60_000) {
  const row = nextOf(rows, turns());
  if (row === undefined) break;
  const { command, beside } = row;
  const loop = beside ? spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }) : undefined;
  const from = Date.now();
  const file = path.join(folder, `${new Date(from).toISOString().replaceAll(':', '')}.log`);
  try {
    const { code, text } = await said(COMMANDS[command] ?? [], file, turns().length);
    const seconds = Math.round((Date.now() - from) / 1000);
    appendFileSync(log, `${JSON.stringify({ commit, command, beside, seconds, code, ...countsIn(text) })}\n`);
    console.log(
      `${command}${beside ? ' beside an endless loop' : ''}: ${code === 0 ? 'green' : `ended with ${code}`} in ${seconds} s (${file})`,
    );
  } finally {
    loop?.kill('SIGKILL');
  }
}
console.log(`commit ${commit}\n${tableOf(rows, turns())}`);
const certain = isCertain(rows, turns());
console.log(certain ? 'all runs were green and alike' : 'not certain: a run failed, differs, or is still to be made');
process.exitCode = certain ? 0 : 1;
