import { expect, test, vi } from 'vitest';
import { listenAt } from '#domain/listen-fault.ts';

test.each([
  [Object.assign(new Error('listen'), { code: 'EADDRINUSE' }), 'another program listens there; set ops.port to another one'],
  [Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), 'listen EACCES'],
  [new Error('no code'), 'no code'],
  [{ code: 'EADDRINUSE' }, '[object Object]'],
  ['a text', 'a text'],
])('a server that cannot listen says why, and which setting mends it: %o', async (error, why) => {
  const server = { listen: () => Promise.reject(error), close: vi.fn(async () => {}) };
  const opening = listenAt(server, { host: '127.0.0.1', port: 9000 }, 'ops.port');
  await expect(opening).rejects.toMatchObject({ code: 'PORT_IN_USE', message: `ops.port: cannot listen on 127.0.0.1:9000: ${why}` });
  expect(server.close).toHaveBeenCalledOnce();
});
