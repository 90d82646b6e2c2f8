import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Channel, Message } from '#adapters/alerts/alert.ts';
import { channelNames, channelsOf } from '#adapters/alerts/channels.ts';
import { postChannel } from '#adapters/alerts/post.ts';
import { loadConfig } from '#config/load.ts';
import { connectProxy } from '../../support/connect-proxy.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { AT } from './support.ts';

const TOKEN = '123456:a-token-of-a-bot';
const MESSAGE: Message = { title: 'bot LIVE: HALTED', text: 'a < b & c', events: ['halt'], silent: false, urgent: true, at: AT };

test('a proxy of the environment is used as for the service: a message for elsewhere goes through it, one for this machine does not', async () => {
  const receiver = await startReceiver();
  const proxy = await connectProxy();
  const { port } = new URL(receiver.url);
  const channel = postChannel('http', { secrets: [] }, ({ title }) => ({ url: title, body: {} }));
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
  try {
    for (const url of [`http://pager.example:${port}/away`, `${receiver.url}/here`]) {
      await channel.send({ ...MESSAGE, title: url }, AbortSignal.timeout(100_000));
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/away', '/here']);
    expect(proxy.asked).toEqual([`pager.example:${port}`]);
    vi.stubEnv('HTTPS_PROXY', 'socks5://p.example');
    await expect(channel.send({ ...MESSAGE, title: `http://other.example:${port}/` }, AbortSignal.timeout(100_000))).rejects.toThrow(
      /^HTTPS_PROXY: not the http or https address of a proxy/,
    );
  } finally {
    vi.unstubAllEnvs();
    await channel.close();
    await proxy.close();
    await receiver.close();
  }
});

describe('channels speak as their services want it', () => {
  let receiver: Receiver;
  const open: Channel[] = [];

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((channel) => channel.close()));
    await receiver.close();
  });

  function channel(env: NodeJS.ProcessEnv, set: readonly string[] = []): Channel {
    const { settings } = loadConfig({ env, set, cwd: tmpdir() });
    expect(channelNames(settings.alerts)).toEqual(channelsOf(settings.alerts, {}).map(({ name }) => name));
    const [first] = channelsOf(settings.alerts, { PATH: process.env.PATH ?? '' });
    if (!first) throw new Error('no channel is set up');
    open.push(first);
    return first;
  }
  const send = (to: Channel, parts: Partial<Message> = {}) => to.send({ ...MESSAGE, ...parts }, AbortSignal.timeout(100_000));
  const telegram = () =>
    channel({ KAIROS_ALERTS_TELEGRAM_TOKEN: TOKEN }, ['alerts.telegram.chatId=-100200', `alerts.telegram.baseUrl=${receiver.url}`]);

  test('Telegram', async () => {
    await send(telegram(), { silent: true });
    expect(receiver.received).toEqual([
      {
        path: `/bot${TOKEN}/sendMessage`,
        authorization: undefined,
        body: {
          chat_id: '-100200',
          text: 'bot LIVE: HALTED\na < b & c',
          disable_notification: true,
          link_preview_options: { is_disabled: true },
        },
      },
    ]);
  });

  test('Slack, Discord, ntfy and plain HTTP', async () => {
    await send(channel({ KAIROS_ALERTS_SLACK_URL: `${receiver.url}/services/T/B` }));
    await send(channel({ KAIROS_ALERTS_DISCORD_URL: `${receiver.url}/api/webhooks/1/x` }), { silent: true });
    await send(channel({ KAIROS_ALERTS_NTFY_URL: `${receiver.url}/topic-7`, KAIROS_ALERTS_NTFY_TOKEN: 'tk_1' }), { title: 'förlust' });
    await send(channel({ KAIROS_ALERTS_HTTP_URL: `${receiver.url}/any?k=v`, KAIROS_ALERTS_HTTP_AUTHORIZATION: 'Bearer b' }));
    expect(receiver.received).toEqual([
      { path: '/services/T/B', authorization: undefined, body: { text: 'bot LIVE: HALTED\na &lt; b &amp; c' } },
      {
        path: '/api/webhooks/1/x',
        authorization: undefined,
        body: { content: 'bot LIVE: HALTED\na < b & c', flags: 4096, allowed_mentions: { parse: [] } },
      },
      { path: '/', authorization: 'Bearer tk_1', body: { topic: 'topic-7', title: 'förlust', message: 'a < b & c', priority: 5 } },
      {
        path: '/any?k=v',
        authorization: 'Bearer b',
        body: { ...MESSAGE, at: '2026-01-01T00:00:00.000Z' },
      },
    ]);
  });

  test('a text is cut to what the service takes, and not into half a letter', async () => {
    await send(channel({ KAIROS_ALERTS_DISCORD_URL: `${receiver.url}/x` }), { text: `x${'😀'.repeat(25_000)}` });
    expect(receiver.received[0]?.body.content).toHaveLength(1_900);
    expect(receiver.received[0]?.body.content).toMatch(/😀\ufffd…$/);
  });

  test('I15 a refusal says why, without the token, also where the answer repeats it', async () => {
    receiver.answer = { status: 404, body: `no bot ${TOKEN}` };
    await expect(send(telegram())).rejects.toThrow(/^answered 404: no bot \[set\]$/);
    receiver.answer = { status: 302, body: '' };
    await expect(send(telegram())).rejects.toThrow('answered 302');
    expect(receiver.received).toHaveLength(2);
  });

  test('I15 a refusal that repeats the path of the address, or a part of it, shows neither', async () => {
    const url = `${receiver.url}/services/T024BE7LD/s3cr3t?key=a-key-of-mine`;
    for (const said of ['Cannot POST /services/T024BE7LD/s3cr3t?key=a-key-of-mine', 'no T024BE7LD', 'no a-key-of-mine']) {
      receiver.answer = { status: 404, body: said };
      const failed = await send(channel({ KAIROS_ALERTS_SLACK_URL: url })).catch(String);
      expect(failed).toMatch(/^Error: answered 404: (Cannot POST|no) \[set\]$/);
    }
    receiver.answer = { status: 404, body: 'not found: /' };
    await expect(send(channel({ KAIROS_ALERTS_HTTP_URL: receiver.url }))).rejects.toThrow(/^answered 404: not found: \/$/);
  });

  test('a program gets the message and no secret; its failure says what it said', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kairos-alerts-'));
    const file = path.join(folder, 'out');
    const run = (script: string) => channel({}, [`alerts.command=${JSON.stringify(['sh', '-c', script])}`]);
    try {
      await send(run(`(cat; echo "$KAIROS_ALERT_TITLE"; env | grep -c ^KAIROS_) > ${file}`));
      const [json = '', title, settings] = readFileSync(file, 'utf8').trim().split('\n');
      expect(JSON.parse(json)).toEqual({
        title: MESSAGE.title,
        text: MESSAGE.text,
        events: ['halt'],
        silent: false,
        at: '2026-01-01T00:00:00.000Z',
      });
      expect([title, settings]).toEqual([MESSAGE.title, '3']);
      await expect(send(run('echo no modem >&2; exit 3'))).rejects.toThrow('sh ended with 3: no modem');
      // What it leaves in the background holds up no other message.
      await send(run(`(sleep 3; echo ended > ${folder}/late) & echo $! > ${file}`));
      expect(existsSync(`${folder}/late`)).toBe(false);
      process.kill(Number(readFileSync(file, 'utf8')));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
