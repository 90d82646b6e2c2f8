import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import type { PreviousRun } from '#daemon/run/opening.ts';
import { rotateWhenDue, watchRotation } from '#daemon/run/rotation.ts';
import { runId } from '#domain/names.ts';
import { startVenue } from '#paper-venue/venue.ts';
import {
  accepted,
  begin,
  begun,
  folder,
  openJournal,
  orderFacts,
  permits,
  RUN,
  START,
  sent,
  unknown,
} from '../../adapters/journal/rows.ts';
import { rowsOf } from '../../support/books.ts';
import { rigsOfTests } from '../../support/rigs.ts';
import { eager } from '../../support/strategies.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { settle, step } from '../../support/virtual-wire.ts';

const rig = rigsOfTests();

const BACKUP = { dir: null, everyMs: null, keep: 1 };

async function startOn(file: string, decisions: number | null, { keepDays = 0, at = START, book = 'paper' } = {}) {
  const told: string[] = [];
  const notice = (level: string, text: string) => void told.push(`${level}: ${text}`);
  const rotate = { decisions, monthly: false, keepDays, at: null };
  await rotateWhenDue({ path: file, backup: BACKUP, rotate }, { book, now: at, notice });
  return told;
}

const archives = (file: string): readonly string[] => readdirSync(path.dirname(file)).filter((name) => name.includes('.archive-'));

test('a start rotates a journal that has enough decisions, once, and tells where they are', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  for (let n = 1; n <= 50; n += 1) journal.commit([...permits(orderFacts(n)), sent(orderFacts(n)), accepted(orderFacts(n))]);
  journal.end(RUN, 'stopped');
  journal.close();
  expect(await startOn(file, null)).toEqual([]);
  expect(await startOn(file, 201)).toEqual([]);
  expect(archives(file)).toEqual([]);
  const [told] = await startOn(file, 200);
  expect(told).toMatch(/^info: \d+ decisions of earlier runs are in .*kairos\.db\.archive-200 from now on$/);
  expect(await startOn(file, 200)).toEqual([]);
  expect(archives(file)).toEqual(['kairos.db.archive-200']);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 200, orders: 50 });
});

test('a start removes archives older than journal.rotate.keepDays, but not the newest, none of another book, none by a clock that is ahead, and tells it', async () => {
  const file = path.join(folder(), 'kairos.db');
  const day = 86_400_000;
  const run = (n: number, at: number) => {
    const journal = openJournal(file);
    const order = orderFacts(n, { intentAt: at });
    begin(journal, runId(`r${n}`), at);
    journal.commit([...permits(order), sent(order), accepted(order)]);
    journal.end(runId(`r${n}`), 'stopped');
    journal.close();
  };
  for (const n of [1, 2]) {
    run(n, START + n * day);
    await startOn(file, 1, { at: START + n * day });
  }
  expect(await startOn(file, null, { keepDays: 9, at: START + 9999 * day })).toEqual([]);
  run(3, START + 20 * day);
  expect(await startOn(file, null, { keepDays: 9, at: START + 10 * day })).toEqual([]);
  expect(await startOn(file, 1, { keepDays: 9, at: START + 20 * day, book: 'live:ann' })).toEqual([
    expect.stringMatching(/^warn: rotation of the journal: journal .* belongs to the book "paper", this run to "live:ann"/),
  ]);
  expect(archives(file)).toEqual(['kairos.db.archive-4', 'kairos.db.archive-8']);
  expect(await startOn(file, null, { keepDays: 9, at: START + 20 * day })).toEqual([
    expect.stringMatching(/^info: archive .*archive-4 is removed: .*\(9\)/),
  ]);
  expect(archives(file)).toEqual(['kairos.db.archive-8']);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 12, orders: 3 });
});

