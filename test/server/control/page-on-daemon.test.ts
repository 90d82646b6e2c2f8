import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { METRICS, type MetricDefinition } from '#server/metrics/catalog.ts';
import type { ArmView, DecisionHistory, EquityHistory, OrderStoryView, PriceHistory, RunsView } from '#server/page/history-view.ts';
import type { OrderCheckView } from '#server/page/order-check.ts';
import type { DecisionView, PastView } from '#server/page/past-view.ts';
import type { StateView } from '#server/page/view.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { EventClient } from '../../support/event-client.ts';
import { type PlainAnswer, plainRequest } from '../../support/plain-request.ts';
import { endAll, type Started, startKairos } from '../../support/process.ts';
import { ROOT } from '../../support/root.ts';
import { waitFor } from '../../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 1 } }
  - { id: wide, use: coin-flip, product: ethusd, amount: { base: 2 }, params: { seed: 7, everySeconds: 1 } }
risk: { maxOrderValue: { usd: 2000 }, maxLossStreak: off }
venue: { quotesPerSecond: 5 }
`;

let folder: DaemonFolder;
let daemon: Started;
let url = '';

beforeAll(async () => {
  folder = new DaemonFolder('page-server');
  folder.write('kairos.yaml', CONFIG);
  await start();
  // Both a fill and a refusal, so that there is something to tell of each.
  await daemon.until('a fill', () => folder.accepted());
  await daemon.until('a refusal', () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'refused' AND reason = 'MAX_ORDER_VALUE'")[0]);
});
afterAll(async () => {
  await endAll();
  folder.remove();
});

async function start(): Promise<void> {
  daemon = startKairos(['run'], { cwd: folder.path });
  [, url = ''] = await daemon.says(/^ +page +(http:\S+)/m);
}

const get = (path: string): Promise<PlainAnswer> => plainRequest(`${url}${path}`);

async function told<View>(path: string): Promise<View> {
  const { status, body } = await get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return JSON.parse(body);
}

const post = (act: string, body: object): Promise<PlainAnswer> => {
  const token = readFileSync(controlFiles(folder.journal).token, 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return plainRequest(`${url}/api/${act}`, { method: 'POST', headers, body: JSON.stringify(body) });
};

describe('what the page is told of a daemon that trades', () => {
  test('its state: money, positions, lanes with prices and age, limits', async () => {
    // A busy machine makes orders and lanes wait for a while.
    const quiet = async (): Promise<StateView | undefined> => {
      const state = await told<StateView>('/api/state');
      const isFresh = state.lanes.every(({ ageMs, untradable }) => untradable === null && ageMs !== null && ageMs < 2_000);
      return isFresh && state.trading === 'ACTIVE' && state.unknowns === 0 ? state : undefined;
    };
    const state = await waitFor(quiet);
    expect(state).toMatchObject({ mode: 'paper', trading: 'ACTIVE', phase: 'running', embedded: true, unknowns: 0 });
    expect(state.money).toMatchObject({ currency: 'usd', equity: expect.any(Number), profit: expect.any(Number) });
    expect(state.strategies.map(({ id, use, lane, budget }) => [id, use, lane, budget])).toEqual([
      ['flip', 'coin-flip', 'btcusd@base:0.01', '10000'],
      ['wide', 'coin-flip', 'ethusd@base:2', '10000'],
    ]);
    for (const lane of state.lanes) {
      expect(lane).toMatchObject({ phase: 'acked', untradable: null, buy: expect.any(Number), spreadPct: expect.any(Number) });
      expect(lane.timeLeftMs).toBeLessThanOrEqual(lane.validityMs ?? 0);
    }
    const used = new Map(state.limits.map(({ name, scope, share }) => [`${name} ${scope}`, share]));
    expect(used.get('risk.maxUnknown all')).toBe(0);
    expect([...used.keys()]).toContain('risk.maxOrdersPerMinuteOfStrategy flip');
  });

  test('what changes of its state, twice a second, is less than half of it', async () => {
    const client = new EventClient(`${url}/api/events`);
    await waitFor(() => (client.changes.length >= 8 ? true : undefined));
    client.close();
    const [whole] = client.named('state');
    const { length } = JSON.stringify(whole?.data);
    const mean = client.changes.reduce((sum, one) => sum + one, 0) / client.changes.length;
    expect(mean).toBeLessThan(length / 2);
    const isListed = ({ data }: (typeof client.heard)[number]): boolean =>
      typeof data === 'object' && data !== null && 'lanes' in data && Array.isArray(data.lanes);
    expect(client.named('state').every(isListed)).toBe(true);
  });

  test('what the journal tells: last decisions in plain words, costs, round trips', async () => {
    const past = await told<PastView>('/api/past');
    const flip = past.strategies.find(({ id }) => id === 'flip');
    expect(flip).toMatchObject({ costs: [{ currency: 'usd' }], fills: expect.any(Number) });
    expect(flip?.costs[0]?.fee).toBeGreaterThan(0);
    const wide = past.strategies.find(({ id }) => id === 'wide');
    expect(wide?.refusals).toBeGreaterThan(0);
    expect(wide?.last).toMatchObject({ strategy: 'wide', words: expect.stringMatching(/./) });
    const refused = await told<DecisionHistory>('/api/history/decisions?strategy=wide&kind=refused');
    expect(refused.decisions.map(({ words }) => words).join('\n')).toMatch(/worth \d+(\.\d+)? usd, over 2000 usd/);
    expect(past.roundTrips).toMatchObject([{ lane: 'btcusd@base:0.01', ms: expect.any(Number) }]);
  });

  test('history: prices with fills and refusals, equity, decisions back in time, the story of an order, the report', async () => {
    const { orders } = await settled();
    const prices = await told<PriceHistory>('/api/history/prices?strategy=flip&points=20');
    expect(prices.prices.length).toBeGreaterThan(1);
    expect(prices.prices.length).toBeLessThanOrEqual(20);
    expect(prices.marks.filter(({ kind }) => kind === 'fill').map(({ order }) => order)).toContain(orders);
    const refused = await told<PriceHistory>('/api/history/prices?strategy=wide');
    expect(refused.marks[0]).toMatchObject({ kind: 'refused', price: expect.any(Number) });
    const all = await told<PriceHistory>(`/api/history/prices?strategy=flip&from=${prices.from}`);
    expect(all.prices.length).toBeGreaterThanOrEqual(prices.prices.length);

    const early = prices.marks[0]?.at ?? 0;
    const until = await told<PriceHistory>(`/api/history/prices?strategy=flip&to=${new Date(early).toISOString()}`);
    expect(until.marks.map(({ at }) => at).every((at) => at <= early)).toBe(true);
    expect(until.marks).not.toEqual([]);

    const equity = await told<EquityHistory>('/api/history/equity');
    expect(equity).toMatchObject({ currency: 'usd', why: null });
    for (const { low, equity: last, high } of equity.points) expect(low <= last && last <= high).toBe(true);

    const newest = await told<DecisionHistory>('/api/history/decisions?limit=3');
    const before = newest.decisions.at(-1)?.seq ?? 0;
    const older = await told<DecisionHistory>(`/api/history/decisions?limit=3&before=${before}`);
    expect(older.decisions.map(({ seq }) => seq)).toEqual([before - 1, before - 2, before - 3]);
    expect(newest.more).toBe(true);
    const kind = await told<DecisionHistory>('/api/history/decisions?kind=accepted&strategy=flip&limit=1');
    expect(kind.decisions).toMatchObject([{ kind: 'accepted', strategy: 'flip', reason: 'HTTP_OK', meaning: expect.any(String) }]);

    const story = await told<OrderStoryView>(`/api/orders/${orders}`);
    expect(story).toMatchObject({ state: 'accepted', product: 'btcusd', fill: { price: expect.any(String) } });
    expect(story.lines.map(({ about }) => about)).toContain('filled');
    const runs = await told<RunsView>('/api/runs');
    expect(runs.runs[0]).toMatchObject({ mode: 'paper', endedAt: null });
    const report = await get(`/api/runs/${runs.runs[0]?.run}/report`);
    expect(report.status).toBe(200);
    expect(report.body).toMatch(/^<!doctype html>/);
    expect((await get('/api/runs/nobody/report')).status).toBe(404);
  });

  test('what an order by hand would come to, and what the checks would say, without a trace in the journal', async () => {
    // On a busy machine the lane may be silent, or the loop late, for a moment.
    const ask = async (query: string): Promise<OrderCheckView> => {
      const fresh = async (): Promise<OrderCheckView | undefined> => {
        const view = await told<OrderCheckView>(`/api/order-check?product=btcusd&${query}`);
        return ['LAG', 'LANE_STALE'].includes(view.refused?.reason ?? '') ? undefined : view;
      };
      return await waitFor(fresh);
    };
    const small = await ask('side=buy&size=0.02');
    expect(small).toMatchObject({ why: null, lane: 'btcusd@base:0.01', currency: 'usd', refused: null, feeCcy: 'usd' });
    expect(Number(small.value)).toBeCloseTo(0.02 * Number(small.price), 6);
    expect(Number(small.fee)).toBeGreaterThan(0);
    expect(await ask('side=buy&size=1')).toMatchObject({
      refused: { reason: 'MAX_ORDER_VALUE', words: expect.stringMatching(/^worth \d+(\.\d+)? usd, over 2000 usd$/) },
    });
    expect(await ask('side=sell&size=0.000000001')).toMatchObject({ price: null, refused: { reason: 'SIZE_LIMITS' } });
    expect(await told('/api/order-check?product=nothing&side=buy&size=1')).toMatchObject({ why: expect.any(String), price: null });
    expect((await get('/api/order-check?product=btcusd&side=buy&size=-1')).status).toBe(400);
    expect(folder.rows("SELECT 1 FROM decisions WHERE strategy = 'manual'")).toEqual([]);
  });

  test('what an arming would let trade, and the arming itself', async () => {
    const { configHash, build, limits, before } = await told<ArmView>('/api/arm');
    expect(before).toBeNull();
    expect(limits).toContainEqual({ key: 'risk.maxUnknown', value: '1' });
    expect(await post('arm', { configHash, build, who: 'ann', why: 'looked at' })).toMatchObject({ status: 200 });
    const armed = async () => {
      const view = await told<ArmView>('/api/arm');
      return view.before?.who === 'ann' ? view : undefined;
    };
    const { before: first } = await waitFor(armed);
    const again = await post('arm', { configHash, build, who: 'bob', why: 'once more' });
    expect(again).toMatchObject({ status: 200, body: expect.stringContaining(`"journaled":false,"since":"${first?.at}","still":[]`) });
    expect(await told<ArmView>('/api/arm')).toMatchObject({ before: { who: 'ann' }, differences: [] });
    expect((await post('arm', { configHash: 'another', build })).body).toContain('the daemon runs another configuration');
  });

  test('the documentation of the running version: its pages as HTML without a script, and a search', async () => {
    for (const path of ['/docs', '/docs/how-to/go-live', '/docs?q=MAX_UNKNOWN']) {
      const { status, headers, body } = await get(path);
      expect(status, path).toBe(200);
      expect(headers['content-security-policy'], path).not.toContain('script');
      expect(body, path).not.toContain('<script');
    }
    expect((await get('/docs')).body).toContain('<a href="/docs/how-to/go-live">');
    expect((await get('/docs?q=MAX_UNKNOWN')).body).toContain('<a href="/docs/reference/reasons#reason-codes">');
    expect((await get('/docs/nothing')).status).toBe(404);
  });

  test('metrics: every one of the list is served, and the dashboard and the alert rules ask for no other', async () => {
    const { status, headers, body } = await get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const served = [...body.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => [name, type]);
    expect(served).toEqual(Object.entries(METRICS).map(([name, { type }]) => [name, type]));
    expect(body).toMatch(/^kairos_orders_total\{strategy="flip",outcome="accepted"\} [1-9]/m);
    expect(body).toMatch(/^kairos_refusals_total\{reason="MAX_ORDER_VALUE"\} [1-9]/m);
    expect(body).toMatch(/^kairos_order_time_left_seconds_count [1-9]/m);
    expect(body).toMatch(/^kairos_trading_state\{state="ACTIVE"\} 1/m);

    const board: unknown = JSON.parse(readFileSync(`${ROOT}/deploy/grafana/kairos.json`, 'utf8'));
    const rules: unknown = parse(readFileSync(`${ROOT}/deploy/prometheus/alerts.yml`, 'utf8'));
    const asked = [...expressions(board), ...expressions(rules)];
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.flatMap(unknownIn)).toEqual([]);
    expect(rules).toMatchObject({ groups: [{ name: 'kairos', rules: expect.any(Array) }] });
    for (const rule of rulesIn(rules)) {
      expect(rule).toMatchObject({ alert: expect.stringMatching(/^Kairos\w+$/), annotations: { summary: expect.any(String) } });
      expect(rule).toMatchObject({ labels: { severity: expect.stringMatching(/^(critical|warning)$/) } });
    }
    expect(board).toMatchObject({ title: 'Kairos', uid: 'kairos', panels: expect.any(Array) });
  });

  test('the stream goes on over a restart: no decision is lost, none is told twice, and the page sees the new run', async () => {
    const first = new EventClient(`${url}/api/events`);
    await waitFor(() => (first.ids.length > 5 ? true : undefined));
    // As from a power cut: what the page has is what it has.
    await daemon.kill();
    await waitFor(() => (first.over ? true : undefined));
    const last = first.ids.at(-1) ?? 0;
    await start();
    const second = new EventClient(`${url}/api/events`, { 'last-event-id': String(last) });
    await waitFor(() => (second.named('decision').some(({ data }) => (data as DecisionView).kind === 'started') ? true : undefined));
    second.close();
    const ids = [...first.ids, ...second.ids];
    expect(ids).toEqual(Array.from(ids, (_, n) => (ids[0] ?? 0) + n));
    expect(second.named('hello')[0]?.data).not.toEqual(first.named('hello')[0]?.data);
  });
});

/** An order of `flip` that was executed. */
async function settled(): Promise<{ readonly orders: string }> {
  const [row] = folder.rows<{ order_id: string }>("SELECT order_id FROM orders WHERE state = 'accepted' AND strategy = 'flip' LIMIT 1");
  return { orders: row?.order_id ?? '' };
}

/** Every `expr` in a document. */
function expressions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    name === 'expr' && typeof value === 'string' ? [value] : expressions(value),
  );
}

/** Every node that has an expression. */
function rulesIn(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  return 'expr' in node ? [node] : Object.values(node).flatMap(rulesIn);
}

const ENDINGS = ['_bucket', '_sum', '_count'];
/** Labels that Prometheus adds. */
const ADDED = ['instance', 'job', 'le'];

/** What an expression asks for and no daemon serves: metrics, and labels that they do not have. */
function unknownIn(expression: string): string[] {
  const definitions = new Map<string, MetricDefinition>(Object.entries(METRICS));
  return [...expression.matchAll(/\b((?:kairos|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g)].flatMap(([, series = '', labels = '']) => {
    const ending = ENDINGS.find((one) => series.endsWith(one));
    const whole = definitions.get(series);
    const metric = whole ?? (ending === undefined ? undefined : definitions.get(series.slice(0, -ending.length)));
    if (!metric || (whole === undefined) !== (metric.type === 'histogram')) return [series];
    const names = [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = '']) => name);
    return names.filter((name) => !ADDED.includes(name) && !metric.labels?.includes(name)).map((name) => `${series}{${name}}`);
  });
}
