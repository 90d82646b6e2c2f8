import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { KairosError, messageOf } from '#domain/errors.ts';

interface BlobServerOptions {
  readonly host: string;
  readonly port: number;
  /** Whether a request for a path may be answered, by its `Authorization`. */
  readonly allows: (path: string, authorization: string | undefined) => boolean;
}

/** SHA-256, as blobs are named. */
export const blobHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The path of a blob below the server's address. */
export const blobPath = (hash: string): string => `/blobs/${hash}`;

/** Gives out what workers lack: bytes by their SHA-256, from any byte on, to those who show that they have the key. */
export class BlobServer {
  private readonly blobs = new Map<string, Uint8Array>();
  private readonly server: Server;
  private readonly allows: BlobServerOptions['allows'];

  private constructor(allows: BlobServerOptions['allows']) {
    this.allows = allows;
    this.server = createServer((request, response) => this.answer(request, response));
  }

  /** Throws PORT_IN_USE where the address cannot be had. */
  static async listen({ host, port, allows }: BlobServerOptions): Promise<BlobServer> {
    const blobs = new BlobServer(allows);
    const { server } = blobs;
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => resolve());
      });
    } catch (error) {
      throw new KairosError(
        'PORT_IN_USE',
        `quotes cannot be served at ${host}:${port} (${messageOf(error)}): check queue.host and queue.port`,
        { cause: error },
      );
    }
    return blobs;
  }

  /** `http://host:port`. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return '';
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Gives out some bytes as well; returns their hash. */
  add(bytes: Uint8Array): string {
    const hash = blobHash(bytes);
    this.blobs.set(hash, bytes);
    return hash;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    if (!this.allows(url, headers.authorization)) return void response.writeHead(401).end();
    const bytes = this.blobs.get(/^\/blobs\/([0-9a-f]{64})$/.exec(url)?.[1] ?? '');
    if (!bytes) return void response.writeHead(404).end();
    if (method !== 'GET') return void response.writeHead(405).end();
    const from = Number(/^bytes=(\d{1,15})-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    if (from > 0 && from >= bytes.length) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    const part = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': part.length,
      ...(from > 0 && { 'content-range': range }),
    });
    response.end(part);
  }
}
