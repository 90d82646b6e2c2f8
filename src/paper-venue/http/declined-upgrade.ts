import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request that offers another protocol, as the server's `upgrade` event gives it. */
interface Offer {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What has come of the body. */
  readonly head: Buffer;
}

/** Declines the offer, such as the h2c that some clients begin with: the server reads the request again without it, and answers. */
export function declineUpgrade(server: Server, { request, socket, head }: Offer): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
