import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { campaign } from './campaign.ts';
import { Branches } from './instrument.ts';
import { Broken, fuzz } from './loop.ts';
import { type FuzzTarget, must } from './target.ts';
import { TARGETS } from './targets.ts';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));
const CORPUS = new URL('corpus/', import.meta.url);
/** For each of them, the corpus included. */
const INPUTS = 250;

test('B01-B35 every decoder holds over the kept corpus, and over mutations of it', () => {
  const args = ['--disable-warning=ExperimentalWarning', RUN, '--inputs', String(INPUTS), '--seed', 'ci'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status, stdout).toBe(0);
  for (const { name } of TARGETS) {
    const kept = readdirSync(new URL(`${name}/`, CORPUS)).length;
    expect(kept, `the corpus of ${name}`).toBeGreaterThan(0);
    const [, inputs, begun] = new RegExp(`^${name}: held over (\\d+) inputs, (\\d+) of the corpus`, 'm').exec(stdout) ?? [];
    expect({ name, begun: Number(begun) }).toEqual({ name, begun: kept });
    expect(Number(inputs)).toBe(INPUTS);
  }
});

test('an unknown target is a wrong use', () => {
  const { status, stderr } = spawnSync(process.execPath, [RUN, '--target', 'nothing'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^npm run fuzz: --target nothing: there are frames, /);
});

test('what nobody thought of is found by the branches on the way to it', async () => {
  // Six letters in a row are no chance; each by itself is one.
  const counts = new Uint8Array(4);
  const branches = new Branches();
  let best = 0;
  const ran: number[] = [];
  Object.assign(branches, { clear: () => counts.fill(0), fresh: () => (best > Math.max(0, ...ran) ? ran.push(best) : 0) });
  const target: FuzzTarget = {
    name: 'planted',
    holds: 'nothing begins with unfuzz',
    seeds: ['aaaaaaaa'],
    words: ['f', 'u', 'z', 'n'],
    check(input) {
      const right = [...'unfuzz'].findIndex((letter, at) => input[at] !== letter.charCodeAt(0));
      best = Math.max(best, right);
      must(right >= 0, 'it begins with unfuzz');
    },
  };
  const options = { seed: 'planted', branches, begin: [], before: () => {}, isOver: (runs: number) => runs > 200_000 };
  const found = await fuzz(target, options).catch((error: unknown) => error);
  expect(found).toBeInstanceOf(Broken);
  if (found instanceof Broken) expect(Buffer.from(found.input).toString('latin1', 0, 6)).toBe('unfuzz');
});

test('a target that hangs is ended and named with its input', async () => {
  expect(existsSync(new URL('worker.ts', import.meta.url))).toBe(true);
  const end = await campaign({ name: 'hanging', seed: '1', milliseconds: 1_000, inputs: 1_000, begin: [], hangMs: 2_000 });
  expect(end).toMatchObject({ kind: 'broken', why: expect.stringContaining('it hangs') });
  if (end.kind === 'broken') expect(Buffer.from(end.input).toString()).toBe('for ever');
});
