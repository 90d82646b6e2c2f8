import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askAct } from '#daemon/operations/ops-client.ts';
import { type DaemonAddress, publish, publishedIn, tokenOfDaemon } from '#daemon/operations/ops-files.ts';
import { configOf } from '../../config/support.ts';
import { newFolder } from '../../support/folder.ts';

const PAUSE = { act: 'pause', strategy: null, who: 'ann', why: 'news' } as const;

function publishedAt(url: string, token: string): DaemonAddress {
  const folder = newFolder();
  const file = path.join(folder, 'kairos.db.ops');
  publish(file, { pid: 4711, url }, token);
  const published = publishedIn(file);
  if (!published) throw new Error('nothing was published');
  return published;
}

test('F74 when the control server does not answer, the error says how to halt without it', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const asked = askAct(PAUSE, { daemon: publishedAt(`http://127.0.0.1:${port}`, 'token'), token: 'token' });
  const error = await asked.then(
    () => '',
    ({ message }: Error) => message,
  );
  expect(error).toContain('`kairos halt` needs no answer (it writes a file beside the journal), nor does `kill -USR2 4711`');
  expect(error).not.toContain('\n');
  // It came that far, and may have been done; where nobody listens it was not.
  expect(error).toContain('it may have been done, and `kairos journal tail` shows it: look before you ask again');
  await new Promise((resolve) => server.close(resolve));
  const nobody = askAct(PAUSE, { daemon: publishedAt(`http://127.0.0.1:${port}`, 'token'), token: 'token' });
  await expect(nobody).rejects.toThrow(/\): ask again; to halt, /);
});

test('the token goes to nobody who has not shown that he has it, as whoever forges the file of the address', async () => {
  let reached = 0;
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  // Another address than the one that was signed, another token, and no proof at all.
  const forged = [{ ...publishedAt('http://127.0.0.1:1', 'the token'), url }, publishedAt(url, 'another'), { pid: 4711, url, proof: '' }];
  for (const one of forged) await expect(askAct(PAUSE, { daemon: one, token: 'the token' })).rejects.toThrow('another token');
  expect(reached).toBe(0);
  await expect(askAct(PAUSE, { daemon: publishedAt(url, 'the token'), token: 'the token' })).rejects.toThrow('does not answer');
  expect(reached).toBe(1);
});

test('an address that others could have written is none', () => {
  const folder = newFolder();
  const file = path.join(folder, 'kairos.db.ops');
  writeFileSync(file, '{"pid":1,"url":"http://127.0.0.1:1","proof":""}', { mode: 0o644 });
  expect(publishedIn(file)).toBeUndefined();
});

test('a command without the token of its daemon says where to get it: a unit may have been given it as a secret', () => {
  const file = path.join(tmpdir(), 'kairos-nowhere', 'ops-token');
  const settings = configOf('lanes: { max: 1 }').settings;
  expect(() => tokenOfDaemon(settings, file)).toThrow(/give this command its KAIROS_OPS_TOKEN.*put \S+ops-token back/);
});
