import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, type Started, startKairos } from '../support/process.ts';

const STRATEGY = `import { buy, mid, strategy } from 'kairos/strategy';

/** Holds whatever it can, and never sells. */
export default strategy({
  name: 'holder',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'flat') : undefined),
});
`;

const CONFIG = `strategies:
  - { id: h, use: ./holder.ts, product: btcusd, amount: { base: 0.01 }, exits: { maxHoldSeconds: 6 } }
trading: { arm: manual }
venue: { quotesPerSecond: 5 }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

interface OrderRow {
  readonly side: string;
  readonly state: string;
}

test('F65 F67 a bot is killed with an open position: the next start closes it, and opens nothing until a person arms what runs', async () => {
  folder = new DaemonFolder('crash');
  folder.write('kairos.yaml', CONFIG);
  folder.write('holder.ts', STRATEGY);
  const cwd = folder.path;
  const arm = () => runKairos(['arm', '--yes', '--reason', 'a test'], { cwd });
  const orders = () => folder.rows<OrderRow>('SELECT side, state FROM orders ORDER BY rowid');
  const accepted = (side: string) => orders().filter((order) => order.side === side && order.state === 'accepted').length;
  const has = (kind: string, reason: string) =>
    folder.rows(`SELECT 1 FROM decisions WHERE kind = '${kind}' AND reason = '${reason}'`).length > 0;
  const until = (daemon: Started, what: string, look: () => boolean) => daemon.until(what, () => look() || undefined);

  const first = startKairos(['run'], { cwd });
  await until(first, 'refusal because nothing is armed', () => has('refused', 'DISARMED'));
  expect(await arm()).toMatchObject({ code: 0, stderr: expect.stringContaining('no configuration was armed before') });
  await until(first, 'position', () => accepted('buy') === 1);
  first.signal('SIGKILL');
  await first.ended;

  const second = startKairos(['run'], { cwd });
  await until(second, 'exit', () => accepted('sell') === 1);
  expect(has('reducing', 'START_UNSURE')).toBe(true);
  expect(has('exit', 'MAX_HOLD')).toBe(true);
  await until(second, 'refusal to open', () => has('refused', 'REDUCING'));
  expect(accepted('buy')).toBe(1);

  folder.write('holder.ts', `${STRATEGY}// changed while it runs\n`);
  expect(await arm()).toMatchObject({ code: 2, stderr: expect.stringContaining('the daemon runs other code') });
  expect(accepted('buy')).toBe(1);
  folder.write('holder.ts', STRATEGY);
  expect(await arm()).toMatchObject({ code: 0, stderr: expect.stringContaining('the same as was armed by') });
  await until(second, 'position after arming', () => accepted('buy') >= 2);
  second.signal('SIGINT');
  expect((await second.ended).code).toBe(0);

  folder.write('holder.ts', `${STRATEGY}// changed\n`);
  const third = startKairos(['run'], { cwd });
  await until(third, 'disarming', () => has('disarmed', 'DISARMED'));
  await third.says(/is not what was armed/);
  third.signal('SIGINT');
  expect((await third.ended).code).toBe(0);
  expect(await arm()).toMatchObject({ code: 0, stderr: expect.stringMatching(/build\.strategies\.h: [0-9a-f]{64} -> [0-9a-f]{64}/) });
});
