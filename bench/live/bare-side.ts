import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { filter, map, Subject, scan } from 'rxjs';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import { machineMs } from '../statistics.ts';
import { givenFacts, serve } from './child.ts';
import type { BenchLane, Marks, SideFacts, SideQuestion } from './protocol.ts';
import { SliceMeter } from './slice-meter.ts';

/**
 * The least that could trade: ws, `JSON.parse`, three operators, one durable row, HMAC, undici. No checks, no risk, no
 * books, no recording. What the engine is held against.
 */
const { folder, baseUrl, user, lanes } = givenFacts<SideFacts>();
const PATH = '/svc-broker/api/orders';

interface Frame {
  readonly msgType: string;
  readonly id: string;
  readonly buyQuote: { readonly price: number };
  readonly sellQuote: { readonly price: number };
}

interface Moving {
  readonly id: string;
  readonly fast: number;
  readonly slow: number;
}

const meter = new SliceMeter();
const key = Buffer.from(BROKER_SECRET, 'base64');
const pool = new Pool(baseUrl, { connections: 8, pipelining: 1, allowH2: false, keepAliveTimeout: 60_000 });
const database = new Database(join(folder, 'bare.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, at INTEGER, quote_id TEXT, side TEXT, text TEXT)');
const insert = database.prepare<[number, string, string, string]>('INSERT INTO orders (at, quote_id, side, text) VALUES (?, ?, ?, ?)');

const sockets = lanes.map((lane) => open(lane));

function open({ product, size, trades }: BenchLane): WebSocket {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/svc-broker/public/quotes?userId=${user}`, { perMessageDeflate: false });
  const frames$ = new Subject<Frame>();
  let side = 'SELL';
  frames$
    .pipe(
      map(({ id, buyQuote, sellQuote }) => ({ id, mid: (buyQuote.price + sellQuote.price) / 2 })),
      scan(
        (last: Moving | null, { id, mid }): Moving =>
          last === null
            ? { id, fast: mid, slow: mid }
            : { id, fast: last.fast + 0.6 * (mid - last.fast), slow: last.slow + 0.4 * (mid - last.slow) },
        null,
      ),
      filter((moving) => moving !== null && trades),
    )
    .subscribe((moving) => {
      if (moving === null) return;
      side = side === 'SELL' ? 'BUY' : 'SELL';
      order(moving, side);
    });
  socket.on('open', () => socket.send(JSON.stringify({ quoteType: 'TRADING', productCode: product, inputSize: size })));
  socket.on('message', (data) => {
    const received = machineMs();
    meter.frames += 1;
    const frame: Frame = JSON.parse(data.toString());
    if (frame.msgType !== 'TQ') return;
    if (trades) meter.open(frame.id, received);
    frames$.next(frame);
  });
  return socket;
}

function order(moving: Moving, side: string): void {
  const marks = meter.of(moving.id);
  if (marks) marks.decided = machineMs();
  insert.run(Date.now(), moving.id, side, JSON.stringify(moving));
  if (marks) marks.committed = machineMs();
  void send(moving.id, side, marks);
}

async function send(quoteId: string, side: string, marks: Marks | undefined): Promise<void> {
  const body = JSON.stringify({ orderType: 'MARKET', quoteId, side });
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', key).update(`${timestamp}POST${PATH}${user}${body}`).digest('base64');
  if (marks) marks.signed = machineMs();
  const { body: answer } = await pool.request({
    method: 'POST',
    path: PATH,
    headers: {
      'content-type': 'application/json',
      'X-API-Key': BROKER_KEY,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
      'X-API-User-ID': user,
    },
    body,
  });
  await answer.dump();
}

serve<SideQuestion>(
  ({ ask }) => (ask === 'begin' ? meter.begin() : meter.end()),
  async () => {
    for (const socket of sockets) socket.terminate();
    await pool.destroy();
    database.close();
  },
);
