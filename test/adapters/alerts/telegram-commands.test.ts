import { afterEach, beforeEach, expect, test } from 'vitest';
import { TelegramCommands } from '#adapters/alerts/telegram-commands.ts';
import { configOf } from '../../config/support.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { Telegram } from './telegram.ts';

const TOKEN = '123456:a-token-of-a-bot';

let telegram: Telegram;
let commands: TelegramCommands;
const timers = new VirtualTimers();
const done: string[] = [];
const notices: string[] = [];
let onNotice = (): void => {};

beforeEach(async () => {
  done.length = 0;
  notices.length = 0;
  onNotice = () => {};
  telegram = await new Telegram().open();
  commands = begin();
});

function begin(): TelegramCommands {
  const yaml = `alerts: { telegram: { chatId: '77', operators: ['77', '-100200'], baseUrl: '${telegram.url}' } }`;
  const { settings } = configOf(yaml, { env: { KAIROS_ALERTS_TELEGRAM_TOKEN: TOKEN } });
  const begun = new TelegramCommands({
    telegram: settings.alerts.telegram,
    acts: {
      status: async () => 'PAPER: the daemon runs',
      async halt({ who, why }) {
        done.push(`halt ${who}: ${why}`);
        return 'halted';
      },
      async pause({ who }, strategy) {
        if (strategy === 'nobody') throw new Error('the daemon runs no strategy "nobody"');
        done.push(`pause ${strategy} ${who}`);
        return 'paused';
      },
    },
    timers,
    notice: (level, text) => {
      notices.push(`${level}: ${text}`);
      onNotice();
    },
  });
  begun.start();
  return begun;
}

afterEach(async () => {
  await commands.close();
  await telegram.close();
});

test('status, halt and pause are done from listed chats, each as by chat and user; nothing else can be done', async () => {
  for (const text of ['status', '/halt@my_bot prices look wrong', 'HALT', 'pause dip-btc', 'pause', 'pause nobody', 'resume', 'arm'])
    telegram.write(text);
  telegram.write('halt', -100200, 'bob');
  const answers = await telegram.answers(9);
  expect(done).toEqual([
    'halt telegram 77/ann: prices look wrong',
    'halt telegram 77/ann: from the phone',
    'pause dip-btc telegram 77/ann',
    'pause null telegram 77/ann',
    'halt telegram -100200/bob: from the phone',
  ]);
  expect(answers.slice(0, 6)).toEqual([
    'PAPER: the daemon runs',
    'halted',
    'halted',
    'paused',
    'paused',
    'failed: the daemon runs no strategy "nobody"',
  ]);
  expect(answers.slice(6, 8)).toEqual([expect.stringContaining('All else takes a terminal'), expect.stringContaining('status, halt WHY')]);
  expect(telegram.sent.at(-1)?.chat).toBe('-100200');
  expect(telegram.paths).toEqual(new Set([`/bot${TOKEN}/getMe`, `/bot${TOKEN}/getUpdates`, `/bot${TOKEN}/sendMessage`]));
});

test('a chat that is not listed is not heard, nor answered, and told of once', async () => {
  telegram.write('halt', 666, 'eve');
  telegram.write('status', 666, 'eve');
  telegram.write('status');
  expect(await telegram.answers(1)).toEqual(['PAPER: the daemon runs']);
  expect(telegram.sent[0]?.chat).toBe('77');
  expect(done).toEqual([]);
  expect(notices).toEqual(['warn: Telegram chat 666 is not among alerts.telegram.operators: what it writes is not heard']);
});

test('in a group neither a command to another bot nor what its members write to each other is obeyed or answered', async () => {
  for (const text of ['/halt@eth_bot eth looks wrong', '/pause@eth_bot', 'good morning all', '/weather', '/help@MY_BOT', '/halt@my_bot'])
    telegram.write(text, -100200, 'bob');
  telegram.write('good evening', -100200, 'bob', { ageMs: 20 * 3_600_000 });
  telegram.write('/status@eth_bot', 77, 'ann');
  telegram.write('/status', 77, 'ann');
  expect(await telegram.answers(3)).toEqual([expect.stringContaining('status, halt WHY'), 'halted', 'PAPER: the daemon runs']);
  expect(done).toEqual(['halt telegram -100200/bob: from the phone']);
});

test('while the bot does not know its own name nothing is heard; it asks again', async () => {
  await commands.close();
  telegram.paths.clear();
  notices.length = 0;
  const refused = new Promise<void>((resolve) => {
    onNotice = resolve;
  });
  telegram.write('/halt@my_bot');
  telegram.failOnce = 500;
  commands = begin();
  await refused;
  expect([...telegram.paths]).toEqual([`/bot${TOKEN}/getMe`]);
  timers.advance(1_000);
  expect(await telegram.answers(1)).toEqual(['halted']);
});

test('what was written more than two minutes ago, as while the watcher was down, is answered and not done', async () => {
  for (const text of ['halt prices', 'pause', 'status']) telegram.write(text, 77, 'ann', { ageMs: 20 * 3_600_000 });
  telegram.write('halt again', 77, 'ann', { ageMs: 60_000 });
  const answers = await telegram.answers(4);
  const late = (text: string) => `not done: "${text}" was written more than two minutes ago; if it still holds, send it again`;
  expect(answers).toEqual([late('halt prices'), late('pause'), late('status'), 'halted']);
  expect(done).toEqual(['halt telegram 77/ann: again']);
});

test('what Telegram refuses is told once, without the token, and asked again', async () => {
  const refused = new Promise<void>((resolve) => {
    onNotice = resolve;
  });
  telegram.failOnce = 409;
  telegram.write('status');
  await refused;
  expect(notices).toEqual([
    'warn: nothing that is written to the Telegram bot is heard: answered 409: Conflict: terminated by other getUpdates request',
  ]);
  timers.advance(1_000);
  expect(await telegram.answers(1)).toEqual(['PAPER: the daemon runs']);
});
