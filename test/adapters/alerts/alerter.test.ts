import { describe, expect, test } from 'vitest';
import { Alerter } from '#adapters/alerts/alerter.ts';
import { MAX_WAITING } from '#adapters/alerts/channel-line.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { alert, KeptChannel, settled, USUAL } from './support.ts';

function alerterWith(settings: Partial<ConstructorParameters<typeof Alerter>[0]['settings']> = {}, channels = [new KeptChannel()]) {
  const timers = new VirtualTimers();
  const log: string[] = [];
  const alerter = new Alerter({
    label: 'bot PAPER',
    settings: { events: USUAL, perMinute: 3, repeatAfterMs: 600_000, ...settings },
    channels,
    timers,
    log: (level, text) => log.push(`${level}: ${text}`),
  });
  const [channel = new KeptChannel()] = channels;
  const pass = async (ms: number) => {
    await settled();
    timers.advance(ms);
    await settled();
  };
  return { alerter, channel, timers, log, pass };
}

describe('what is told, and how loudly', () => {
  test('on with a sound, silent without one, off in the log alone; each is a line of the log', async () => {
    const { alerter, channel, log, pass } = alerterWith({ events: { ...USUAL, clock: 'silent', disk: 'off' } });
    alerter.raise(alert('halt', 'HALTED by me: why'));
    await pass(0);
    alerter.raise(alert('clock', 'no time'));
    await pass(0);
    alerter.raise(alert('disk', 'no room'));
    await pass(0);
    expect(channel.sent.map(({ title, silent, urgent }) => ({ title, silent, urgent }))).toEqual([
      { title: 'bot PAPER: HALTED by me: why', silent: false, urgent: true },
      { title: 'bot PAPER: no time', silent: true, urgent: false },
    ]);
    // Each leads to its entry in the runbook (test/server/metrics/rules.test.ts has one for each).
    expect(channel.sent.map(({ text }) => text.split('\n')[0])).toEqual([
      'What to do: kairos docs runbook halt',
      'What to do: kairos docs runbook clock',
    ]);
    expect(log).toEqual(['warn: alert halt: HALTED by me: why', 'warn: alert clock: no time', 'warn: alert disk: no room']);
  });

  test('the end of trouble is told once, silently, and only where the trouble was told', async () => {
    const { alerter, channel, log, pass } = alerterWith();
    alerter.raise(alert('silence', 'quotes again', { subject: 'feed', over: true }));
    alerter.raise(alert('silence', 'no quotes', { subject: 'feed' }));
    await pass(0);
    alerter.raise(alert('silence', 'quotes again', { subject: 'feed', over: true }));
    alerter.raise(alert('silence', 'quotes again', { subject: 'feed', over: true }));
    await pass(0);
    expect(log).toEqual(['warn: alert silence: no quotes', 'info: alert silence over: quotes again']);
    expect(channel.sent.map(({ title, silent }) => [title, silent])).toEqual([
      ['bot PAPER: no quotes', false],
      ['bot PAPER: quotes again', true],
    ]);
  });
});

describe('limits', () => {
  test('the same trouble is told once in ten minutes, and at their end where it still stands', async () => {
    const { alerter, channel, pass } = alerterWith();
    for (let minute = 0; minute < 10; minute++) {
      alerter.raise(alert('trouble', 'again'));
      await pass(minute === 9 ? 59_999 : 60_000);
    }
    expect(channel.titles).toEqual(['bot PAPER: again']);
    await pass(1);
    expect(channel.titles).toEqual(['bot PAPER: again', 'bot PAPER: again (9 more times within 10 min)']);
  });

  test('a stop within the ten minutes tells what was only counted until then, and nothing of what has ended', async () => {
    const { alerter, channel, pass } = alerterWith({ perMinute: 60 });
    for (let time = 0; time < 3; time++) {
      for (const subject of ['stays', 'ends']) alerter.raise(alert('trouble', subject));
      await pass(1_000);
    }
    alerter.raise(alert('trouble', 'ends', { over: true }));
    await alerter.close(2_000);
    expect(channel.titles.slice(2).map((title) => title.slice(11))).toEqual(['ends', 'stays (2 more times within 10 min)']);
  });

  test('another cause of the same subject is told at once, and is no repetition of the first', async () => {
    const { alerter, channel, pass } = alerterWith({ perMinute: 60 });
    for (const cause of ['FROZEN', 'NO_QUOTES', 'FROZEN', 'NO_QUOTES']) {
      alerter.raise(alert('blocked', `cannot trade: ${cause}`, { subject: 'blocked hold', cause }));
      await pass(30_000);
    }
    expect(channel.titles).toEqual(['bot PAPER: cannot trade: FROZEN', 'bot PAPER: cannot trade: NO_QUOTES']);
    alerter.raise(alert('blocked', 'can trade again', { subject: 'blocked hold', over: true }));
    await pass(600_000);
    expect(channel.titles.slice(2)).toEqual(['bot PAPER: can trade again']);
  });

  test('what has become urgent does not wait', async () => {
    const { alerter, channel, pass } = alerterWith({ perMinute: 1 });
    alerter.raise(alert('silence', 'no quotes', { subject: 'feed' }));
    await pass(0);
    alerter.raise(alert('silence', 'still no quotes', { subject: 'feed', changed: true, urgent: true }));
    await pass(0);
    expect(channel.sent.map(({ title, urgent }) => [title, urgent])).toEqual([
      ['bot PAPER: no quotes', false],
      ['bot PAPER: still no quotes', true],
    ]);
  });

  test('trouble that comes and goes is told once; a halt, a stop by losses or a disabled strategy after its end is told at once', async () => {
    const { alerter, channel, pass } = alerterWith({ perMinute: 60 });
    for (const event of ['silence', 'halt', 'drawdown', 'strategy'] as const) {
      for (let time = 0; time < 2; time++) {
        alerter.raise(alert(event, `${event} ${time}`, { subject: 'it' }));
        await pass(1000);
        alerter.raise(alert(event, `${event} over`, { subject: 'it', over: true }));
        await pass(1000);
      }
    }
    await pass(600_000);
    expect(channel.titles.map((title) => title.slice(11))).toEqual([
      'silence 0',
      'silence over',
      'halt 0',
      'halt over',
      'halt 1',
      'halt over',
      'drawdown 0',
      'drawdown over',
      'drawdown 1',
      'drawdown over',
      'strategy 0',
      'strategy over',
      'strategy 1',
      'strategy over',
    ]);
  });

  test('more than the limit a minute waits and goes as one digest; a halt does not wait', async () => {
    const { alerter, channel, pass } = alerterWith();
    for (let n = 1; n <= 8; n++) {
      alerter.raise(alert('unknown', `order ${n}`));
      await pass(0);
    }
    expect(channel.titles).toEqual([1, 2, 3].map((n) => `bot PAPER: order ${n}`));
    alerter.raise(alert('halt', 'HALTED'));
    await pass(0);
    expect(channel.titles.at(-1)).toBe('bot PAPER: 6 alerts (5 unknown, 1 halt)');
    expect(
      channel.sent
        .at(-1)
        ?.text.split('\n')
        .map((line) => line.slice(9)),
    ).toEqual(['HALTED', ...[4, 5, 6, 7, 8].map((n) => `order ${n}`)]);
    alerter.raise(alert('unknown', 'order 9'));
    await pass(59_999);
    expect(channel.sent).toHaveLength(4);
    await pass(1);
    expect(channel.titles.at(-1)).toBe('bot PAPER: order 9');
  });
});

