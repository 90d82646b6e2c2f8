import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

/** A service that takes the fees of buys in base currency, says nothing of it, and sells no more than the account has. */
const CONFIG = `strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]
account: { opening: { usd: 1000000, eur: 1000000, sek: 10000000 } }
risk: { maxRejectionStreak: off }
venue: { dialect: [fee-as-received, fee-untold, lean-balances], capabilities: [balances], quotesPerSecond: 10 }
`;
const HOLD = /b: the account holds less than the book sells; .*service\.feeIn: received.*kairos reconcile/;

test('with the wrong service.feeIn sales are refused; the line that says so names a command that mends book and position', async () => {
  folder = new DaemonFolder('fee-in-base');
  const cwd = folder.path;
  folder.write('kairos.yaml', CONFIG);
  const run = startKairos(['run'], { cwd });
  const positions = async (): Promise<{ size: string }[]> => JSON.parse((await kairosHere(['positions', '--json'], { cwd })).stdout);
  await run.until('a purchase', () => folder.accepted());
  expect(await positions()).toMatchObject([{ size: '0.01' }]);
  const refused = await kairosHere(['close', 'b', '--timeout', '12'], { cwd });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/rejected \(HTTP_REFUSED\)/) });
  await run.says(HOLD);
  expect((await kairosHere(['reconcile', '--yes', '--actual', 'btc=0.00999'], { cwd })).stdout).toMatch(
    /^b btcusd: -0.00001 btc, so that the position is what the account has$/m,
  );
  // The close that was asked for is still at work, and now has what it may sell.
  await run.says(/b: sell 0\.00999 .*accepted/);
  run.signal('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  expect(code).toBe(0);
  expect((stdout + stderr).split('the account holds less')).toHaveLength(2);
});

test('where the service tells balances the daemon books by itself what fees took, and the sale goes through', async () => {
  folder = new DaemonFolder('fee-found');
  const cwd = folder.path;
  folder.write('kairos.yaml', `${CONFIG}service: { capabilities: [balances] }\n`);
  const run = startKairos(['run'], { cwd });
  const booked = () =>
    folder.rows<{ reason: string; detail: string }>("SELECT reason, detail FROM decisions WHERE kind = 'booked' AND reason = 'BY_RULE'")[0];
  const { detail } = await run.until('a correction', booked);
  expect(JSON.parse(detail)).toMatchObject({
    who: 'kairos',
    entries: expect.arrayContaining([{ kind: 'correction', book: 'b', currency: 'btc', amount: '-0.00001', product: 'btcusd' }]),
  });
  await run.says(/fees are taken in another currency than service\.feeIn says: set service\.feeIn to base or received/);
  const { stdout } = await kairosHere(['reconcile', '--check'], { cwd });
  expect([stdout.match(/^btc +0\.00999 +0\.00999 +0$/m), stdout.match(/^usd +(\S+) +\1 +0$/m)]).not.toContain(null);
  expect((await kairosHere(['close', 'b', '--timeout', '90'], { cwd })).code).toBe(0);
  expect(folder.rows("SELECT 1 FROM orders WHERE state = 'rejected'")).toEqual([]);
  run.signal('SIGINT');
  expect(await run.ended).toMatchObject({ code: 0 });
  expect((await kairosHere(['parity', 'last'], { cwd })).code).toBe(0);
});
