import { existsSync, rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { controlFiles, writeHalt } from '#adapters/journal/control-files.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { ordersOf } from '../../support/eager-daemon.ts';
import { endAll, runKairos, startKairos } from '../../support/process.ts';

/** Holds up the loop inside one call from when it has written a file until there is another, then wants to buy. */
const STUCK = `import { buy, hold, strategy } from 'kairos/strategy';
import { scan } from 'rxjs';
import world from 'world';
const fs = world.process.getBuiltinModule('fs');
const cell = new Int32Array(new SharedArrayBuffer(4));
export default strategy({
  name: 'stuck',
  signals: ({ quotes$ }) => quotes$.pipe(scan((n) => n + 1, 0)),
  decide: (n, { amount }) => {
    if (n === 5) return hold('next time');
    if (n !== 6) return undefined;
    fs.writeFileSync('stuck', '');
    while (!fs.existsSync('goes-on')) Atomics.wait(cell, 0, 0, 10);
    return buy(amount, 'after a long thought');
  },
});
`;

/** Comes to no end once there is a file. */
const LOOP = `import { strategy } from 'kairos/strategy';
import world from 'world';
const fs = world.process.getBuiltinModule('fs');
export default strategy({
  name: 'loop',
  signals: ({ quotes$ }) => quotes$,
  decide: () => {
    while (fs.existsSync('loop'));
    return undefined;
  },
});
`;

/** Trades while there is no file. */
const IN_AND_OUT = `import { buy, hold, sell, strategy } from 'kairos/strategy';
import world from 'world';
const fs = world.process.getBuiltinModule('fs');
const trade = (position, amount) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out'));
export default strategy({
  name: 'in-and-out',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (fs.existsSync('rest') ? hold('rests') : trade(position, amount)),
});
`;

const config = (...uses: readonly string[]) =>
  `strategies:\n${uses.map((use) => `  - { id: ${use}, use: ./${use}.ts, product: btcusd, amount: { base: 0.01 } }\n`).join('')}`;

interface Row {
  readonly run_id: string;
  readonly seq: number;
  readonly kind: string;
  readonly strategy: string | null;
  readonly reason: string | null;
  readonly detail: string;
}

const ROWS = 'SELECT run_id, seq, kind, strategy, reason, detail FROM decisions ORDER BY seq';

let folder: DaemonFolder;
function folderWith(name: string, modules: Readonly<Record<string, string>>): DaemonFolder {
  folder = new DaemonFolder(name);
  folder.giveWorld();
  for (const [module, text] of Object.entries(modules)) folder.write(`${module}.ts`, text);
  folder.write('kairos.yaml', config(...Object.keys(modules)));
  return folder;
}

afterEach(async () => {
  await endAll();
  folder.remove();
});

test('I07 I08 F20 F75: with the loop held up by a strategy, a file shuts the gate before the order that follows', async () => {
  const { journal } = folderWith('halt', { stuck: STUCK });
  const files = controlFiles(journal);
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.until('word of the strategy', () => folder.files().includes('stuck') || undefined);
  writeHalt(files.halt, { who: 'ann', why: 'prices look wrong' }, Date.now());
  await daemon.until('receipt of the watchdog', () => (existsSync(files.halted) ? true : undefined));
  expect(folder.rows<Row>(ROWS).map(({ kind }) => kind)).not.toContain('halted');
  folder.write('goes-on', '');
  await daemon.until('journaled halt', () => folder.rows<Row>(ROWS).find(({ kind }) => kind === 'halted'));
  daemon.signal('SIGUSR2');
  daemon.signal('SIGINT');
  expect((await daemon.ended).code).toBe(0);
  const told = folder.rows<Row>(ROWS).map(({ kind, reason }) => `${kind} ${reason}`);
  expect(told.filter((row) => /^(sent|accepted) /.test(row))).toEqual([]);
  // A loop that was late before has nothing approved.
  expect(told.some((row) => ['not_sent GATE_HALTED', 'refused LAG'].includes(row))).toBe(true);
  expect(told).toContain('halted BY_PERSON');
  // The signal may be journaled as well: it comes over a standing halt.
  const halts = folder.rows<Row>(ROWS).flatMap(({ kind, detail }) => (kind === 'halted' ? [JSON.parse(detail)] : []));
  expect(halts.filter(({ who, why }) => who === 'ann' && why === 'prices look wrong')).toHaveLength(1);
  expect(folder.runs()).toMatchObject([{ end_state: 'halted' }]);
});

test('F69 L8: an endless loop ends the process; the restart runs without that strategy, and the others trade', async () => {
  folderWith('loop', { loop: LOOP, 'in-and-out': IN_AND_OUT });
  const first = startKairos(['run'], { cwd: folder.path });
  await first.until('first order', () => folder.accepted());
  // No order is on its way when the loop begins.
  folder.write('rest', '');
  await first.until('rest', () => folder.rows<Row>(ROWS).find(({ kind }) => kind === 'hold'));
  await first.until(
    'answer to each order',
    () => Object.keys(ordersOf(folder)).every((state) => !/^(intent|sent)$/.test(state)) || undefined,
  );
  folder.write('loop', '');
  const ended = await first.ended;
  rmSync(`${folder.path}/rest`);
  expect(ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  const seen = folder.rows<Row>(ROWS).length;

  const second = startKairos(['run'], { cwd: folder.path });
  const after = () => folder.rows<Row>(ROWS).slice(seen);
  await second.until('trade of the others', () => after().find(({ kind }) => kind === 'accepted'));
  const [started, disabled] = after().filter(({ kind }) => kind !== 'booked');
  expect([started?.kind, disabled?.kind]).toEqual(['started', 'disabled']);
  expect(disabled).toMatchObject({ strategy: 'loop', reason: 'STALLED' });
  expect(JSON.parse(disabled?.detail ?? '')).toEqual({
    who: 'watchdog',
    why: 'the watchdog ended the process after 3 s of standstill in its code',
  });
  expect(folder.rows<Row>(ROWS).filter(({ kind }) => kind === 'unknown')).toEqual([]);
  expect(existsSync(controlFiles(folder.journal).stall)).toBe(false);
  second.signal('SIGINT');
  expect((await second.ended).code).toBe(0);
});

/** Waits without a turn of the processor: `LOOP` takes all of it. */
const ENDLESS = `import { hold, strategy } from 'kairos/strategy';
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
export default strategy({ name: 'endless', signals: ({ quotes$ }) => quotes$, decide: () => hold('never') });
`;

test('F69 a module that never comes back from being loaded: the process is ended, and goes on without it until a person enables it', async () => {
  folderWith('endless', { endless: ENDLESS, 'in-and-out': IN_AND_OUT });
  const cwd = folder.path;
  const rows = (kind: string) => folder.rows<Row>(ROWS).filter((row) => row.kind === kind && row.strategy === 'endless');
  const first = startKairos(['run'], { cwd });
  expect((await first.ended).signal).toBe('SIGKILL');
  expect(folder.accepted()).toBeUndefined();

  const second = startKairos(['run'], { cwd });
  await second.until('order of the other strategy', () => folder.accepted());
  expect(rows('disabled')).toMatchObject([{ reason: 'STALLED', detail: expect.stringContaining('while its module was loaded') }]);
  expect(rows('hold')).toEqual([]);
  second.signal('SIGINT');
  expect((await second.ended).code).toBe(0);

  // Still left out: the journal knows, although the watchdog's file is gone.
  const third = startKairos(['run'], { cwd });
  await third.says(/recording/);
  third.signal('SIGINT');
  expect((await third.ended).code).toBe(0);

  folder.write('endless.ts', ENDLESS.replace(/^Atomics.*\n/m, ''));
  expect(await runKairos(['enable', 'endless'], { cwd })).toMatchObject({ code: 0 });
  const fourth = startKairos(['run'], { cwd });
  await fourth.until('decision of the mended strategy', () => rows('hold').find(({ detail }) => detail.includes('never')));
  fourth.signal('SIGINT');
  expect((await fourth.ended).code).toBe(0);
});