describe('F75 a channel that is dead', () => {
  test('is told of once, on the others and in the log; what waited goes as a digest once it works', async () => {
    const dead = new KeptChannel('dead');
    const other = new KeptChannel('other');
    const { alerter, log, pass } = alerterWith({ perMinute: 60 }, [dead, other]);
    dead.failing = 'answered 503';
    alerter.raise(alert('unknown', 'order 1'));
    await pass(0);
    alerter.raise(alert('unknown', 'order 2'));
    await pass(60_000);
    expect(other.titles.map((title) => title.slice(11))).toEqual(['order 1', 'alerts do not reach dead: answered 503', 'order 2']);
    expect(log.filter((line) => line.includes('dead'))).toEqual(['warn: alerts do not reach dead: answered 503']);
    expect(dead.tries).toBeLessThan(9);
    dead.failing = null;
    await pass(60_000);
    expect(dead.titles).toEqual(['bot PAPER: 2 alerts (2 unknown)']);
    expect(log.at(-1)).toBe('info: alerts reach dead again');
  });

  test('is tried again at the same times while alerts keep coming, and brings a halt once it works', async () => {
    const channel = new KeptChannel();
    const { alerter, pass } = alerterWith({}, [channel]);
    channel.failing = 'down';
    const tries: number[] = [];
    for (let second = 0; second <= 300; second++) {
      alerter.raise(alert('unknown', `order ${second}`));
      await settled();
      if (channel.tries > tries.length) tries.push(second);
      await pass(1_000);
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    channel.failing = null;
    alerter.raise(alert('halt', 'HALTED'));
    await pass(3_000);
    expect(channel.sent[0]?.events).toContain('halt');
  });

  test('holds a hundred: the oldest is lost, a halt is not, and the digest says how many were', async () => {
    const channel = new KeptChannel();
    const { alerter, pass } = alerterWith({}, [channel]);
    channel.failing = 'down';
    alerter.raise(alert('halt', 'HALTED'));
    for (let n = 0; n < MAX_WAITING + 4; n++) alerter.raise(alert('unknown', `order ${n}`));
    await pass(0);
    channel.failing = null;
    await pass(1_000);
    const [digest] = channel.sent;
    expect(digest?.title).toBe('bot PAPER: 105 alerts (1 halt, 99 unknown)');
    expect(digest?.text).toMatch(/^00:00:00 HALTED\n[\s\S]*order 103\nand 80 more\nand 5 lost: the queue was full$/);
  });

  test('half of a letter in an alert, or one of endless length, is no message that a channel refuses again and again', async () => {
    const { alerter, channel, pass } = alerterWith();
    alerter.raise(alert('halt', `HALTED by \ud83d${'x'.repeat(200_000)}`, { text: `${'x'.repeat(9_998)}😀😀` }));
    await pass(0);
    const [sent] = channel.sent;
    expect([sent?.title.isWellFormed(), sent?.text.isWellFormed()]).toEqual([true, true]);
    expect(sent?.title.length).toBe(1_000);
    expect(sent?.text).toMatch(/x\ufffd…$/);
  });

  test('a stop delivers what waits whatever the limit, and does not wait for a channel that fails', async () => {
    const dead = new KeptChannel('dead');
    const good = new KeptChannel('good');
    const { alerter, timers, pass } = alerterWith({ perMinute: 1 }, [dead, good]);
    dead.failing = 'down';
    for (let n = 1; n <= 3; n++) {
      alerter.raise(alert('unknown', `order ${n}`));
      await pass(0);
    }
    await alerter.close(2_000);
    expect(good.titles.at(-1)).toMatch(/\d alerts \(/);
    expect(timers.pending).toBe(0);
  });
});
