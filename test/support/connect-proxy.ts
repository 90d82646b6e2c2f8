import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { EXAMPLE_CERTIFICATE, EXAMPLE_KEY } from './example-certificate.ts';

/** A proxy on loopback that opens tunnels to this machine, whatever host was asked for, and remembers who asked for what. */
export interface ConnectProxy {
  readonly port: number;
  /** `host:port` of each tunnel that was asked for. */
  readonly asked: readonly string[];
  /** What was sent for user and password with each. */
  readonly credentials: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** `status`: what it answers instead of opening a tunnel. `secure`: it is `service.example` behind TLS. */
export async function connectProxy({ status = 200, secure = false } = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = secure ? createSecureServer({ cert: EXAMPLE_CERTIFICATE, key: EXAMPLE_KEY }) : createServer();
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push(url);
    credentials.push(headers['proxy-authorization']);
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    asked,
    credentials,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
