import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos } from '../support/process.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('doctor prints each check, ends with 0 when nothing fails, 1 for a fault, and 3 where trading is merely halted', async () => {
  folder = new DaemonFolder('doctor');
  const cwd = folder.path;
  const env = { NODE_EXTRA_CA_CERTS: '' };
  const doctor = (...words: string[]) => runKairos(['doctor', ...words], { cwd, env });
  folder.write('kairos.yaml', 'strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]\n');
  expect(await doctor('--probe')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok {4}probe +signature, key and user are accepted/m),
  });
  expect(await doctor('--set', 'strategies[0].amount.base=0.000001')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('this would stop trading: products'),
  });
  await runKairos(['halt'], { cwd });
  const halted = await doctor('--json');
  expect(halted).toMatchObject({ code: 3, stderr: expect.stringContaining('trading is stopped') });
  expect(JSON.parse(halted.stdout)).toContainEqual(
    expect.objectContaining({ check: 'state', verdict: 'fail', mend: expect.stringContaining('kairos resume') }),
  );
}, 60_000);
