import { afterEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, type Started, startKairos } from '../support/process.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

const CONFIG = `strategies:
  - { id: slip, use: ./slip.ts, product: btcusd, amount: { base: 0.01 } }
  - { id: keep, use: buy-and-hold, product: ethusd, amount: { base: 0.1 } }
venue: { quotesPerSecond: 10 }
`;

/** A strategy that holds at every quote and does `slip` at the third; \`world\` is what it should not reach. */
const module_ = (slip: string, every = '') => `import { hold, strategy } from 'kairos/strategy';
const world = global;
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

async function start(source: string, config = CONFIG): Promise<Started> {
  folder = new DaemonFolder('hostile strategies');
  folder.write('kairos.yaml', config);
  folder.write('slip.ts', source);
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.until('banner', () => (daemon.stdout.includes('PAPER') ? true : undefined));
  return daemon;
}

const rows = (kind: string) =>
  folder.rows<{ strategy: string; reason: string; detail: string }>(
    `SELECT strategy, reason, detail FROM decisions WHERE kind = '${kind}' ORDER BY rowid`,
  );

/** What it did ended it alone: the other trades, nothing is halted, and the run is played again to the same rows. */
async function endsAlone(daemon: Started, reason: string, why: RegExp): Promise<void> {
  const disabled = await daemon.until('a disabled strategy', () => rows('disabled')[0], 30_000);
  expect(disabled).toMatchObject({ strategy: 'slip', reason });
  expect(disabled.detail).toMatch(why);
  await daemon.until('a fill of the other', () => folder.rows("SELECT 1 FROM orders WHERE state = 'accepted'")[0], 30_000);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(rows('halted')).toEqual([]);
  expect(rows('disabled')).toHaveLength(1);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
  const parity = await runKairos(['parity', 'last'], { cwd: folder.path });
  expect(parity.stdout + parity.stderr).toMatch(/equal|same/);
  expect(parity.code).toBe(0);
}

test.for([
  ['a promise that it left rejected', "void world.Promise.reject(new Error('left alone'));", /slip\.ts:11:\d+: left alone \(in a promise/],
  ['a throw in a timer of its own', "world.setTimeout(() => { throw new Error('late'); }, 5);", /slip\.ts:11:\d+: late \(thrown where/],
  [
    'what is no error, thrown in a timer of its own',
    "world.setTimeout(() => { throw 'a text'; }, 5);",
    /slip\.ts:11:\d+: a text \(thrown where/,
  ],
] as const)(
  'F61 I28: %s disables the strategy with the line that it came from; nothing else notices',
  { timeout: 120_000 },
  async ([, slip, why]) => {
    await endsAlone(await start(module_(slip)), 'STRATEGY_UNCAUGHT', why);
    const backtest = await runKairos(['backtest', '--data', 'last'], { cwd: folder.path });
    expect(backtest.code).toBe(5);
    expect(backtest.stderr).toMatch(/^kairos: slip\.ts:11:\d+: .* \(caught nowhere/m);
  },
);

test('F61: process.exit of a strategy ends nothing: it is thrown at it, and three in a row disable it', { timeout: 120_000 }, async () => {
  const daemon = await start(module_('', 'world.process.exit(0);'));
  await endsAlone(daemon, 'STRATEGY_DISABLED', /slip\.ts:10:\d+: process\.exit is not for strategies/);
});

test('F61: process.abort in a timer ends nothing, and disables it', { timeout: 120_000 }, async () => {
  const daemon = await start(module_('world.setTimeout(() => world.process.abort(), 5);'));
  await endsAlone(daemon, 'STRATEGY_UNCAUGHT', /slip\.ts:11:\d+: process\.abort is not for strategies/);
});

test('F69: a strategy that works 600 ms at every quote is named, then disabled before the watchdog must', {
  timeout: 120_000,
}, async () => {
  const busy = 'const from = world.performance.now(); while (world.performance.now() - from < 600);';
  const daemon = await start(module_('', busy));
  await endsAlone(daemon, 'STRATEGY_SLOW', /took 6\d\d ms at one event, the fifth time within a minute/);
  expect(daemon.stdout + daemon.stderr).toMatch(/strategy slip: it took 6\d\d ms at one event, the third time/);
});

test('F70: a strategy that keeps 20 MB a quote is named and disabled', { timeout: 120_000 }, async () => {
  const daemon = await start(module_('', 'kept.push(new Uint8Array(20_000_000).fill(1));'));
  await endsAlone(
    daemon,
    'STRATEGY_MEMORY',
    /MB of memory are in use, above trading\.maxMemoryMb \(400\), and \d+ MB were added while it ran/,
  );
});

test('F70: memory that grows where no strategy can be blamed ends the process with 4, and says so; nothing is halted', {
  timeout: 120_000,
}, async () => {
  const grow = 'world.setInterval(() => kept.push(new world.Uint8Array(30_000_000).fill(1)), 20);';
  const daemon = await start(module_(grow));
  const { code, stdout, stderr } = await daemon.ended;
  expect(code).toBe(4);
  expect(stdout + stderr).toMatch(/MB of memory are in use/);
  expect(rows('halted')).toEqual([]);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
});

test.for([
  ['Array.prototype.push', "world.Array.prototype.push = () => { throw new Error('nothing is pushed'); };"],
  ['Map.prototype.get', "world.Map.prototype.get = () => { throw new Error('nothing is found'); };"],
  ['Array.prototype.Symbol(Symbol.iterator)', 'world.Array.prototype[world.Symbol.iterator] = () => { throw null; };'],
] as const)(
  'F72: where a strategy changes %s the process goes on without it, or ends halted; it hangs never',
  {
    timeout: 120_000,
  },
  async ([name, slip]) => {
    const daemon = await start(module_(slip));
    await daemon.until('end or a disabled strategy', () => (rows('disabled').length + rows('halted').length > 0 ? true : undefined));
    if (rows('halted').length === 0) daemon.signal('SIGTERM');
    const { code, stdout } = await daemon.ended;
    expect(code).toBe(rows('halted').length);
    expect(stdout).toContain(`something changes ${name}`);
    expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
  },
);

test('F72: an end that a strategy holds up is cut by the watchdog, and the next start says so', { timeout: 120_000 }, async () => {
  const daemon = await start(module_("world.process.on('exit', () => { for (;;); }); world.console.log('held up');"));
  await daemon.until('third quote', () => (daemon.stdout.includes('held up') ? true : undefined));
  daemon.signal('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  const next = startKairos(['run'], { cwd: folder.path });
  await next.until('why', () => (next.stdout.includes('the watchdog ended the process, since its end hung') ? true : undefined));
});

test('F72: a module that changes what everybody uses does not start, by file and name', { timeout: 120_000 }, async () => {
  folder = new DaemonFolder('hostile strategies');
  folder.write('kairos.yaml', CONFIG);
  folder.write('slip.ts', `Array.prototype.map = function () { return []; };\n${module_('')}`);
  const { code, stderr } = await runKairos(['run'], { cwd: folder.path });
  expect(code).toBe(2);
  expect(stderr).toMatch(/slip\.ts: changes Array\.prototype\.map/);
});