test('an order of unknown outcome puts it off, which is told, and the run begins', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), unknown(order)]);
  journal.close();
  expect(await startOn(file, 4)).toEqual([expect.stringMatching(/^warn: rotation of the journal: 1 orders have no outcome yet/)]);
  expect(archives(file)).toEqual([]);
  expect(verifyJournal(file)).toMatchObject({ ok: true });
});

test('a daemon looks at the times of journal.rotate.at alone, waits for a quiet moment, which it tells once, and asks once', () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  journal.commit(permits(orderFacts(1)));
  const timers = new VirtualTimers(START);
  const told: string[] = [];
  const waits: (string | undefined)[] = ['order 7-1 is unknown', 'order 7-1 is unknown', undefined];
  let asked = 0;
  const watched = (decisions: number | null, at: string | null) =>
    watchRotation(
      { path: file, backup: BACKUP, rotate: { decisions, monthly: false, keepDays: 0, at } },
      {
        timers,
        notice: (level, text) => told.push(`${level}: ${text}`),
        underWay: () => waits.shift(),
        onDue: () => {
          asked += 1;
        },
      },
    );
  const others = [watched(null, '* * * * *'), watched(1000, '* * * * *'), watched(1, null)];
  watched(1, '5 3 * * *');
  timers.advance(299_000);
  expect(waits).toHaveLength(3);
  timers.advance(1000);
  expect(waits).toHaveLength(2);
  timers.advance(1000);
  expect(asked).toBe(0);
  timers.advance(1000);
  expect(asked).toBe(1);
  for (const stop of others) stop();
  timers.advance(86_400_000);
  expect(asked).toBe(1);
  expect(told).toEqual(['info: journal.rotate is due, and waits for a quiet moment: order 7-1 is unknown']);
});

test('an order that is on its way or of unknown outcome is no quiet moment', () => {
  const r = rig({ strategies: { s: eager } });
  expect(r.engine.underWay).toBeUndefined();
  r.price();
  const { id } = r.last;
  expect(r.engine.underWay).toBe(`order ${id} is intent`);
  r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  expect(r.engine.underWay).toBe(`order ${id} is unknown`);
  r.give({ kind: 'command', command: { act: 'halt', who: 'ann', why: 'lunch' } });
  expect(r.engine.underWay).toBe(`order ${id} is unknown`);
});

const PULSE = `import { buy, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'pulse',
  signals: ({ every }) => every(200),
  decide: (_count, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

test('a daemon whose journal is due ends its run with no order open; the next one rotates and holds what it held, and a halt in between stands', async () => {
  const place = folder();
  mkdirSync(path.join(place, 'strategies'));
  writeFileSync(path.join(place, 'strategies', 'pulse.ts'), PULSE);
  const yaml = path.join(place, 'kairos.yaml');
  const file = path.join(place, 'kairos.db');
  writeFileSync(
    yaml,
    `journal: { path: ${file}, rotate: { at: '* * * * * *' } }
