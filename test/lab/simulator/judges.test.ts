import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { OWN_DIALECT } from '#adapters/service-client/dialect/dialect.ts';
import { loadConfig } from '#config/load.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { Troubles } from '#lab/simulator/plan/troubles.ts';
import { MORNING } from '#lab/simulator/plan/zones.ts';
import { ServiceBooks, type ServiceFill } from '#lab/simulator/service/books.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import { ServiceTime } from '#lab/simulator/service/service-time.ts';
import { FeedConnections } from '#lab/simulator/watch/feed-watch.ts';
import { checkFigures } from '#lab/simulator/watch/figures-check.ts';
import { after, FLAT } from '#lab/simulator/watch/folded-book.ts';
import { ServiceHoldings } from '#lab/simulator/watch/holdings.ts';
import { JournalEye } from '#lab/simulator/watch/journal-eye.ts';
import { LossWatch } from '#lab/simulator/watch/loss-watch.ts';
import type { WireOrder } from '#lab/simulator/watch/order-watch.ts';
import { OutcomeWatch } from '#lab/simulator/watch/outcome-watch.ts';
import { ProcessesWatch } from '#lab/simulator/watch/processes-watch.ts';
import { SizeWatch } from '#lab/simulator/watch/size-watch.ts';
import { Draws } from '#lab/simulator/world/draws.ts';
import { EventHistory } from '#lab/simulator/world/history.ts';
import { SimulatedMachine } from '#lab/simulator/world/machine.ts';
import { World } from '#lab/simulator/world/world.ts';
import { newFolder } from '../../support/folder.ts';

function scene(): Scene {
  const world = new World(MORNING);
  const plan = drawPlan('1', 0.1);
  const troubles = new Troubles('1', [], () => world.now);
  const time = new ServiceTime(world, 0, troubles);
  const history = new EventHistory(() => world.now, '');
  return { world, machine: new SimulatedMachine(world), plan, troubles, draws: new Draws('1'), history, time, dialect: OWN_DIALECT };
}

test('I10 an order that was decided after the connection of its quote had closed is found; one of the same turn is fair', async () => {
  const seen = scene();
  const connections = new FeedConnections(seen, (_invariant, what) => expect.unreachable(what));
  connections.expect(2);
  connections.subscribed(1, 'btc', true);
  connections.subscribed(2, 'btc', true);
  seen.world.at(500, () => connections.closed(1));
  await seen.world.run(1_000, () => false);
  const faultAt = (connection: number, decidedAt: number) => connections.faultOf({ connection, query: 'btc' }, decidedAt);
  expect([faultAt(1, 499), faultAt(1, 500), faultAt(1, 501), faultAt(2, 501)]).toEqual([null, null, 'its connection is closed', null]);
});

test('I04 an answer that was read and not journaled is found, but not where the disk took no row before', () => {
  const found = (error: unknown): readonly string[] => {
    const broken: string[] = [];
    const violate = (invariant: string): void => void broken.push(invariant);
    const watch = new OutcomeWatch({ scene: scene(), orderOn: () => undefined, isHeld: () => false, violate });
    watch.failed(error);
    watch.executed({ quoteId: 'q' } as WireOrder);
    watch.ended('fault');
    return broken;
  };
  expect(found(new Error('a stage throws'))).toEqual(['I04']);
  expect(found(new KairosError('JOURNAL_FAULT', 'the disk is full'))).toEqual([]);
});

test('I28 an error of the daemon itself is found; one that was drawn, or that says what to do, is none', () => {
  const broken: string[] = [];
  const watch = new ProcessesWatch(
    scene(),
    () => null,
    (invariant) => void broken.push(invariant),
  );
  for (const text of ['ScheduledActions.due was drawn to throw', 'thrown by a timer of nobody']) watch.failed(new Error(text));
  watch.failed(new KairosError('JOURNAL_FAULT', 'the disk is full'));
  expect(broken).toEqual([]);
  watch.failed(new TypeError('lane is undefined'));
  expect(broken).toEqual(['I28']);
});

const noBooks = (): ServiceBooks => new ServiceBooks('quote');

