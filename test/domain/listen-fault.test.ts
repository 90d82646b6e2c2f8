import { expect, test } from 'vitest';
import { listenFault } from '#domain/listen-fault.ts';

test.each([
  [Object.assign(new Error('listen'), { code: 'EADDRINUSE' }), 'another program listens there; set ops.port to another one'],
  [Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), 'listen EACCES'],
  [new Error('no code'), 'no code'],
  [{ code: 'EADDRINUSE' }, '[object Object]'],
  ['a text', 'a text'],
])('a server that cannot listen says why, and which setting mends it: %o', (error, why) => {
  const fault = listenFault('ops.port', { host: '127.0.0.1', port: 9000 }, error);
  expect([fault.code, fault.message]).toEqual(['PORT_IN_USE', `ops.port: cannot listen on 127.0.0.1:9000: ${why}`]);
});
