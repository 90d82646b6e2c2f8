import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, startKairos } from '../support/process.ts';

/** Orders are executed at once and answered late, so that a stop finds one on its way. */
const config = (answerDelayMs: number) => `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
service: { answerMs: 30000 }
venue: { quotesPerSecond: 10, answerDelayMs: ${answerDelayMs} }
`;

/** Two signals closer together than this count as one press of Ctrl-C. */
const SAME_PRESS_MS = 250;

const folders: DaemonFolder[] = [];
function folderWith(answerDelayMs: number): DaemonFolder {
  const folder = new DaemonFolder('signals');
  folder.write('kairos.yaml', config(answerDelayMs));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(0)) folder.remove();
});

const orders = (folder: DaemonFolder) => folder.rows<{ state: string }>('SELECT state FROM orders').map(({ state }) => state);

async function startWithAnOrderOnItsWay(folder: DaemonFolder) {
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.says(/PAPER/);
  await daemon.until('order that was sent', () => orders(folder).includes('sent') || undefined);
  return daemon;
}

describe('F60: a daemon that is asked to stop', () => {
  test('by SIGTERM waits for the answer of the order on its way, books it, and ends with 0', async () => {
    const folder = folderWith(5000);
    const daemon = await startWithAnOrderOnItsWay(folder);
    daemon.signal('SIGTERM');
    const { code, stderr } = await daemon.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(orders(folder)).toEqual(['accepted']);
    expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
    expect(folder.holder()).toBeNull();
  });

  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'I04: a second %s ends it at once with %i, and the next start knows the order as unknown',
    async ([signal, code], { expect }) => {
      const folder = folderWith(20_000);
      const daemon = await startWithAnOrderOnItsWay(folder);
      daemon.signal(signal);
      await daemon.says(new RegExp(`${signal}: stopping`));
      await pause(2 * SAME_PRESS_MS);
      expect(daemon.isRunning).toBe(true);
      daemon.signal(signal);
      expect((await daemon.ended).code).toBe(code);
      expect(folder.holder()).toBeNull();
      expect(folder.runs()).toMatchObject([{ end_state: null }]);

      const next = startKairos(['run'], { cwd: folder.path });
      const unknown = () => (orders(folder).includes('unknown') ? true : undefined);
      await next.until('unknown order', unknown);
      await next.says(/an order of unknown outcome/);
      next.signal('SIGTERM');
      expect((await next.ended).code).toBe(0);
      expect(orders(folder)).toEqual(['unknown']);
    },
  );
});