test.each([
  ['whole amounts', ['0.00971', '0.01942'], 0, false, []],
  ['an amount floored to a coarser step while that may hold', ['0.0097', '0.0194'], 1, false, []],
  ['an amount floored to a step that the product never had', ['0.0194'], 0, false, ['0.0194']],
  ['an amount that is rounded up', ['0.0098', '0.0195', '0.01943'], 1, false, ['0.0098', '0.0195', '0.01943']],
  ['what is certain beside an order that a process left behind unwritten', ['0.0173'], 0, true, []],
] as const)('I11 sizes that a strategy asks for, once and twice its amount: %s', (_what, sizes, changes, unknown, expected) => {
  const { plan, ...seen } = scene();
  const strategies: SimulationPlan['strategies'] = [
    { id: 's0', use: 'shifter', product: 'btcusd', amount: { base: '0.00971' }, params: {}, exits: null },
  ];
  seen.troubles.seen.set('F19', changes);
  const found: string[] = [];
  const holdings = new ServiceHoldings(noBooks(), () => 0);
  const watch = new SizeWatch({
    scene: { ...seen, plan: { ...plan, strategies } },
    holdings,
    eye: journalOf(unknown ? [['unknown', '1-1', {}]] : [], 'btcusd'),
    violate: (_, what) => void found.push(/for (\S+) btcusd/.exec(what)?.[1] ?? what),
  });
  for (const inputSize of sizes) watch.subscribed(JSON.stringify({ productCode: 'btcusd', inputSize }));
  expect(found).toEqual(expected);
});

test.each([
  ['is fair where that was lost since trading went on', { lost: 6, openAtBegin: false }, 0],
  ['is found where nothing was lost since', { lost: 0, openAtBegin: false }, 1],
  ['is not judged where an order left open what was held as trading went on', { lost: 0, openAtBegin: true }, 0],
])("I05 a day's loss that stops openings %s", (_what, { lost, openAtBegin }, expected) => {
  const seen = scene();
  const books = noBooks();
  const holdings = new ServiceHoldings(books, () => seen.world.now);
  const found: string[] = [];
  const watch = new LossWatch({ scene: seen, holdings, eye: journalOf([]), violate: (_, what) => void found.push(what) });
  watch.hold(loadConfig({ files: [], set: ['risk.maxDayLoss=5'], env: {}, cwd: tmpdir() }).settings, false);
  const [price, size] = [60_000, 0.01];
  const quote = {
    id: 'q',
    product: 'btcusd',
    baseCcy: 'btc',
    quoteCcy: 'usd',
    buy: { price, size, value: price * size },
    sell: { price },
    spoiled: false,
  };
  watch.delivered(quote as SimulatedQuote);
  const order = { quoteId: 'q', side: 'buy', row: { strategy: 's0', product: 'btcusd' }, quote, isSettled: false } as WireOrder;
  if (openAtBegin) holdings.wrote(order);
  watch.committed({ kind: 'resumed', detail: { anew: true } } as unknown as Decision);
  if (!openAtBegin) holdings.wrote(order);
  books.executed.set('q', {
    side: 'buy',
    size: String(size),
    value: String(price * size),
    price: String(price),
    fee: String(lost),
    feeCcy: 'usd',
  } as ServiceFill);
  order.isSettled = true;
  const why = 'lost 6 usd since trading went on within this day; risk.maxDayLoss is 5 usd';
  watch.committed({ kind: 'reducing', reason: 'MAX_DAY_LOSS', detail: { why } } as unknown as Decision);
  expect(found).toHaveLength(expected);
});

/** A journal with one run, and rows of it: kind, order and detail. */
function journalOf(rows: readonly (readonly [kind: string, order: string, detail: object])[], product = 'ethusd'): JournalEye {
  const folder = newFolder();
  const file = path.join(folder, 'kairos.db');
  const database = new Database(file);
  database.exec(`CREATE TABLE runs (run_id, config_json, end_state); CREATE TABLE orders (order_id, state, product, settled_at, response);
    CREATE TABLE ledger (entry_id, order_id, book, product, kind, currency, amount);
    CREATE TABLE decisions (seq INTEGER PRIMARY KEY, run_id, at, kind, strategy, product, reason, order_id, detail)`);
  const value = { byCurrency: { usd: '2000' } };
  const risk = {
    ...{
      maxOrderValue: value,
      maxDayValue: 'off',
      maxPositionValue: value,
      maxStrategyValue: 'off',
      maxTotalValue: 'off',
      maxExitValue: 'off',
    },
    ...{ maxOrdersPerMinute: 30, maxOrdersPerMinuteOfStrategy: 'off', maxOrdersPerMinuteOfProduct: 'off', maxUnknown: 1 },
    ...{ maxRejectionStreak: 5, duplicateWindowMs: 'off', reducing: { orderSharePct: 20 } },
  };
  const strategies = [{ id: 's0', product: 'ethusd', budget: { usd: '6000' }, inputs: {}, exits: null }];
  const settings = { account: { allowShort: [] }, trading: { arming: { arm: 'manual', rearmAfterMs: null } }, risk, strategies };
  database.prepare('INSERT INTO runs VALUES (?, ?, NULL)').run('run', JSON.stringify(settings));
  const write = database.prepare(
    "INSERT INTO decisions (run_id, at, kind, strategy, product, order_id, detail) VALUES ('run', ?, ?, 's0', 'ethusd', ?, ?)",
  );
  for (const [at, [kind, order, detail]] of rows.entries())
    write.run(new Date(at * 1_000).toISOString(), kind, order, JSON.stringify(detail));
  for (const id of new Set(rows.map(([, order]) => order)))
    database
      .prepare('INSERT INTO orders VALUES (?, ?, ?, NULL, NULL)')
      .run(id, rows.findLast((row) => row[1] === id)?.[0] === 'unknown' ? 'unknown' : 'intent', product);
  database.close();
  const eye = new JournalEye(file);
  onTestFinished(() => {
    eye.close();
  });
  return eye;
}

