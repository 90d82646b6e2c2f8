import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_CERTIFICATE, EXAMPLE_KEY } from './example-certificate.ts';

/** What makes a process under test take `*.example` for a host elsewhere whose certificate it trusts. */
export function believing(certificateFile: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('loopback-names.ts', import.meta.url))}`,
    NODE_EXTRA_CA_CERTS: path.resolve(certificateFile),
  };
}

export { EXAMPLE_CERTIFICATE };

/**
 * A service off loopback, as far as a client can tell: TLS in front of a venue, with every byte that clients send on record
 * before it is passed on.
 */
export class RealService {
  /** What each connection has sent so far. */
  readonly sent: string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(venuePort: number) {
    this.server = createServer({ cert: EXAMPLE_CERTIFICATE, key: EXAMPLE_KEY }, (client) => {
      const index = this.sent.push('') - 1;
      const venue = connect(venuePort, '127.0.0.1');
      for (const socket of [client, venue]) {
        this.sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
      }
      client.on('data', (bytes) => {
        this.sent[index] = `${this.sent[index]}${bytes.toString('latin1')}`;
      });
      client.pipe(venue).pipe(client);
      client.on('close', () => venue.destroy());
      venue.on('close', () => client.destroy());
    });
  }

  static async before(venuePort: number): Promise<RealService> {
    const service = new RealService(venuePort);
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `https://service.example:${address.port}`;
  }

  /** First lines of all HTTP requests. */
  get requests(): readonly string[] {
    return this.sent.flatMap((text) => text.match(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+ HTTP\/1\.1/gm) ?? []);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
