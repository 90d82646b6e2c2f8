import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { askDaemon } from '#daemon/operations/ops-client.ts';

test('F74 when the control server does not answer, the error says how to halt without it', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const asked = askDaemon(
    { act: 'pause', strategy: null, who: 'ann', why: 'news' },
    { pid: 4711, url: `http://127.0.0.1:${port}` },
    'token',
  );
  const error = await asked.then(
    () => '',
    ({ message }: Error) => message,
  );
  expect(error).toContain('`kairos halt` needs no answer (it writes a file beside the journal), nor does `kill -USR2 4711`');
  expect(error).not.toContain('\n');
  server.close();
});
