import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, type Started, startKairos } from '../support/process.ts';

/** A daemon with an order on its way: executed at once, answered when it is too late. */
const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
service: { answerMs: 30000 }
venue: { quotesPerSecond: 10, answerDelayMs: 20000 }
`;
const PRELOAD = fileURLToPath(new URL('../support/break-on-signal.ts', import.meta.url));
const SECRET = 'a-token-that-signs-in-16180';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

const orders = () => folder.rows<{ state: string }>('SELECT state FROM orders').map(({ state }) => state);
const halts = () => folder.rows<{ reason: string; detail: string }>("SELECT reason, detail FROM decisions WHERE kind = 'halted'");

async function startToBreak(by: 'timer' | 'rejection' | 'heap', options = ''): Promise<Started> {
  folder = new DaemonFolder('broken');
  folder.write('kairos.yaml', CONFIG);
  const env = {
    NODE_OPTIONS: `--import=${PRELOAD} ${options}`,
    BREAK_BY: by,
    BREAK_WITH: `broken, with ${SECRET}`,
    KAIROS_TOKEN: SECRET,
  };
  const daemon = startKairos(['run'], { cwd: folder.path, env });
  await daemon.says(/PAPER/);
  await daemon.until('order that was sent', () => orders().includes('sent') || undefined);
  return daemon;
}

/** The next start finds what a SIGKILL would have left: the order on its way is unknown, and never sent again. */
async function startAgain(): Promise<Started> {
  const next = startKairos(['run'], { cwd: folder.path });
  await next.until('unknown order', () => (orders().includes('unknown') ? true : undefined));
  await next.says(/PAPER/);
  return next;
}

async function stop(daemon: Started): Promise<void> {
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(orders()).toEqual(['unknown']);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
}

test.for([
  ['a throw in a timer', 'timer'],
  ['a rejection that nobody handles', 'rejection'],
] as const)(
  'F61 I28 I15: %s halts, ends the process with 1 and names no secret; the halt stands over the next start',
  async ([, by], { expect }) => {
    const daemon = await startToBreak(by);
    daemon.signal('SIGHUP');
    const { code, stdout, stderr } = await daemon.ended;
    expect(code).toBe(1);
    expect(halts()).toMatchObject([{ reason: 'UNCAUGHT', detail: expect.stringContaining('broken, with') }]);
    expect(folder.runs()).toMatchObject([{ end_state: 'crashed' }]);
    expect(folder.holder()).toBeNull();
    const said = [stdout, stderr, ...folder.files().map((file) => folder.read(file).toString('latin1'))];
    expect(said.filter((text) => text.includes(SECRET))).toEqual([]);
    const next = await startAgain();
    await next.says(/HALTED|halted/);
    await stop(next);
    expect(halts()).toHaveLength(1);
  },
);

test('F62: out of heap it is gone as by SIGKILL, and the next start has lost nothing that was committed', async () => {
  const daemon = await startToBreak('heap', '--max-old-space-size=160');
  const committed = folder.rows<{ seq: number; hash: string }>('SELECT seq, hash FROM decisions ORDER BY seq');
  daemon.signal('SIGHUP');
  const { code, stderr } = await daemon.ended;
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/heap out of memory|heap limit/);
  expect(folder.holder()).toBeNull();
  expect(folder.rows('SELECT seq, hash FROM decisions ORDER BY seq').slice(0, committed.length)).toEqual(committed);
  expect(folder.runs()).toMatchObject([{ end_state: null }]);
  await stop(await startAgain());
  expect(folder.runs()).toMatchObject([{ end_state: 'crashed' }, { end_state: 'stopped' }]);
});
