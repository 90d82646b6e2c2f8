import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KairosError } from '#domain/errors.ts';
import { type OpsServer, openOps } from '#server/control/server.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import { MAX_STREAMS } from '#server/page/routes.ts';
import type { Asset, FeedRow, PageTarget } from '#server/page/target.ts';
import type { HelloView } from '#server/page/view.ts';
import { emptyState, HELLO } from '../../support/empty-state.ts';
import { EventClient } from '../../support/event-client.ts';
import { OpsDouble } from '../../support/ops-double.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { lookFor, waitFor } from '../../support/wait-for.ts';

/** A daemon as the page sees it, whose every look is counted. */
class Seen implements PageTarget {
  rows = 0;
  events = 1;
  looks = 0;
  /** Characters that pad each state. */
  padding = 0;
  readonly asked: HistoryAsk[] = [];
  hello(): HelloView {
    return HELLO;
  }
  state() {
    this.looks += 1;
    return { ...emptyState(this.events), book: 'x'.repeat(this.padding) };
  }
  turn(): number {
    return this.events;
  }
  soon(run: () => void): void {
    setImmediate(run);
  }
  async end(): Promise<number> {
    this.looks += 1;
    return this.rows;
  }
  async feed(after: number, limit: number): Promise<readonly FeedRow[]> {
    this.looks += 1;
    const count = Math.max(0, Math.min(limit, this.rows - after));
    return Array.from({ length: count }, (_, n) => ({ seq: after + n + 1, json: JSON.stringify({ seq: after + n + 1 }) }));
  }
  async past() {
    return { json: JSON.stringify({ seq: this.rows }), whole: true };
  }
  async history(ask: HistoryAsk): Promise<string> {
    this.asked.push(ask);
    if (ask.kind === 'run-report') return '<!doctype html>';
    if (ask.kind === 'order' && ask.order === 'none') throw new KairosError('NOT_FOUND', 'there is no order none');
    return JSON.stringify(ask);
  }
  async arming(): Promise<string> {
    return '{}';
  }
  orderCheck(): string {
    return '{}';
  }

  parameters(): string {
    return '[]';
  }

  modules(): string {
    return '[]';
  }

  async remoteStrategies(): Promise<string> {
    return '{}';
  }
  async metrics(pages: number) {
    return { type: 'text/plain', text: `kairos_page_clients ${pages}\n` };
  }
  async asset(url: string): Promise<Asset | undefined> {
    return url === '/' ? { type: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html>'), hash: 'h1' } : undefined;
  }
}

const TOKEN = 'a-token-that-nobody-guesses';
let timers: VirtualTimers;
let seen: Seen;
let ops: OpsServer;
let heard: OpsDouble['heard'];
const clients: EventClient[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  timers = new VirtualTimers();
  seen = new Seen();
  const double = new OpsDouble();
  ({ heard } = double);
  ops = await openOps({ host: '127.0.0.1', port: null, token: TOKEN, target: double.target, page: { target: seen, timers }, timers });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  await ops.close();
});

function listen(path = '/api/events', headers: Readonly<Record<string, string>> = {}): EventClient {
  const client = new EventClient(`${ops.url}${path}`, headers);
  clients.push(client);
  return client;
}

/** Lets half seconds pass until something is so. */
async function until(what: string, so: () => boolean): Promise<void> {
  const done = await lookFor(() => {
    if (so()) return true;
    timers.advance(500);
    return undefined;
  });
  if (done === undefined) throw new Error(`never: ${what}`);
}

