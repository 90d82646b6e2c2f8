import { expect, test } from 'vitest';
import { RequestPractice } from '#adapters/service/orders/order-practice.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { serviceSettings } from '../support/service-settings.ts';

test.each([
  ['with the keys of a service', {}],
  ['without keys', { apiKey: null, apiSecret: null, userId: null }],
  ['under a brand of its own', { brand: 'other-broker' }],
])('before the first order requests are signed, dispatched and answered, and none of them goes anywhere: %s', async (_what, changes) => {
  const timers = new VirtualTimers();
  const practice = new RequestPractice(serviceSettings(changes), timers);
  expect(await practice.play(20)).toBe(20);
  expect(await practice.play(1)).toBe(21);
});
