import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { endAll, startKairos } from '../support/process.ts';

const page = readFileSync(new URL('../../docs/how-to/signals.md', import.meta.url), 'utf8');
const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
const env = { KAIROS_SIGNALS_SECRET: 'a-secret-of-this-test-alone' };

let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('signals');
});
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('the model of the page trades on paper, a kill loses no signal, and the run replays to the same decisions', async () => {
  const port = await freePort();
  folder.write('by-model.ts', block('ts'));
  folder.write('model.py', block('python'));
  folder.write('kairos.yaml', `${block('yaml').replace('signals: {', `signals: { port: ${port},`)}log: { level: warn }\n`);
  const asked = startKairos(['signals', 'token', 'model'], { cwd: folder.path, env });
  const token = (await asked.ended).stdout.trim();
  const url = `http://127.0.0.1:${port}/signals/model`;
  const start = async () => {
    const daemon = startKairos(['run'], { cwd: folder.path, env, ipc: true });
    await daemon.ready();
    return daemon;
  };
  const send = (fields: object) =>
    fetch(url, { method: 'POST', headers: { 'x-signal-token': token, 'content-type': 'application/json' }, body: JSON.stringify(fields) });
  const signals = () =>
    folder.rows<{ id: string }>("SELECT detail ->> 'id' AS id FROM decisions WHERE kind = 'signal'").map(({ id }) => id);

  const killed = await start();
  expect((await send({ id: 'first', score: 0.5 })).status).toBe(200);
  await killed.kill();
  expect(signals(), 'what was answered is on the disk').toEqual(['first']);

  const daemon = await start();
  expect(await (await send({ id: 'first', score: 0.5 })).json()).toMatchObject({
    taken: false,
    error: 'REPEAT',
    message: expect.stringContaining('taken before'),
  });
  expect(await (await send({ score: 'high' })).json()).toMatchObject({ error: 'SCHEMA', field: 'score' });
  // As a chart service posts an alert, and as a model writes to a pipe.
  const form = execFileSync('sh', ['-c', block('sh').replace('https://YOUR.HOST', `http://127.0.0.1:${port}`).replace('TOKEN', token)]);
  expect(JSON.parse(String(form))).toEqual({ taken: true, id: 'BTCUSD 09:30' });
  const pipe = startKairos(['signals', 'send', 'model'], { cwd: folder.path, env, stdin: 'pipe' });
  for (const line of ['{"id": "piped", "score": 0.5}', '{"id": "piped", "score": 0.9}', '{"score": "high"}']) pipe.type(line);
  await pipe.says(/422: .*"field":"score"/);
  expect(signals()).toEqual(['first', 'BTCUSD 09:30', 'piped']);
  await pipe.kill();
  const metrics = await (await fetch(`${publishedIn(controlFiles(folder.journal).ops)?.url}/metrics`)).text();
  expect(metrics).toContain('kairos_signals_total{source="model"} 2');
  expect(metrics, 'no signal counts as a webhook').toContain('kairos_webhook_journal_seconds_count 0');
  const model = spawn('python3', ['model.py'], { cwd: folder.path, env: { ...process.env, SIGNALS_URL: url, SIGNALS_TOKEN: token } });
  const orders = () => folder.rows<{ signals: string }>("SELECT detail ->> 'signals' AS signals FROM decisions WHERE kind = 'intent'");
  await daemon.until('an order on a signal', () => (orders().length > 0 ? true : undefined));
  model.kill();
  expect(JSON.parse(orders()[0]?.signals ?? '{}').model).toMatchObject({ score: 0.8, stale: false });
  daemon.signal('SIGINT');
  expect(await daemon.ended).toMatchObject({ code: 0 });
  const parity = startKairos(['parity', 'last'], { cwd: folder.path, env });
  expect(await parity.ended).toMatchObject({ code: 0 });
  expect(readFileSync(folder.journal).includes(token), 'no token is kept').toBe(false);
});
