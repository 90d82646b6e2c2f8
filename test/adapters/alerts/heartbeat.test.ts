import { expect, onTestFinished, test } from 'vitest';
import { OutwardHeartbeat } from '#adapters/alerts/heartbeat.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { startReceiver } from './receiver.ts';

test('a heartbeat goes out once a minute while the daemon is well; what fails is told once, without the address', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const timers = new VirtualTimers();
  const notices: string[] = [];
  const address = `${receiver.url}/ping/of-my-own`;
  const heartbeat = new OutwardHeartbeat(address, { timers, notice: (level, text) => notices.push(`${level}: ${text}`) });
  onTestFinished(() => heartbeat.close());
  await heartbeat.beat();
  await heartbeat.beat();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/ping/of-my-own']);
  receiver.answer = { status: 404, body: `no check ${address}` };
  for (let minute = 0; minute < 2; minute++) {
    timers.advance(60_000);
    await heartbeat.beat();
  }
  expect(receiver.received).toHaveLength(3);
  expect(notices).toEqual(['warn: alerts.heartbeat is not heard: answered 404: no check [set]']);
});
