import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, type Started, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

/** The file that the command loads as rxjs: no rule lets a strategy take a scheduler from it. */
const RXJS = JSON.stringify(path.join(ROOT, 'node_modules/rxjs/dist/bundles/rxjs.umd.js'));

/** A strategy that holds at every quote and does `slip` at the third; `world` is what a package gives it, which no rule holds. */
const module_ = (slip: string, every = '') => `import { Decimal, hold, sma, strategy } from 'kairos/strategy'; import * as rx from 'rxjs';
import world from 'world';
const kept = [];
let quotes = 0;
export default strategy({
  name: 'slip',
  signals: ({ quotes$ }) => quotes$,
  decide: () => {
    quotes += 1;
    ${every}
    if (quotes === 3) { ${slip} }
    return hold('waits');
  },
});
`;

const configOf = (ids: readonly string[]): string => `strategies:
${ids.map((id) => `  - { id: ${id}, use: ./${id}.ts, product: btcusd, amount: { base: 0.01 } }\n`).join('')}
  - { id: keep, use: buy-and-hold, product: ethusd, amount: { base: 0.1 } }
venue: { quotesPerSecond: 10 }
`;

async function start(sources: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Started> {
  folder = new DaemonFolder('hostile strategies');
  folder.giveWorld();
  folder.write('kairos.yaml', configOf(Object.keys(sources)));
  for (const [id, source] of Object.entries(sources)) folder.write(`${id}.ts`, source);
  const daemon = startKairos(['run', ...words], { cwd: folder.path });
  await daemon.says(/PAPER/);
  return daemon;
}

const rows = (kind: string) =>
  folder.rows<{ strategy: string; reason: string; detail: string }>(
    `SELECT strategy, reason, detail FROM decisions WHERE kind = '${kind}' ORDER BY rowid`,
  );

/** What each did ended it alone: the other trades, nothing is halted, and the run is played again to the same rows. */
async function endAlone(daemon: Started, ends: Readonly<Record<string, readonly [reason: string, why: RegExp]>>): Promise<void> {
  const wanted = Object.keys(ends);
  const disabled = await daemon.until('all disabled', () => (rows('disabled').length >= wanted.length ? rows('disabled') : undefined));
  expect(disabled.map(({ strategy }) => strategy).sort()).toEqual([...wanted].sort());
  for (const { strategy, reason, detail } of disabled) {
    expect([strategy, reason]).toEqual([strategy, ends[strategy]?.[0]]);
    expect(detail).toMatch(ends[strategy]?.[1] ?? /^never$/);
  }
  await daemon.until('a fill of the other', () => folder.rows("SELECT 1 FROM orders WHERE state = 'accepted'")[0]);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(rows('halted')).toEqual([]);
  expect(rows('disabled')).toHaveLength(wanted.length);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
  const parity = await runKairos(['parity', 'last'], { cwd: folder.path });
  expect(parity.stdout + parity.stderr).toMatch(/equal|same/);
  expect(parity.code).toBe(0);
}

const BUSY = 'const from = world.performance.now(); while (world.performance.now() - from < 600);';
const SLIPS: Readonly<Record<string, readonly [source: string, reason: string, why: RegExp]>> = {
  promise: [
    module_("void world.Promise.reject(new Error('left alone'));"),
    'STRATEGY_UNCAUGHT',
    /promise\.ts:11:\d+: left alone \(in a promise/,
  ],
  timer: [
    module_("world.setTimeout(() => { throw new Error('late'); }, 5);"),
    'STRATEGY_UNCAUGHT',
    /timer\.ts:11:\d+: late \(thrown where/,
  ],
  text: [module_("world.setTimeout(() => { throw 'a text'; }, 5);"), 'STRATEGY_UNCAUGHT', /text\.ts:11:\d+: a text \(thrown where/],
  abort: [
    module_('world.setTimeout(() => world.process.abort(), 5);'),
    'STRATEGY_UNCAUGHT',
    /abort\.ts:11:\d+: process\.abort is not for strategies/,
  ],
  exit: [module_('', 'world.process.exit(0);'), 'STRATEGY_DISABLED', /exit\.ts:10:\d+: process\.exit is not for strategies/],
  list: [
    module_('', "Array.prototype.push = () => { throw new Error('nothing is pushed'); };"),
    'STRATEGY_DISABLED',
    /list\.ts:10:\d+: Cannot assign to read only property 'push'/,
  ],
  map: [module_('', 'world.Map = class {};'), 'STRATEGY_DISABLED', /map\.ts:10:\d+: Cannot assign to read only property 'Map'/],
  decimal: [
    module_('', 'Decimal.prototype.plus = () => 0;'),
    'STRATEGY_DISABLED',
    /decimal\.ts:10:\d+: Cannot assign to read only property 'plus'/,
  ],
  kernel: [
    module_('', 'Object.getPrototypeOf(sma(2).kernel()).next = () => 0;'),
    'STRATEGY_DISABLED',
    /kernel\.ts:10:\d+: Cannot assign to read only property 'next'/,
  ],
  scheduler: [
    module_('', `world.process.getBuiltinModule('node:module').createRequire(${RXJS})(${RXJS}).asyncScheduler.now = () => 0;`),
    'STRATEGY_DISABLED',
    /scheduler\.ts:10:\d+: Cannot assign to read only property 'now'/,
  ],
  slow: [module_('', BUSY), 'STRATEGY_SLOW', /took \d{3,} ms at one event, the fifth time within a minute/],
};

test('F61 F69 F72 I28: who leaves a throw behind, ends the process, changes what all share or is slow is disabled; nothing else notices', async () => {
  const daemon = await start(Object.fromEntries(Object.entries(SLIPS).map(([id, [source]]) => [id, source])));
  await endAlone(daemon, Object.fromEntries(Object.entries(SLIPS).map(([id, [, ...end]]) => [id, end])));
  const { stdout, stderr } = await daemon.ended;
  expect(stdout + stderr).toMatch(/strategy slow: it took \d{3,} ms at one event, the third time/);
  folder.write('kairos.yaml', configOf(['promise']));
  const backtest = await runKairos(['backtest', '--data', 'last'], { cwd: folder.path });
  expect(backtest.code).toBe(5);
  expect(backtest.stderr).toMatch(/^kairos: promise\.ts:11:\d+: .* \(caught nowhere/m);
});

test('F70: a strategy that keeps 20 MB a quote is named and disabled', async () => {
  // On a busy machine so much memory takes its time as well.
  const daemon = await start({ slip: module_('', 'kept.push(new Uint8Array(20_000_000).fill(1));') }, '--set', 'trading.maxStrategyMs=off');
  await endAlone(daemon, {
    slip: ['STRATEGY_MEMORY', /MB of memory are in use, above trading\.maxMemoryMb \(400\), and \d+ MB were added while it ran/],
  });
});

test('F70: memory that grows where no strategy can be blamed ends the process so that it is restarted; nothing is halted, nor said to be', async () => {
  const grow = 'world.setInterval(() => kept.push(new world.Uint8Array(30_000_000).fill(1)), 20);';
  const daemon = await start({ slip: module_(grow) });
  const { code, stdout, stderr } = await daemon.ended;
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/MB of memory are in use/);
  expect(stdout + stderr).not.toMatch(/HALTED/);
  expect(rows('halted')).toEqual([]);
  expect(folder.rows('SELECT end_state AS ended FROM runs')).toEqual([{ ended: 'crashed' }]);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
});

test('F72: an end that a strategy holds up is cut by the watchdog, and the next start says so', async () => {
  const daemon = await start({
    slip: module_(
      'world.process.on("exit", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)); world.console.log("held up");',
    ),
  });
  await daemon.says(/held up/);
  daemon.signal('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  const next = startKairos(['run'], { cwd: folder.path });
  await next.says(/the watchdog ended the process, since its end hung/);
});
