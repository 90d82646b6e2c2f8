import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Thread } from '#adapters/threads/thread.ts';
import { folder } from '../../config/support.ts';
import { ROOT } from '../../support/root.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

interface Doubler {
  readonly data: number;
  readonly toThread: number | 'close' | 'never';
  readonly fromThread: number;
}

/** A thread whose code is `body`, called with its side. */
function threadOf(body: string, signal?: AbortSignal): Thread<Doubler> {
  const file = path.join(folder(), 'entry.mjs');
  const from = (of: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, of)).href);
  const imports = `import { runThread } from ${from('src/adapters/threads/thread.ts')}; import { KairosError } from ${from('src/domain/errors.ts')};`;
  writeFileSync(file, `${imports}\nrunThread(async (side) => { ${body} });`);
  return new Thread<Doubler>({ entry: pathToFileURL(file), name: 'doubler', data: 21, ...(signal && { signal }) });
}

const doubles =
  "side.onMessage((n) => (n === 'close' ? side.close() : n === 'never' ? setInterval(() => {}, 9) : side.post(2 * n))); side.post(2 * side.data);";

test('a thread tells and is told, and ends by itself when it is asked to', async () => {
  const thread = threadOf(doubles);
  expect(await thread.next()).toBe(42);
  thread.post(4);
  expect(await thread.next()).toBe(8);
  await thread.close('close', { withinMs: 1_000, timers: new VirtualTimers() });
  expect(await thread.ended).toBe(0);
});

test('one that does not end in time is cut off', async () => {
  const timers = new VirtualTimers();
  const thread = threadOf(doubles);
  await thread.next();
  thread.post('never');
  const closed = thread.close('never', { withinMs: 1_000, timers });
  timers.advance(1_000);
  await closed;
  expect(await thread.ended).toBe(1);
});

test('an error of the registry keeps its code; any other is what it was', async () => {
  const coded = threadOf("throw new KairosError('PORT_IN_USE', 'port 1 is taken')").next();
  await expect(coded).rejects.toMatchObject({ name: 'KairosError', code: 'PORT_IN_USE', message: 'port 1 is taken' });
  const plain = threadOf("setImmediate(() => { throw Object.assign(new Error('gone'), { code: 'ENOENT' }); })").next();
  await expect(plain).rejects.toMatchObject({ name: 'Error', code: 'ENOENT', message: 'gone' });
});

test('one that ends without a message, or is aborted, is no message that never comes', async () => {
  await expect(threadOf('').next()).rejects.toThrow("the thread 'doubler' ended with 0");
  const controller = new AbortController();
  const waiting = threadOf(doubles.replace('side.post(2 * side.data)', ''), controller.signal).next();
  controller.abort();
  await expect(waiting).rejects.toThrow(/^the thread 'doubler' ended with/);
});
