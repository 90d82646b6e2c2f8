import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { makeVenueKey, PROOF_PATH, proofOf, venueKey } from '#paper-venue/proof.ts';
import { FrameMaker, rounded } from '../quote-frames.ts';
import { machineMs } from '../statistics.ts';
import { serve } from './child.ts';
import type { Arrival, ServiceNotes, ServiceQuestion, SubscribedCount } from './protocol.ts';

/** Two quotes a second on each connection (spec 4.5, rule 2). */
const PERIOD_MS = 500;
const LOGIN = '/httpserver/main/v2/auth/login';

interface Connection {
  readonly socket: WebSocket;
  readonly user: string;
  readonly size: number;
  readonly maker: FrameMaker;
}

/** When and at what a quote was sent. */
interface SentQuote {
  readonly sentMs: number;
  readonly size: number;
  readonly price: number;
}

makeVenueKey();
const key = venueKey();
const connections = new Set<Connection>();
const firstMs = new Map<string, number>();
const sent = new Map<string, SentQuote>();
const arrivals: Arrival[] = [];
const firstQuotes: string[] = [];
/** When the latest bytes of a connection came. */
const touchedMs = new WeakMap<Socket, number>();
let made = 0;
let stopPlaying = (): void => {};

const server = createServer(answer);
// Before the parser sees them: the first byte of a request is what counts.
server.on('connection', (socket: Socket) => socket.prependListener('data', () => touchedMs.set(socket, machineMs())));
const feed = new WebSocketServer({ server, perMessageDeflate: false });
feed.on('connection', (socket, request) => {
  const user = new URL(request.url ?? '/', 'http://localhost').searchParams.get('userId') ?? '';
  socket.on('message', (data) => subscribe(socket, user, data.toString()));
});

/**
 * Products, a sign-in that always succeeds, and orders that are always filled (spec 4.3, 4.4); and the proof of a Kairos venue, so that a
 * daemon trades here on paper.
 */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const arrivedMs = touchedMs.get(request.socket) ?? machineMs();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === PROOF_PATH) {
    reply(response, 200, JSON.stringify({ proof: key && proofOf(key, searchParams.get('nonce') ?? '') }));
    return;
  }
  if (request.method === 'GET') {
    reply(response, 200, JSON.stringify(products()));
    return;
  }
  if (request.url === LOGIN) {
    response.setHeader('authorization', 'Bearer bench');
    reply(response, 200, '{"refreshToken":"bench","expirationTime":3600}');
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const { quoteId, side } = JSON.parse(body);
    const quote = sent.get(quoteId);
    if (quote === undefined) {
      reply(response, 422, '{"error":"no such quote"}');
      return;
    }
    arrivals.push({ quoteId, sentMs: quote.sentMs, arrivedMs });
    const { price, size } = quote;
    const value = rounded(price * size);
    const fill = { orderId: quoteId, quoteId, side, status: 'FILLED', price, size, value, fee: rounded(value * 0.001), feeCcy: 'usd' };
    reply(response, 201, JSON.stringify(fill));
  });
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

function products(): object[] {
  const limits = { minSize: 0.0001, minNotionalValue: 1, sizeIncrement: 0.0001, priceIncrement: 0.01 };
  return ['btc', 'eth', 'sol', 'ada', 'xrp', 'ltc', 'dot', 'bch', 'uni', 'xlm'].map((base) => ({ productCode: `${base}usd`, ...limits }));
}

function subscribe(socket: WebSocket, user: string, text: string): void {
  const { quoteType, productCode, inputSize } = JSON.parse(text);
  const size = Number(inputSize);
  made += 1;
  const lane = { product: productCode, base: productCode.slice(0, 3), quote: productCode.slice(3), size };
  const connection = { socket, user, size, maker: new FrameMaker(lane, made) };
  socket.send(
    JSON.stringify({ msgType: 'ACK', userId: Number(user), query: { quoteType, productCode, inputSize: size, inputValue: null } }),
  );
  if (!firstMs.has(user)) firstMs.set(user, machineMs());
  connections.add(connection);
  socket.on('close', () => connections.delete(connection));
}

/** Sends to all connections of the user in turns, evenly over each period, in the order of their sizes. */
function play(user: string | null): void {
  stopPlaying();
  if (user === null) return;
  sent.clear();
  arrivals.length = 0;
  firstQuotes.length = 0;
  const playing = [...connections].filter((connection) => connection.user === user).sort((a, b) => a.size - b.size);
  if (playing.length === 0) return;
  const gapMs = PERIOD_MS / playing.length;
  const startMs = machineMs() + PERIOD_MS / 2;
  let turn = 0;
  let timer: NodeJS.Timeout;
  const due = (): void => {
    for (; startMs + turn * gapMs <= machineMs(); turn++) {
      const connection = playing[turn % playing.length];
      if (connection) sendQuote(connection, turn < playing.length);
    }
    timer = setTimeout(due, Math.max(0, startMs + turn * gapMs - machineMs()));
  };
  timer = setTimeout(due, PERIOD_MS / 2);
  stopPlaying = () => clearTimeout(timer);
}

function sendQuote({ socket, maker, size }: Connection, isFirst: boolean): void {
  const { id, text, price } = maker.next(Date.now());
  if (isFirst) firstQuotes.push(id);
  sent.set(id, { sentMs: machineMs(), size, price });
  socket.send(text);
}

const listening = new Promise<AddressInfo>((resolve, reject) => {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') resolve(address);
    else reject(new Error('no address'));
  });
});

serve<ServiceQuestion>(
  async (question) => {
    switch (question.ask) {
      case 'url':
        return `http://127.0.0.1:${(await listening).port}`;
      case 'subscribed': {
        const { user } = question;
        const count = [...connections].filter((connection) => connection.user === user).length;
        return { count, firstMs: firstMs.get(user) ?? null } satisfies SubscribedCount;
      }
      case 'play':
        return play(question.user);
      case 'arrivals':
        return { arrivals, firstQuotes } satisfies ServiceNotes;
    }
  },
  () => {
    stopPlaying();
    for (const { socket } of connections) socket.terminate();
    server.closeAllConnections();
    server.close();
  },
);
