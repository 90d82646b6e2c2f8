import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { dialectOf, meetingOf } from '#adapters/service-client/dialect/dialect.ts';
import type { Score } from '#lab/arena/server/film.ts';
import { drawService } from '#lab/arena/trial/draw.ts';
import { RULE_NAMES, RULES } from '#lab/arena/trial/rules.ts';
import { Trial } from '#lab/arena/trial/trial.ts';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import { readFault, type VenueFault } from '#paper-venue/faults/catalogue.ts';
import { VENUE_SETTINGS } from '../../support/venue-settings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const PATH = '/svc-broker/api/orders';
const SECOND = 1_000;

interface Quote {
  readonly id: string;
  readonly buyQuote: { readonly price: number };
}

/** A trial whose time stands still until a test moves it, and a bot that does as it is told. */
class Bench {
  readonly timers = new VirtualTimers();
  trial!: Trial;
  socket!: WebSocket;
  readonly quotes: Quote[] = [];
  private readonly over = new AbortController();
  private score!: Promise<Score>;

  static async open(faults: readonly string[] = [], clockAheadMs = 0): Promise<Bench> {
    const bench = new Bench();
    const service = { dialect: [], faults: faults.map(faultNamed), clockAheadMs };
    const { timers } = bench;
    bench.trial = await Trial.start({
      seed: 'judge',
      service,
      lengthMs: 300 * SECOND,
      paceMs: 15 * SECOND,
      venue: VENUE_SETTINGS,
      port: 0,
      timers,
    });
    bench.score = bench.trial.run(bench.over.signal);
    onTestFinished(() => bench.trial.close());
    return bench;
  }

  async connect(): Promise<this> {
    this.socket = new WebSocket(`${this.trial.url.replace('http', 'ws')}/svc-broker/public/quotes?userId=1205`);
    onTestFinished(() => this.socket.terminate());
    this.socket.on('error', () => {});
    this.socket.on('message', (text) => {
      const message = JSON.parse(String(text));
      if (message.msgType === 'TQ') this.quotes.push(message);
    });
    await once(this.socket, 'open');
    this.socket.send(JSON.stringify({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 }));
    await this.quote();
    return this;
  }

  /** The next quote that comes. */
  async quote(): Promise<Quote> {
    const before = this.quotes.length;
    for (let tries = 0; this.quotes.length === before && tries < 400; tries += 1) {
      if (before > 0) this.timers.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
      await fetch(`${this.trial.url}/openapi.json`).then((answer) => answer.arrayBuffer());
    }
    const quote = this.quotes.at(-1);
    if (!quote || this.quotes.length === before) throw new Error('no quote came');
    return quote;
  }

  /** Orders, and gives the status; 0 where no answer comes. */
  async order(quoteId: string, { side = 'BUY', stampedMs = 0, secret = BROKER_SECRET } = {}): Promise<number> {
    const body = JSON.stringify({ orderType: 'MARKET', quoteId, side });
    const stamp = String(this.timers.wallMs() + stampedMs);
    const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${stamp}POST${PATH}1205${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'x-api-key': BROKER_KEY,
      'x-api-timestamp': stamp,
      'x-api-signature': signature,
      'x-api-user-id': '1205',
    };
    const sent = { method: 'POST', headers, body, redirect: 'manual' } as const;
    return fetch(`${this.trial.url}${PATH}`, sent).then(
      ({ status }) => status,
      () => 0,
    );
  }

