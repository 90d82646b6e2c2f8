import { expect, test } from 'vitest';
import { practiseRequests } from '../../src/wire/order-practice.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { serviceSettings } from './support/service-settings.ts';

test.each([
  ['with the keys of a service', {}],
  ['without keys', { apiKey: null, apiSecret: null, userId: null }],
  ['under a brand of its own', { brand: 'other-broker' }],
])('before the first order requests are signed, dispatched and answered, and none of them goes anywhere: %s', async (_what, changes) => {
  const timers = new VirtualTimers();
  expect(await practiseRequests(serviceSettings(changes), timers)).toBe(20);
});
