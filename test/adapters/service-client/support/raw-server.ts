import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP server on loopback that answers with whatever bytes a test wants, and remembers what came. */
export class RawServer {
  readonly requests: string[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  private readonly server: Server;

  private constructor(onRequest: (request: string, socket: Socket) => void, onConnect: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('utf8');
        if (!isWhole(text)) return;
        this.requests.push(text);
        const request = text;
        text = '';
        onRequest(request, socket);
      });
      onConnect(socket);
    });
  }

  static async start(
    onRequest: (request: string, socket: Socket) => void,
    onConnect: (socket: Socket) => void = () => {},
  ): Promise<RawServer> {
    const raw = new RawServer(onRequest, onConnect);
    await new Promise<void>((resolve) => raw.server.listen(0, '127.0.0.1', resolve));
    return raw;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** True once a socket to `port` is refused. */
export async function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });
}

/** An HTTP answer with a length. */
export function answer(status: number, body: string, headers: readonly string[] = []): string {
  const length = Buffer.byteLength(body);
  return [`HTTP/1.1 ${status} Test`, 'content-type: application/json', `content-length: ${length}`, ...headers, '', body].join('\r\n');
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: *(\d+)/i.exec(text)?.[1] ?? '0';
  return Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}