  tell(books: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${this.trial.url}/venue/books`, { method: 'POST', headers, body: JSON.stringify(books) }).then((answer) => answer.json());
  }

  /** How often a rule could be kept, and was not. */
  async end(): Promise<Record<string, readonly [chances: number, breaches: number]>> {
    this.over.abort();
    const { rows } = await this.score;
    return Object.fromEntries(rows.map(({ rule, chances, breaches }) => [rule, [chances, breaches]]));
  }
}

function faultNamed(text: string): VenueFault {
  const read = readFault(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

describe('a judge who sees what the service sees', () => {
  test('finds nothing to blame in an order that is as it should be', async () => {
    const bench = await (await Bench.open()).connect();
    expect(await bench.order((await bench.quote()).id)).toBe(201);
    const seen = await bench.end();
    const broken = Object.entries(seen).filter(([, [, breaches]]) => breaches > 0);
    expect(broken).toEqual([]);
    expect(seen).toMatchObject({ signed: [1, 0], stamped: [1, 0], formed: [1, 0], alive: [1, 0], once: [1, 0] });
  });

  test('sees a quote that is ordered twice, one that had expired, and one that nobody gave', async () => {
    const bench = await (await Bench.open()).connect();
    const { id } = await bench.quote();
    expect([await bench.order(id), await bench.order(id)]).toEqual([201, 422]);
    const late = await bench.quote();
    bench.timers.advance(3_100);
    expect(await bench.order(late.id)).toBe(422);
    expect(await bench.order('00000000-0000-4000-8000-000000000000')).toBe(422);
    expect(await bench.end()).toMatchObject({ once: [4, 1], alive: [3, 1], formed: [4, 1] });
  });

  test('sees a signature of another secret, and a stamp of another clock (F55)', async () => {
    const bench = await (await Bench.open([], 30_000)).connect();
    expect(await bench.order((await bench.quote()).id)).toBe(401);
    expect(await bench.order((await bench.quote()).id, { stampedMs: 30_000, secret: 'YWFh' })).toBe(401);
    expect(await bench.order((await bench.quote()).id, { stampedMs: 30_000 })).toBe(201);
    expect(await bench.end()).toMatchObject({ stamped: [3, 1], signed: [3, 1] });
  });

  test('sees the same order again after one without an answer, unless it was asked what became of it (F03, I03)', async () => {
    const bench = await (await Bench.open(['lost-answers=100%'])).connect();
    expect(await bench.order((await bench.quote()).id)).toBe(0);
    expect(await bench.order((await bench.quote()).id)).toBe(0);
    const { id } = await bench.quote();
    expect(await bench.order(id, { side: 'SELL' })).toBe(0);
    bench.trial.queried(id);
    expect(await bench.order((await bench.quote()).id, { side: 'SELL' })).toBe(0);
    expect(await bench.end()).toMatchObject({ unknown: [4, 1] });
  });

  test('sees orders while it asked to wait; one that reduces may pass (F09)', async () => {
    const bench = await (await Bench.open(['too-many-requests=100%'])).connect();
    expect(await bench.order((await bench.quote()).id)).toBe(429);
    expect(await bench.order((await bench.quote()).id)).toBe(429);
    expect(await bench.end()).toMatchObject({ waits: [2, 1] });
  });

  test('sees a price that no market has, as it was sent (F33)', async () => {
    const bench = await (await Bench.open(['wild-prices=100%'])).connect();
    await bench.order((await bench.quote()).id);
    expect((await bench.end()).sane?.[1]).toBe(1);
  });

  test('sees a subscription that is lost for good, and knocking without end (F23, F24)', async () => {
    const lost = await (await Bench.open()).connect();
    lost.socket.terminate();
    for (let second = 0; second < 60; second += 1) {
      lost.timers.advance(SECOND);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await lost.end()).toMatchObject({ renews: [1, 1] });

    const hammered = await Bench.open(['refused-feed=100%']);
    const url = `${hammered.trial.url.replace('http', 'ws')}/svc-broker/public/quotes?userId=1205`;
    for (let count = 0; count < 12; count += 1) {
      const socket = new WebSocket(url);
      socket.on('error', () => {});
      await new Promise((resolve) => socket.on('close', resolve));
    }
    expect((await hammered.end()).backsOff).toEqual([11, 7]);
  });

  test('holds told books against those of the service; without any it says nothing of them', async () => {
    const bench = await (await Bench.open()).connect();
    await bench.order((await bench.quote()).id);
    bench.timers.advance(6 * SECOND);
    expect(await bench.tell({ total: { btc: '100', eth: '1000', eur: '1000000', sek: '10000000', usd: '1000000' } })).toMatchObject({
      isRight: false,
      text: 'btc is reported as 100, and is 100.01',
    });
    expect(await bench.end()).toMatchObject({ books: [1, 1] });
    const silent = await Bench.open();
    expect(await silent.end()).toMatchObject({ books: [0, 0] });
  });

  test('counts the spans without an order that could be executed; who never orders earns nothing', async () => {
    const bench = await (await Bench.open()).connect();
    for (let second = 0; second < 80; second += 1) bench.timers.advance(SECOND);
    const { trades } = await bench.end();
    expect(trades).toEqual([4, 4]);
    expect(bench.trial.judge.tallies.score()).toMatchObject({ points: 0 });
  });
});

test('the page is told of a trial as it goes on, each thing once, and of its score in the end', async () => {
  const bench = await (await Bench.open()).connect();
  const first = bench.trial.film(null);
  expect(first).toMatchObject({ isLive: true, verdict: null });
  await bench.order((await bench.quote()).id);
  for (let second = 0; second < 3; second += 1) bench.timers.advance(SECOND);
  const second = bench.trial.film(first.madeMs);
  expect(second.madeMs).toBeGreaterThan(first.madeMs);
  expect(second.travels.filter(({ what }) => what === 'order')).toHaveLength(1);
  expect(bench.trial.film(second.madeMs).travels.filter(({ what }) => what === 'order')).toEqual([]);
  await bench.end();
  const whole = bench.trial.film(null);
  expect(whole).toMatchObject({ isLive: false, madeMs: 300 * SECOND, verdict: { text: 'orders that came: 1, executed: 1' } });
  expect(whole.samples.at(-1)?.rooms.service ?? whole.samples[0]?.rooms.service).toContainEqual(
    expect.objectContaining({ label: 'executed' }),
  );
});

test('a seed draws the same service every time, one that a client written from the specification can trade with', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { dialect, faults, clockAheadMs } = drawService(String(seed));
    expect(drawService(String(seed))).toEqual({ dialect, faults, clockAheadMs });
    expect(typeof dialectOf(dialect)).toBe('object');
    expect(meetingOf(dialect).client).toBe('trades');
    expect(faults.length).toBeGreaterThanOrEqual(5);
    expect(Math.abs(clockAheadMs)).toBeLessThanOrEqual(40_000);
  }
});

test('the points of all rules are known, and add up', () => {
  expect(RULE_NAMES.length).toBe(13);
  expect(RULE_NAMES.reduce((sum, name) => sum + RULES[name].of, 0)).toBe(100);
});
