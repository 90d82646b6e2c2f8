import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { Child } from '#adapters/threads/child.ts';
import { folder } from '../../config/support.ts';
import { ROOT } from '../../support/root.ts';

interface Doubler {
  readonly data: number;
  readonly asked: number;
  readonly told: unknown;
}

const fromRoot = (file: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, file)).href);

/** The entry file of a process whose code is `body`, called with its side, and before that `first`. */
function entryOf(body: string, first = ''): URL {
  const file = path.join(folder(), 'entry.mjs');
  const imports = `import fs from 'node:fs'; import os from 'node:os'; import { runChild } from ${fromRoot('src/adapters/threads/child.ts')}; import { KairosError } from ${fromRoot('src/domain/errors.ts')};`;
  writeFileSync(file, `${imports}\n${first}\nrunChild(async (side) => { ${body} });`);
  return pathToFileURL(file);
}

function childOf(body: string, signal?: AbortSignal): Child<Doubler> {
  return new Child<Doubler>({ entry: entryOf(body), name: 'doubler', data: 21, ...(signal && { signal }) });
}

/** The priorities of its threads. */
const NICE = '[...new Set(fs.readdirSync("/proc/self/task").map((thread) => os.getPriority(Number(thread))))]';

test('a child process tells all that it has to tell before it ends, behind others, and without the environment', async () => {
  vi.stubEnv('KAIROS_SECRET_OF_TEST', 'secret');
  const child = childOf(
    `for (let n = 0; n < 2000; n += 1) side.post(n); side.post({ doubled: 2 * side.data, nice: ${NICE}, secret: process.env.KAIROS_SECRET_OF_TEST })`,
  );
  const told: unknown[] = [];
  child.onMessage((one) => told.push(one));
  await child.ended;
  expect(told).toHaveLength(2001);
  expect(told.at(-1)).toEqual({ doubled: 42, nice: [constants.priority.PRIORITY_BELOW_NORMAL], secret: undefined });
});

test('an error of the registry keeps its code; any other is what it was; an end without a word is an error too', async () => {
  const [coded, plain, silent] = await Promise.allSettled([
    childOf("throw new KairosError('PORT_IN_USE', 'port 1 is taken')").next(),
    childOf("await null; throw Object.assign(new Error('gone'), { code: 'ENOENT' })").next(),
    childOf('').next(),
  ]);
  expect(coded).toMatchObject({ reason: { name: 'KairosError', code: 'PORT_IN_USE', message: 'port 1 is taken' } });
  expect(plain).toMatchObject({ reason: { name: 'Error', code: 'ENOENT', message: 'gone' } });
  expect(silent).toMatchObject({ reason: { message: "the process 'doubler' ended without a word" } });
});

test('one that may not be ended first for its memory is behind others all the same, with each thread', async () => {
  const refused = `fs.writeFileSync = () => { throw new Error('read-only'); }; process.getBuiltinModule('module').syncBuiltinESMExports();`;
  const child = new Child<Doubler>({ entry: entryOf(`side.post(${NICE});`, refused), name: 'doubler', data: 21 });
  expect(await child.next()).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
});

test('one that begins behind others already is left there', async () => {
  const entry = entryOf('side.post(os.getPriority());');
  const parent = path.join(folder(), 'parent.mjs');
  writeFileSync(
    parent,
    `import os from 'node:os'; import { Child } from ${fromRoot('src/adapters/threads/child.ts')};
os.setPriority(15);
console.log(await new Child({ entry: new URL('${entry.href}'), name: 'doubler', data: 21 }).next());`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [parent]);
  expect(stdout).toBe('15\n');
});

test('one that the system kills is an error, one that is stopped is none', async () => {
  const errors: unknown[] = [];
  const killed = childOf("process.kill(process.pid, 'SIGKILL')");
  killed.onError((error) => errors.push(error));
  await killed.ended;
  expect(errors).toEqual([new Error("the process 'doubler' ended with SIGKILL")]);
  const controller = new AbortController();
  const stopped = childOf('side.post(process.pid); await new Promise(() => setInterval(() => {}, 1000));', controller.signal);
  stopped.onError((error) => errors.push(error));
  const pid = await stopped.next();
  controller.abort();
  await stopped.ended;
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  expect(errors).toHaveLength(1);
});

test('it answers what it is asked, in turn, also what was asked before it began', async () => {
  const child = childOf('for await (const asked of side.asked) side.post(asked * side.data);');
  const told: unknown[] = [];
  child.onMessage((one) => told.push(one));
  for (const asked of [1, 2, 3]) child.ask(asked);
  await expect.poll(() => told).toEqual([21, 42, 63]);
  await child.stop();
});

test('one that takes more memory than it may ends with the word for it, wherever it takes it', async () => {
  const memory = { mb: 64, tooMuch: 'it is more than 64 MB' };
  const bodies = [
    'const all = []; for (;;) all.push(new Array(1e6).fill(all));',
    'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));',
    'const all = []; for (let n = 0; ; n += 1) all[n] = n;',
  ];
  for (const body of bodies) {
    const child = new Child<Doubler>({ entry: entryOf(body), name: 'eater', data: 1, memory });
    await expect(child.next()).rejects.toThrow(/^it is more than 64 MB$/);
    // Whoever asks later hears the same.
    await expect(child.next()).rejects.toThrow(/^it is more than 64 MB$/);
  }
});

test('an interrupt, which a terminal sends to both, is left to the parent', async () => {
  const child = childOf("side.post(process.pid); for await (const _ of side.asked) side.post('on');");
  process.kill(Number(await child.next()), 'SIGINT');
  child.ask(1);
  expect(await child.next()).toBe('on');
  await child.stop();
});

test('one whose parent is killed ends, also while its own code keeps the loop', async () => {
  const entry = entryOf('side.post(process.pid); for await (const _ of side.asked) for (;;);');
  const parent = path.join(folder(), 'parent.mjs');
  writeFileSync(
    parent,
    `import { Child } from ${fromRoot('src/adapters/threads/child.ts')};
const child = new Child({ entry: new URL('${entry.href}'), name: 'doubler', data: 21 });
const pid = await child.next();
console.log(pid, /^State:/m.test((await import('node:fs')).readFileSync(\`/proc/\${pid}/status\`, 'utf8')));
child.ask(1);
setImmediate(() => process.kill(process.pid, 'SIGKILL'));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [parent]).catch((error: { stdout: string }) => error);
  const [pid, seen] = stdout.trim().split(' ');
  expect(seen).toBe('true');
  await expect.poll(() => stateOf(Number(pid))).toMatch(/^Z?$/);
});

/** As Linux names it: Z where only its parent has not yet looked, nothing where it is gone. */
function stateOf(pid: number): string {
  try {
    return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

test('one whose parent is gone ends', async () => {
  const child = childOf('side.post(process.pid); process.disconnect(); await new Promise(() => setInterval(() => {}, 1000));');
  await child.next();
  await child.ended;
});

test('a process with nothing else to do waits for the end of the child that it stops', async () => {
  const entry = entryOf('side.post(1); await new Promise(() => setInterval(() => {}, 1000));');
  const parent = path.join(folder(), 'parent.mjs');
  writeFileSync(
    parent,
    `import { Child } from ${fromRoot('src/adapters/threads/child.ts')};
const child = new Child({ entry: new URL('${entry.href}'), name: 'doubler', data: 21 });
await child.next();
child.unref();
await child.stop();
console.log('it is gone');`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [parent]);
  expect(stdout).toBe('it is gone\n');
});
