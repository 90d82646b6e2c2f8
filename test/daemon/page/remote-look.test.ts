import { expect, test } from 'vitest';
import { RemotePoll } from '#daemon/page/remote-poll.ts';
import { KairosError } from '#domain/errors.ts';
import type { RemoteStrategy } from '#domain/remote.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const ONE: RemoteStrategy = {
  strategyId: 's-1',
  version: 1,
  eventTime: '2026-01-01T00:00:00Z',
  state: { status: 'ACTIVE' },
  uiParams: { productCode: { value: 'btcusd' }, amount: 500, note: 'x'.repeat(500) },
};

/** A service whose answers the test gives one after the other. */
function service() {
  const waiting: PromiseWithResolvers<readonly RemoteStrategy[] | null>[] = [];
  const find = () => {
    const asked = Promise.withResolvers<readonly RemoteStrategy[] | null>();
    waiting.push(asked);
    return asked.promise;
  };
  return { find, waiting };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what the service reads back is told with its state and parameters, long ones cut', async () => {
  const look = new RemotePoll({ find: async () => [ONE] }, new VirtualTimers());
  const view = JSON.parse(await look.read());
  expect(view).toMatchObject({ why: null, strategies: [{ id: 's-1', state: [{ name: 'status', text: 'ACTIVE' }] }] });
  const [product, amount, note] = view.strategies[0].params;
  expect([product.text, amount.text, note.text.length]).toEqual(['btcusd', '500', 120]);
});

test.each<[string, () => Promise<null>, string]>([
  ['a service that reads nothing back', async () => null, 'does not read its strategies back'],
  ['a service that refuses', async () => Promise.reject(new KairosError('SERVICE_REFUSED', 'it answered with 401')), '401'],
])('%s: the page is told why there is no list', async (_what, find, why) => {
  expect(JSON.parse(await new RemotePoll({ find }, new VirtualTimers()).read())).toMatchObject({
    strategies: [],
    why: expect.stringContaining(why),
  });
});

test('a list of which not all could be read is told with what could, and why it is not all', async () => {
  const find = async (onUnread: (why: string) => void) => {
    onUnread('1 of 2 strategies without a strategyId');
    return [ONE];
  };
  expect(JSON.parse(await new RemotePoll({ find }, new VirtualTimers()).read())).toMatchObject({
    strategies: [{ id: 's-1' }],
    why: '1 of 2 strategies without a strategyId',
  });
});

test('however many pages ask, the service is asked one question at a time, two seconds apart, and nobody gets an answer older than the asking', async () => {
  const timers = new VirtualTimers();
  const { find, waiting } = service();
  const look = new RemotePoll({ find }, timers);
  const first = look.read();
  await settled();
  // Asked while the first is on its way: what they want to see may have happened since.
  const second = [look.read(), look.read()];
  await settled();
  expect(waiting).toHaveLength(1);
  waiting[0]?.resolve([]);
  expect(JSON.parse(await first).strategies).toEqual([]);
  await settled();
  timers.advance(1_999);
  await settled();
  expect(waiting).toHaveLength(1);
  timers.advance(1);
  await settled();
  expect(waiting).toHaveLength(2);
  waiting[1]?.resolve([ONE]);
  for (const answer of await Promise.all(second)) expect(JSON.parse(answer).strategies).toHaveLength(1);
});
