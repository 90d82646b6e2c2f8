import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BlobServer, blobHash } from '#adapters/shared-jobs/blob-server.ts';
import { BlobStore } from '#adapters/shared-jobs/blob-store.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { newFolder } from '../../support/folder.ts';

const KEY = new QueueKey('k'.repeat(32));
const BYTES = new Uint8Array(200_000).map((_, n) => (n * 7) % 251);

/** A store in a folder of its own; pauses take no time. */
function store(key = KEY): { readonly dir: string; readonly store: BlobStore } {
  const dir = newFolder();
  const timers = { ...systemTimers, after: (_ms: number, run: () => void) => systemTimers.after(0, run) };
  return { dir, store: new BlobStore({ dir, authorization: (at) => key.authorization(at), timers }) };
}

async function server(): Promise<BlobServer> {
  const blobs = await BlobServer.listen({ host: '127.0.0.1', port: 0, allows: (at, given) => KEY.allows(at, given) });
  onTestFinished(() => blobs.close());
  return blobs;
}

/** A server of a test's own. */
async function answering(listener: RequestListener): Promise<string> {
  const own = createServer(listener);
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    own.closeAllConnections();
    own.close();
  });
  const address = own.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
}

test('bytes come by their hash and are kept: the coordinator may be gone by the second time', async () => {
  const blobs = await server();
  const hash = blobs.add(BYTES);
  const { store: own, dir } = store();
  expect(blobHash(await own.get(hash, blobs.url))).toBe(hash);
  expect(blobHash(await own.get(hash, 'http://127.0.0.1:1'))).toBe(hash);
  expect(readdirSync(dir)).toEqual([hash]);
});

test('what lies in the cache and is damaged is fetched anew', async () => {
  const blobs = await server();
  const hash = blobs.add(BYTES);
  const { store: own, dir } = store();
  writeFileSync(path.join(dir, hash), 'damaged');
  expect(blobHash(await own.get(hash, blobs.url))).toBe(hash);
});

test('a download that is cut goes on where it was: nothing is asked for twice', async () => {
  const ranges: (string | undefined)[] = [];
  const url = await answering(({ headers }, response) => {
    ranges.push(headers.range);
    const from = Number(/\d+/.exec(headers.range ?? '0')?.[0]);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': BYTES.length - from });
    response.write(BYTES.subarray(from, from + 80_000), () => {
      if (from + 80_000 < BYTES.length) systemTimers.after(20, () => response.destroy());
      else response.end();
    });
  });
  const { store: own } = store();
  const hash = blobHash(BYTES);
  expect(blobHash(await own.get(hash, url))).toBe(hash);
  expect(ranges).toEqual([undefined, 'bytes=80000-', 'bytes=160000-']);
});

test('the coordinator gives the rest from any byte on', async () => {
  const blobs = await server();
  const at = `/blobs/${blobs.add(BYTES)}`;
  const headers = { authorization: KEY.authorization(at), range: 'bytes=199990-' };
  const rest = await fetch(`${blobs.url}${at}`, { headers });
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 199990-199999/200000']);
  expect(new Uint8Array(await rest.arrayBuffer())).toEqual(BYTES.slice(199_990));
});

test('bytes that are not those of their hash, another key and a blob that is not there are refused, and nothing is kept', async () => {
  const wrong = await answering((_request, response) => response.end('something else'));
  const { store: own, dir } = store();
  await expect(own.get(blobHash(BYTES), wrong)).rejects.toThrow(/its bytes do not match its hash/);
  const blobs = await server();
  const hash = blobs.add(BYTES);
  await expect(store(new QueueKey('x'.repeat(32))).store.get(hash, blobs.url)).rejects.toThrow(/it refuses the key/);
  await expect(own.get('0'.repeat(64), blobs.url)).rejects.toThrow(/it does not have it/);
  expect(readdirSync(dir)).toEqual([]);
});
