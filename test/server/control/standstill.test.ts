import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { controlFiles, writeHalt } from '#adapters/journal/control-files.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../../support/process.ts';

/** Says when it is about to, then holds up the loop for two and a half seconds inside one call, then wants to buy. */
const STUCK = `import { buy, hold, strategy } from 'kairos/strategy';
import { scan } from 'rxjs';
const cell = new Int32Array(new SharedArrayBuffer(4));
export default strategy({
  name: 'stuck',
  signals: ({ quotes$ }) => quotes$.pipe(scan((n) => n + 1, 0)),
  decide: (n, { amount }) => {
    if (n === 5) return hold('next time');
    if (n !== 6) return undefined;
    Atomics.wait(cell, 0, 0, 2500);
    return buy(amount, 'after a long thought');
  },
});
`;

const LOOP = `import { strategy } from 'kairos/strategy';
import { scan } from 'rxjs';
export default strategy({
  name: 'loop',
  signals: ({ quotes$ }) => quotes$.pipe(scan((n) => n + 1, 0)),
  decide: (n) => {
    for (let i = 0; n > 5; i++) n += i % 2;
    return undefined;
  },
});
`;

const IN_AND_OUT = `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'in-and-out',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
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
  await daemon.until('word of the strategy', () => folder.rows<Row>(ROWS).find(({ kind }) => kind === 'hold'));
  // The call that holds up the loop begins with the next quote, half a second after this one at the latest.
  await pause(1_000);
  writeHalt(files.halt, { who: 'ann', why: 'prices look wrong' }, Date.now());
  await daemon.until('receipt of the watchdog', () => (existsSync(files.halted) ? true : undefined));
  expect(folder.rows<Row>(ROWS).map(({ kind }) => kind)).not.toContain('halted');
  await daemon.until('journaled halt', () => folder.rows<Row>(ROWS).find(({ kind }) => kind === 'halted'));
  const told = (rows: readonly Row[]) =>
    rows
      .filter(({ kind }) => !['started', 'booked', 'clock', 'learned', 'lag'].includes(kind))
      .map(({ kind, reason }) => `${kind} ${reason}`);
  expect(told(folder.rows<Row>(ROWS)).slice(0, 5)).toEqual([
    'hold HOLD',
    'intent null',
    'approved null',
    ...['not_sent GATE_HALTED', 'halted BY_PERSON'].sort((a, b) => order(a) - order(b)),
  ]);
  function order(text: string): number {
    return told(folder.rows<Row>(ROWS)).indexOf(text);
  }
  daemon.signal('SIGUSR2');
  daemon.signal('SIGINT');
  expect((await daemon.ended).code).toBe(0);
  expect(folder.rows<Row>(ROWS).filter(({ kind }) => kind === 'halted')).toHaveLength(1);
  expect(folder.runs()).toMatchObject([{ end_state: 'halted' }]);
});

test('F69 L8: an endless loop ends the process within 5 s; the restart runs without that strategy, and the others trade', async () => {
  folderWith('loop', { loop: LOOP, 'in-and-out': IN_AND_OUT });
  const first = startKairos(['run'], { cwd: folder.path });
  await first.until('first order', () => folder.accepted());
  const ended = await first.ended;
  expect(ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  // The loop began with the quote after the last order's, half a second later.
  const lastOrder = folder.rows<{ at: string }>("SELECT max(at) AS at FROM decisions WHERE kind = 'accepted'")[0]?.at ?? '';
  expect(Date.now() - Date.parse(lastOrder)).toBeLessThan(5_500);
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

const ENDLESS = `import { hold, strategy } from 'kairos/strategy';
for (let n = 0; n >= 0; n += 1) if (n > 10) n = 0;
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

  folder.write('endless.ts', ENDLESS.replace(/^for.*\n/m, ''));
  expect(await runKairos(['enable', 'endless'], { cwd })).toMatchObject({ code: 0 });
  const fourth = startKairos(['run'], { cwd });
  await fourth.until('decision of the mended strategy', () => rows('hold').find(({ detail }) => detail.includes('never')));
  fourth.signal('SIGINT');
  expect((await fourth.ended).code).toBe(0);
});