async function pagesListening(): Promise<number> {
  const { body } = await plainRequest(`${ops.url}/metrics`);
  return Number(body.split(' ')[1]);
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('the stream', () => {
  test('begins with the run and the state, then tells rows in order and what changes', async () => {
    seen.rows = 3;
    const client = listen();
    await until('rows', () => client.ids.length === 3);
    expect(client.heard.slice(0, 2).map(({ name }) => name)).toEqual(['hello', 'state']);
    expect(client.named('hello')[0]?.data).toMatchObject({ run: 'run-1', mode: 'paper' });
    seen.rows = 5;
    seen.events += 1;
    await until('new rows', () => client.ids.length === 5 && client.named('past').at(-1)?.data !== undefined);
    expect(client.ids).toEqual(upTo(1, 5));
    expect(client.named('state').at(-1)?.data).toMatchObject({ unknowns: seen.events });
  });

  test('a page that comes back hears every row after its last one, once, however many', async () => {
    seen.rows = 11_700;
    const client = listen('/api/events', { 'last-event-id': '40' });
    await until('all rows', () => client.ids.at(-1) === 11_700);
    expect(client.ids).toEqual(upTo(41, 11_700));
    const other = listen('/api/events?after=11699');
    await until('the row after', () => other.ids.length > 0);
    expect(other.ids).toEqual([11_700]);
  });

  test('a new page begins with the newest hundred, and so does one whose row is of another journal', async () => {
    seen.rows = 1_000;
    const fresh = listen();
    const foreign = listen('/api/events', { 'last-event-id': '999999' });
    await until('rows', () => fresh.ids.length === 100 && foreign.ids.length === 100);
    expect(fresh.ids).toEqual(upTo(901, 1_000));
    expect(foreign.ids).toEqual(upTo(901, 1_000));
  });

  test('nothing is looked at while nobody listens, and twenty pages cost as much as one', async () => {
    expect(timers.pending).toBe(0);
    const twenty = upTo(1, 20).map(() => listen());
    await until('all of them', () => twenty.every((client) => client.named('past').length > 0));
    const looks = seen.looks;
    seen.events += 1;
    timers.advance(500);
    await until('the change everywhere', () => twenty.every((client) => client.named('state').length >= 2));
    expect(seen.looks - looks).toBeLessThan(20);
    for (const client of twenty) client.close();
    await waitFor(() => (timers.pending === 0 ? true : undefined));
  });

  test('a page is told the whole state once, and then what changes alone: a tenth of it', async () => {
    seen.padding = 5_000;
    const client = listen();
    await until('the first', () => client.named('state').length === 1);
    seen.events += 1;
    await until('the next', () => client.named('state').length === 2);
    seen.padding = 0;
    seen.events += 1;
    await until('the one after', () => client.named('state').length === 3);
    expect(client.named('state').map(({ data }) => data)).toMatchObject([
      { unknowns: 1 },
      { unknowns: 2, book: 'x'.repeat(5_000) },
      { book: '' },
    ]);
    expect(client.named('state').at(-1)?.data).toEqual(JSON.parse(JSON.stringify(seen.state())));
    expect(client.changes.every((length) => length < 500)).toBe(true);
  });

  test('a state without change is told again every four seconds, so that the line is known to live', async () => {
    const client = listen();
    await until('the first', () => client.named('state').length === 1);
    timers.advance(3_500);
    expect(client.named('state')).toHaveLength(1);
    timers.advance(1_000);
    await waitFor(() => (client.named('state').length > 1 ? true : undefined));
    expect(client.named('state')).toHaveLength(2);
  });

  test('F74 a page that does not read is cut off; the others hear everything, and little is kept for it', async () => {
    seen.padding = 300_000;
    const stalled = listen();
    const well = listen();
    await until('both', () => stalled.named('state').length > 0 && well.named('state').length > 0);
    stalled.stall();
    let [pages, told] = [2, 0];
    while (pages === 2 && told < 400) {
      seen.events += 1;
      // Each state is another one, as a whole.
      seen.padding += 1;
      timers.advance(500);
      if (told % 10 === 0) pages = await pagesListening();
      else await new Promise((resolve) => setImmediate(resolve));
      told += 1;
    }
    expect(pages).toBe(1);
    expect(well.over).toBe(false);
    // What is kept for it is less than what it was told, in its sockets too.
    expect(told * seen.padding).toBeLessThan(100e6);
  });

  test('a stop ends the stream, so that the page knows', async () => {
    const client = listen();
    await until('it listens', () => client.heard.length > 0);
    await ops.close();
    await waitFor(() => (client.over ? true : undefined));
  });
});

describe('room for whoever wants to act', () => {
  const halt = () =>
    plainRequest(`${ops.url}/api/halt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{"who":"ann","why":"enough"}',
    });

  test('F74 more pages than there is room for are told so, and the halt button works', async () => {
    const many = upTo(1, MAX_STREAMS).map(() => listen());
    await until('all of them', () => many.every((client) => client.heard.length > 0));
    const refused = listen();
    await until('an answer', () => refused.status !== 0);
    expect(refused.status).toBe(503);
    expect((await halt()).status).toBe(200);
    expect(heard).toMatchObject([['halt', {}]]);
  });

  test('F74 connections that only stand there are let go when many do', async () => {
    const { port } = new URL(ops.url);
    // Each has asked once and keeps its connection, as browsers do.
    for (let n = 0; n < 120; n += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      await new Promise<void>((resolve) => {
        socket.once('data', () => resolve());
        socket.once('close', () => resolve());
        socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      });
    }
    expect((await halt()).status).toBe(200);
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(96);
  });
});

describe('who may look, and at what', () => {
  const paths = ['/', '/api/events', '/api/past', '/api/arm', '/api/runs', '/api/history/equity', '/api/runs/last/report', '/metrics'];

  test.each(paths)('F73 B33 a page of another site is turned away from %s', async (path) => {
    for (const headers of [{ host: 'evil.example' }, { host: '127.0.0.1.evil' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const client = listen(path, headers);
      await until('an answer', () => client.status !== 0);
      expect(client.status).toBe(403);
    }
    expect(seen.looks).toBe(0);
  });

  test('an act that is meant for another daemon is refused, a halt as well', async () => {
    const ask = (instance: string) =>
      plainRequest(`${ops.url}/api/halt`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'x-kairos-instance': instance },
        body: '{}',
      });
    expect([(await ask('b2')).status, heard]).toEqual([409, []]);
    expect([(await ask('a1')).status, heard]).toMatchObject([200, [['halt', {}]]]);
  });

  test('the page may load and do nothing of another host, and a report nothing at all', async () => {
    const page = await plainRequest(`${ops.url}/`);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
    );
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    const report = await plainRequest(`${ops.url}/api/runs/last/report`);
    expect(report.headers['content-security-policy']).toMatch(/connect-src|default-src 'none'.*sandbox allow-scripts$/);
    expect(report.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('a file is sent again only when it is another one; HEAD is answered', async () => {
    const first = await plainRequest(`${ops.url}/`);
    expect(first.headers.etag).toBe('"h1"');
    expect((await plainRequest(`${ops.url}/`, { headers: { 'if-none-match': '"h1"' } })).status).toBe(304);
    expect((await plainRequest(`${ops.url}/`, { method: 'HEAD' })).status).toBe(200);
    expect((await plainRequest(`${ops.url}/none.js`)).status).toBe(404);
  });

  test.each<[string, number]>([
    ['/api/history/prices?strategy=a', 200],
    ['/api/history/prices', 400],
    ['/api/history/prices?strategy=../x', 400],
    ['/api/history/prices?strategy=a&points=1', 400],
    ['/api/history/prices?strategy=a&points=1e9', 400],
    ['/api/history/prices?strategy=a&from=yesterday', 400],
    ['/api/history/prices?strategy=a&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', 200],
    ['/api/history/prices?strategy=a&strategy=b', 400],
    ['/api/history/decisions?before=5&limit=1000', 200],
    ['/api/history/decisions?kind=accepted,resolved&without=sent', 200],
    ['/api/history/decisions?kind=accepted,', 400],
    ['/api/history/decisions?limit=1001', 400],
    ['/api/history/decisions?before=-1', 400],
    ['/api/history/decisions?sort=up', 400],
    ['/api/history/equity?run=last', 200],
    ['/api/history/equity?run=%2e%2e', 400],
    ['/api/runs/..%2f..%2fetc/report', 400],
    ['/api/reports/report.html', 200],
    ['/api/reports/..%2fkairos.db', 400],
    ['/api/reports/kairos.db', 400],
    ['/api/reports/.html', 400],
    ['/api/orders/7-1', 200],
    ['/api/orders/none', 404],
    ['/api/orders/..%2f', 400],
  ])('B30 %s answers %i', async (path, status) => {
    const answer = await plainRequest(`${ops.url}${path}`);
    expect(answer.status).toBe(status);
    expect(seen.asked).toHaveLength(status === 400 ? 0 : 1);
  });
});
