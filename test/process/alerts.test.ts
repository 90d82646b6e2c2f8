import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVenueThread, type VenueThread } from '#assembly/venue-thread.ts';
import { type Receiver, startReceiver } from '../adapters/alerts/receiver.ts';
import { Telegram } from '../adapters/alerts/telegram.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = new DaemonFolder('alerts');
let receiver: Receiver;
let venue: VenueThread;
let telegram: Telegram;

beforeAll(async () => {
  receiver = await startReceiver();
  telegram = await new Telegram().open();
  venue = await startVenueThread({ ...VENUE_SETTINGS, seed: 'alerts' });
  folder.write(
    'kairos.yaml',
    `strategies:
  - { id: hold, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
service: { baseUrl: '${venue.url}' }
alerts: { name: bed, telegram: { baseUrl: '${telegram.url}' }, watch: { after: 2s, pauseAllAfter: 3s } }
`,
  );
});

afterAll(async () => {
  await endAll();
  await venue.close();
  await receiver.close();
  await telegram.close();
  folder.remove();
});

/** The first message with these words. */
const told = (words: string) => waitFor(() => receiver.received.find(({ body }) => String(body.title).includes(words))?.body);

test('F75 F20 I33 alerts leave a real daemon, and its watcher alerts when it is killed, asks the service to pause, and sees it back', async () => {
  const options = { cwd: folder.path, env: { KAIROS_ALERTS_HTTP_URL: `${receiver.url}/in` } };
  const chat = ['--set', 'alerts.telegram.chatId=77', '--set', 'alerts.telegram.operators=["77"]'];
  const env = { ...options.env, KAIROS_ALERTS_TELEGRAM_TOKEN: '123456:a-token-of-a-bot' };
  const watcher = startKairos(['watch', ...chat], { ...options, env });
  const first = startKairos(['run'], options);
  await first.until('order', () => folder.accepted());
  await watcher.says(/the daemon answers/);

  telegram.write('halt a look');
  expect(await told('HALTED by telegram 77/ann: a look')).toMatchObject({ events: ['halt'], silent: false, urgent: true });
  expect(await kairosHere(['resume'], options)).toMatchObject({ code: 0 });
  expect(await told('resumed by')).toMatchObject({ title: expect.stringMatching(/^PAPER bed: resumed by /), silent: true });

  first.signal('SIGKILL');
  // A machine that stands still for seconds has it told before that the daemon does not answer.
  const gone = `the daemon is dead: process ${first.pid} is gone`;
  expect(await told(gone)).toMatchObject({ title: `PAPER bed: ${gone}`, events: ['dead'], urgent: true });
  expect(await told('asked to pause')).toMatchObject({
    title: 'PAPER bed: the service was asked to pause its own strategies: answered 202',
  });

  const second = startKairos(['run'], options);
  expect(await told('the daemon is back')).toMatchObject({ silent: true });
  second.signal('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(receiver.received.filter(({ body }) => String(body.title).includes(gone))).toHaveLength(1);

  // A restart on a mistyped setting, which a process manager tells nobody of.
  expect(await runKairos(['run', '--set', 'risk.maxOrderValu=5'], options)).toMatchObject({ code: 2 });
  const failed = await told('did not start');
  expect(failed).toMatchObject({ title: expect.stringContaining('risk.maxOrderValu'), events: ['dead'], urgent: true, silent: false });
  watcher.signal('SIGINT');
  expect(await watcher.ended).toMatchObject({ code: 0, stderr: '' });
});

test('a watcher whose settings are broken goes on by those that can be read', async () => {
  const options = { cwd: folder.path, env: { KAIROS_ALERTS_HTTP_URL: `${receiver.url}/broken` } };
  const watcher = startKairos(['watch', '--set', 'risk.maxOrderValu=5'], options);
  await waitFor(() => receiver.received.find(({ path }) => path === '/broken'));
  watcher.signal('SIGINT');
  expect(await watcher.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('watching goes on by what can be read') });
});

test('alerts test tries every channel, and says which ones are not reached', async () => {
  const env = { KAIROS_ALERTS_HTTP_URL: `${receiver.url}/try` };
  expect(await kairosHere(['alerts', 'test'], { cwd: folder.path, env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/http\s+\d+\s+delivered/),
  });
  expect(receiver.received.at(-1)).toMatchObject({ path: '/try', body: { title: 'PAPER bed: a test, nothing is wrong' } });
  const failing = await kairosHere(['alerts', 'test', '--set', 'alerts.command=["false"]'], { cwd: folder.path, env });
  expect(failing).toMatchObject({ code: 1, stderr: 'kairos: alerts do not reach command\n' });
  expect(await kairosHere(['alerts', 'test'], { cwd: folder.path })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^kairos: alerts: no channel is set up/),
  });
});
