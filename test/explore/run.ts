import '../../scripts/ensure-node.mjs';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { endWrong, scriptValues } from '#assembly/script-options.ts';
import { ROOMS } from '../mutation/rooms.ts';

/**
 * `npm run explore -- --minutes 60`: looks for what nobody thought of, in turns, with seeds that no run had before. Each turn is a command that
 * can be typed again. What fails is kept: a history made smaller in `test/seeds`, an input in `var/fuzz`, journals in `var/kills`, and
 * all that was said in the log. Ends with 1 where something failed.
 */
const values = scriptValues({
  name: 'explore',
  does: 'looks for what nobody thought of: histories, dialects, fuzz, properties, mutants, spans, screened trials and kills in turns, with fresh seeds',
  options: {
    minutes: { type: 'string', default: '60', value: 'N', says: 'after this time no further turn begins' },
    only: { type: 'string', value: 'NAME,NAME', says: 'these turns alone' },
  },
});

const PROPERTIES = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('support/property.ts'));
const rooms = Object.keys(ROOMS);

const npm = (script: string, ...args: readonly string[]): readonly string[] => ['npm', 'run', '--silent', script, '--', ...args];

/** A turn takes a few minutes at most on a quiet machine. */
const TURNS: Readonly<Record<string, (seed: number) => readonly string[]>> = {
  histories: (seed) => npm('simulate', '--seed', String(seed), '--seeds', '40'),
  dialects: (seed) => npm('dialects', '--seed', String(seed), '--count', '25'),
  fuzz: (seed) => npm('fuzz', '--seed', String(seed), '--minutes', '2'),
  properties: (seed) => ['env', `PROPERTY_SEED=${seed}`, 'npx', 'vitest', 'run', ...PROPERTIES],
  mutants: (seed) => npm('mutate', '--seed', String(seed), '--share', '0.05', '--room', rooms[seed % rooms.length] ?? ''),
  spans: (seed) => npm('spans', '100', String(seed)),
  screen: (seed) => npm('screen:equal', '--seed', String(seed), '--trials', '300'),
  kills: (seed) => npm('kills', '--seed', String(seed), '--kills', '20'),
};

const names = values.only?.split(',') ?? Object.keys(TURNS);
const unknown = names.find((name) => !(name in TURNS));
if (unknown !== undefined) endWrong(`npm run explore: --only ${unknown}: there are ${Object.keys(TURNS).join(', ')}`);

const begun = Date.now();
const file = path.resolve('var/explore', `${new Date(begun).toISOString().replaceAll(':', '')}.log`);
mkdirSync(path.dirname(file), { recursive: true });
console.log(`log: ${file}`);
const log = openSync(file, 'a');
// Seconds are seeds that no run had before; fast-check takes 31 bits of them.
let seed = Math.floor(begun / 1000) % 2 ** 31;
let turns = 0;
let failed = 0;
while (Date.now() - begun < Number(values.minutes) * 60_000) {
  const name = names[turns % names.length] ?? '';
  const [command = '', ...args] = TURNS[name]?.(seed) ?? [];
  writeSync(log, `--- ${command} ${args.join(' ')}\n`);
  const from = Date.now();
  const { status } = spawnSync(command, args, { stdio: ['ignore', log, log] });
  const seconds = Math.round((Date.now() - from) / 1000);
  console.log(`${name} from seed ${seed}: ${status === 0 ? 'held' : 'FAILED'} in ${seconds} s`);
  turns += 1;
  if (status !== 0) failed += 1;
  seed += 1_000;
}
console.log(`${turns} turns, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
