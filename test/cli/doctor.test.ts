import { afterEach, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
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
  const doctor = (...words: string[]) => kairosHere(['doctor', ...words], { cwd, env });
  folder.write('kairos.yaml', 'strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]\n');
  expect(await doctor('--probe')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok {4}probe +signature, key and user are accepted/m),
  });
  expect(await doctor('--set', 'strategies[0].amount.base=0.000001')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('this would stop trading: products'),
  });
  await kairosHere(['halt'], { cwd });
  const halted = await doctor('--json');
  expect(halted).toMatchObject({ code: 3, stderr: expect.stringContaining('trading is stopped') });
  expect(JSON.parse(halted.stdout)).toContainEqual(
    expect.objectContaining({ check: 'state', verdict: 'fail', mend: expect.stringContaining('kairos resume') }),
  );
});

test('doctor --service names the dialect, and what it says to paste is taken by config check', async () => {
  folder = new DaemonFolder('doctor-service');
  const cwd = folder.path;
  folder.write('kairos.yaml', 'strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]\n');
  const dialect = ['--set', 'venue.dialect=[one-connection, undated-answers, title-currencies]', '--set', 'clock.source=date'];
  const look = ['doctor', '--service', '--seconds', '8', ...dialect];
  const [text, json] = await Promise.all([kairosHere([...look, '--probe'], { cwd }), runKairos([...look, '--json'], { cwd })]);
  expect(text.stdout).toMatch(/^currencies ! +2\.8 baseCcy +title-currencies +Usd +trades$/m);
  expect(text.stdout).toMatch(/^errorBodies +7 +errors-as-strategies/m);
  expect(text.stdout).toMatch(/^ {2}sides, .*feeTaken.*: orders show them: kairos rehearse btcusd --live$/m);
  expect(text.stdout).toContain('settings to paste:\n\nlanes:\n  max: 1\n  reserve: 0\nclock:\n  source: system\n');
  const { findings, dialect: heard, yaml } = JSON.parse(json.stdout);
  expect(heard.heard).toContainEqual(expect.objectContaining({ point: 'connections', reading: 'one-connection', client: 'set' }));
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'dialect', what: 'the service needs lanes.max, lanes.reserve, clock.source' }),
  );
  folder.write('service.yaml', yaml);
  expect(await kairosHere(['config', 'check', '--config', 'kairos.yaml', '--config', 'service.yaml'], { cwd })).toMatchObject({ code: 0 });
});