/** The rows of an opening of 0.5 at 2000 that is held against these figures. */
function opening(id: string, { minute, exposure }: { readonly minute: number; readonly exposure: number }) {
  const order = { side: 'buy', baseCcy: 'eth', quoteCcy: 'usd', price: '2000', size: '0.5', value: '1000', fee: '1', feeCcy: 'usd' };
  const checks = [
    ['SIZE_LIMITS', '0.5', '0.001'],
    ...[
      ['MAX_ORDER_VALUE', '1000', '2000', true, 'usd'],
      ['MAX_POSITION_VALUE', String(exposure), '2000', true, 'usd'],
    ],
    ...[
      ['MAX_ORDERS_PER_MINUTE', minute, 24],
      ['BUDGET', '1001', '6000', true, 'usd'],
      ['UNKNOWN_BUDGET', 0, 1],
    ],
    ['INSUFFICIENT_FUNDS', '1001', String(250_000 - 1_001 * (minute - 1)), true, 'usd'],
  ];
  return [
    ['intent', id, { side: 'buy', wants: '0.5 base', quote: { buy: 2_000, sell: 1_999 } }],
    ['approved', id, { order, checks }],
  ] as const;
}

test.each([
  ['all figures as they are', [...opening('1-1', { minute: 1, exposure: 1_000 })], undefined],
  [
    'an order too few in the minute',
    [...opening('1-1', { minute: 0, exposure: 1_000 })],
    /MAX_ORDERS_PER_MINUTE at 0, limit 24; reckoned are 1/,
  ],
  ['a position too small', [...opening('1-1', { minute: 1, exposure: 500 })], /MAX_POSITION_VALUE at 500, limit 2000; reckoned are 1000/],
  [
    'an opening beside an order of unknown outcome',
    [
      ...opening('1-1', { minute: 1, exposure: 1_000 }),
      ['unknown', '1-1', { body: '' }],
      ...opening('2-1', { minute: 2, exposure: 2_000 }),
    ],
    /permitted while an order of ethusd is unknown/,
  ],
] as const)('figures that an order was held against are reckoned from the rows: %s', (_what, rows, expected) => {
  const found: string[] = [];
  checkFigures(journalOf(rows), scene(), (_invariant, what) => void found.push(what));
  if (expected === undefined) expect(found).toEqual([]);
  else expect(found.join('; ')).toMatch(expected);
});

test.each([
  ['over dust', '0.6', 2],
  ['beside a part that is still held', '0.4', 0],
])('a position that is bought %s is opened then, or was before, for executions as for rows (I07b)', (_what, last, openedAt) => {
  const executed = new Map<string, ServiceFill>();
  let now = 0;
  const holdings = new ServiceHoldings({ executed } as never, () => now);
  let folded = FLAT;
  for (const [at, [side, size]] of (
    [
      ['buy', '1'],
      ['sell', '0.9'],
      ['buy', last],
    ] as const
  ).entries()) {
    now = at;
    const quoteId = String(at);
    const row = { product: 'ethusd', strategy: 's0' };
    holdings.wrote({ quoteId, side, row, quote: { baseCcy: 'eth', [side]: {} }, isSettled: true } as never);
    const fill = { side, size, price: '100', value: '100', fee: '0', feeCcy: 'usd' };
    executed.set(quoteId, fill as ServiceFill);
    const figures = { side, baseCcy: 'eth', quoteCcy: 'usd', feeCcy: 'usd', price: 100, size: Number(size), value: 100, fee: 0 };
    folded = after(folded, figures as never, at);
    holdings.position('ethusd', 's0');
  }
  expect([holdings.of('ethusd', 's0').openedAt, folded.openedAt]).toEqual([openedAt, openedAt]);
});
