import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that the kernel gives to whoever asks for any, so that none of these is taken by chance. */
const FIRST = 20_000;
const COUNT = 10_000;
/** Where each process begins to look, so that few meet. */
let next = process.pid % COUNT;

/**
 * A port of 127.0.0.1 where nobody listens, for processes that must know it of each other or find it dead. It is no other test's while this
 * process lives: the same port of 127.0.0.2 is held as the mark of that.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    const mark = await listening(port, '127.0.0.2');
    if (!mark) continue;
    mark.unref();
    const probe = await listening(port, '127.0.0.1');
    if (!probe) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error('no port could be had');
}

async function listening(port: number, host: string): Promise<Server | undefined> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    // Taken: the next one then.
    return undefined;
  }
}