recording: { enabled: false }
risk: { duplicateWindowMs: off, maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxDayLoss: off, maxDrawdownPct: off }
strategies: [{ id: pulse, use: pulse, product: btcusd, amount: { base: 0.01 } }]
venue: { database: ${path.join(place, 'venue.db')}, quotesPerSecond: 4, answerDelayMs: [0, 60] }
`,
  );
  const load = (set: readonly string[]) => loadConfig({ files: [yaml], set, env: {}, cwd: place, live: false, isVenue: true });
  const timers = new VirtualTimers();
  const venue = await startVenue(load([]).settings.venue, timers);
  const loaded = load([`service.baseUrl=http://127.0.0.1:${venue.port}`]);
  const { settings } = loaded;
  const { journal } = settings;
  // Settings take no number so small.
  const config = { ...loaded, settings: { ...settings, journal: { ...journal, rotate: { ...journal.rotate, decisions: 60 } } } };
  const notices: string[] = [];
  let due = 0;
  const start = (taken?: PreviousRun) =>
    settle(
      timers,
      Daemon.start({
        config,
        strategyFolders: { cwd: place, packaged: PACKAGED_STRATEGIES },
        timers,
        ...(taken && { taken }),
        notice: (level, text) => notices.push(`${level}: ${text}`),
        onFault: (error) => {
          throw error;
        },
        onRotationDue: () => {
          due += 1;
          running = first.handOver('kairos', 'journal.rotate');
        },
      }),
    );
  let running: Promise<PreviousRun> | undefined;
  const first = await start();
  const orders = (where: string) => rowsOf<{ order_id: string }>(file, `SELECT order_id FROM orders WHERE ${where}`).length;
  const held = (daemon: Daemon) => daemon.inspect().strategies.map(({ id, position }) => ({ id, position }));
  try {
    while (!running) await step(timers);
    const second = await start(await settle(timers, running));
    expect(held(second)).toEqual(held(first));
    expect(archives(file)).toHaveLength(1);
    expect(notices).toContainEqual(expect.stringMatching(/^info: \d+ decisions of earlier runs are in .*archive-\d+ from now on$/));
    expect(orders("state <> 'accepted'")).toBe(0);
    const before = orders("state = 'accepted'");
    expect(before).toBeGreaterThan(10);
    while (orders("state = 'accepted'") < before + 2) await step(timers);
    const left = await settle(timers, second.handOver('ann', 'another try'));
    second.halt({ who: 'SIGUSR2', why: 'a signal asked for it' });
    const third = await start(left);
    expect(third.inspect()).toMatchObject({ halted: true, strategies: held(second) });
    await settle(timers, third.stop('ann', 'seen enough'));
    expect(due).toBe(1);
  } finally {
    await settle(timers, venue.close());
  }
  expect(rowsOf(file, "SELECT json_extract(detail, '$.who') AS who FROM decisions WHERE kind = 'halted'")).toEqual([{ who: 'SIGUSR2' }]);
  expect(rowsOf(file, 'SELECT end_state FROM runs ORDER BY rowid')).toEqual(
    ['stopped', 'stopped', 'halted'].map((end) => ({ end_state: end })),
  );
  expect(verifyJournal(file)).toMatchObject({ ok: true });
});

test('a run does not end for a rotation shortly before a line of the schedule, which would be late after it', async () => {
  const place = folder();
  const yaml = path.join(place, 'kairos.yaml');
  writeFileSync(
    yaml,
    `journal: { path: ${path.join(place, 'kairos.db')}, rotate: { at: '45 * * * * *' } }
recording: { enabled: false }
strategies: [{ id: hold, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]
schedule: [{ name: home, cron: '* * * * *', action: bot.pause }]
venue: { database: ':memory:', quotesPerSecond: 4 }
`,
  );
  const timers = new VirtualTimers();
  const loaded = loadConfig({ files: [yaml], env: {}, cwd: place, live: false, isVenue: true });
  const { journal } = loaded.settings;
  const notices: string[] = [];
  let dueAt: number | undefined;
  const daemon = await settle(
    timers,
    Daemon.start({
      // Settings take no number so small.
      config: { ...loaded, settings: { ...loaded.settings, journal: { ...journal, rotate: { ...journal.rotate, decisions: 1 } } } },
      strategyFolders: { cwd: place, packaged: PACKAGED_STRATEGIES },
      timers,
      notice: (_level, text) => notices.push(text),
      onFault: (error) => {
        throw error;
      },
      onRotationDue: () => {
        dueAt ??= timers.wallMs();
      },
    }),
  );
  while (dueAt === undefined) await step(timers);
  expect(dueAt % 60_000).toBeLessThan(30_000);
  expect(notices).toContainEqual(
    expect.stringMatching(/^journal\.rotate is due, and waits for a quiet moment: schedule home is due at \S+:00\.000Z$/),
  );
  await settle(timers, daemon.stop('ann', 'seen enough'));
});
