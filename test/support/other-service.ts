import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

export type Json = Record<string, unknown>;

/** An answer of the service before it leaves. */
export interface Said {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** What another service, built from the same specification, does otherwise than the venue behind it. */
export interface Ways {
  /** A request that is answered here and does not reach the venue; undefined lets it through. */
  keeps?(asked: { readonly method: string; readonly path: string; readonly body: string }): Said | undefined;
  /** An answer to a request; null answers nothing by itself but what `meet` makes. */
  answer?(said: Said, asked: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders }): Said;
  /** A message of the feed on its way to the client: others may come in its place, or none. */
  feed?(message: Json, connection: FeedConnection): readonly unknown[];
  /** A subscription on its way to the venue; null keeps it back. */
  subscription?(asked: Json, connection: FeedConnection): Json | null;
  /** A connection to the feed was made. */
  connected?(connection: FeedConnection, all: readonly FeedConnection[]): void;
}

/** What any service but a Kairos venue says to the question whether it is one. */
export const STRANGER: Ways = {
  answer: (said, { path }) => (path.startsWith('/venue/') ? { status: 404, headers: {}, body: '{}' } : said),
};

export interface FeedConnection {
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  say(message: unknown): void;
  close(code?: number): void;
}

export interface OtherService {
  readonly url: string;
  /** `METHOD path` of every request, and every subscription, as they came. */
  readonly asked: string[];
  readonly subscriptions: Json[];
  readonly headers: IncomingHttpHeaders[];
  ways: Ways;
  close(): Promise<void>;
}

/** A service in front of a venue, on a free port unless one is given: what the specification leaves open, it does in its own way. */
export async function otherService(venuePort: number, ways: Ways, port = 0): Promise<OtherService> {
  const connections: FeedConnection[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    service.asked.push(`${method} ${url}`);
    service.headers.push(headers);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const kept = service.ways.keeps?.({ method, path: url, body: Buffer.concat(chunks).toString() });
      if (kept) return void outgoing.writeHead(kept.status, kept.headers).end(kept.body);
      const onward = request({ host: '127.0.0.1', port: venuePort, method, path: url, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const { 'content-length': _length, 'transfer-encoding': _coding, ...kept } = answer.headers;
          const said: Said = { status: answer.statusCode ?? 500, headers: kept, body: Buffer.concat(parts).toString() };
          const told = service.ways.answer?.(said, { method, path: url, headers }) ?? said;
          outgoing.sendDate = false;
          outgoing.writeHead(told.status, { ...told.headers, 'content-length': Buffer.byteLength(told.body) });
          outgoing.end(told.body);
        });
      });
      onward.on('error', () => outgoing.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });
  const feed = new WebSocketServer({ server });
  feed.on('connection', (client, incoming) => {
    service.asked.push(`GET ${incoming.url}`);
    const venue = new WebSocket(`ws://127.0.0.1:${venuePort}${incoming.url}`);
    const waiting: string[] = [];
    const connection: FeedConnection = {
      number: connections.length,
      headers: incoming.headers,
      say: (message) => client.send(typeof message === 'string' ? message : JSON.stringify(message)),
      close: (code) => client.close(code),
    };
    connections.push(connection);
    service.ways.connected?.(connection, connections);
    client.on('message', (data) => {
      const asked: Json = JSON.parse(data.toString());
      service.subscriptions.push(asked);
      const passed = service.ways.subscription === undefined ? asked : service.ways.subscription(asked, connection);
      if (passed === null) return;
      const text = JSON.stringify(passed);
      if (venue.readyState === WebSocket.OPEN) venue.send(text);
      else waiting.push(text);
    });
    venue.on('open', () => {
      for (const text of waiting) venue.send(text);
    });
    venue.on('message', (data) => {
      const message: Json = JSON.parse(data.toString());
      for (const said of service.ways.feed?.(message, connection) ?? [message]) connection.say(said);
    });
    client.on('close', () => venue.terminate()).on('error', () => venue.terminate());
    venue.on('close', () => client.close()).on('error', () => client.close());
  });
  const service: OtherService = {
    url: '',
    asked: [],
    subscriptions: [],
    headers: [],
    ways,
    async close() {
      for (const client of feed.clients) client.terminate();
      feed.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return Object.assign(service, { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` });
}
