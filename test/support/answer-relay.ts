import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of the venue's answer to an order, or to a create of one of its own strategies: passed on, replaced by a 500 or by a refusal that says back what was sent, or swallowed. */
export type AnswerFault = 'none' | '500' | 'echo' | 'never';

/** A TCP relay in front of a venue: whatever clients send arrives, and what the venue says of an order or a create may not come back. */
export interface AnswerRelay {
  readonly url: string;
  fault: AnswerFault;
  /** Orders and creates that arrived, and answers of the venue to them. */
  readonly orders: string[];
  readonly answers: string[];
  close(): Promise<void>;
}

export async function answerRelay(venuePort: number): Promise<AnswerRelay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    const venue = connect(venuePort, '127.0.0.1');
    keep(client);
    keep(venue);
    let isOrder = false;
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (/^POST \S+\/(api\/orders|action\/create) /.test(text)) {
        isOrder = true;
        relay.orders.push(text);
      }
      venue.write(bytes);
    });
    venue.on('data', (bytes) => {
      if (!isOrder) return client.write(bytes);
      relay.answers.push(bytes.toString('latin1'));
      if (relay.fault === 'none') return client.write(bytes);
      if (relay.fault === '500') client.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\n\r\noops');
      if (relay.fault === 'echo') {
        const body = JSON.stringify({ error: 'refused', request: relay.orders.at(-1) });
        client.write(`HTTP/1.1 422 Unprocessable Content\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }
      return true;
    });
    client.on('end', () => venue.end());
    venue.on('end', () => client.end());
    client.on('close', () => venue.destroy());
    venue.on('close', () => client.destroy());
  });
  const relay: AnswerRelay = {
    url: '',
    fault: 'none',
    orders: [],
    answers: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return Object.assign(relay, { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` });
}
