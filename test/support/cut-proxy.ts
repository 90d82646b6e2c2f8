import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A plain TCP relay in front of a service, whose connections a test may cut. */
export interface CutProxy {
  readonly url: string;
  /** Ends every connection to the quotes feed at once, without a word. */
  cutFeed(): void;
  close(): Promise<void>;
}

export async function cutProxy(targetPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  const feeds = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A cut connection ends with an error on both sides, which is what it is for.
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    keep(client);
    keep(upstream);
    // A connection on paper proves first where it leads.
    client.on('data', (head) => {
      if (/upgrade: websocket/i.test(head.toString('latin1'))) feeds.add(client);
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    cutFeed() {
      for (const socket of feeds) socket.destroy();
      feeds.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
