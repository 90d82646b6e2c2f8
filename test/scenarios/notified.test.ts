import { expect, test } from 'vitest';
import type { Command, InboxEvent } from '#domain/event.ts';
import type { NotificationState } from '#domain/notification.ts';
import depositDca from '../../strategies/deposit-dca.ts';
import { usd } from '../support/limits.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const by = { who: 'ann', why: 'a test' };
let transfers = 0;
function notified(status: NotificationState, amount: string | null): InboxEvent {
  transfers += 1;
  const deposit = amount === null ? null : { currency: 'usd', amount };
  const what = { type: 'DEPOSIT_CONFIRMED', transferId: `t-${transfers}`, body: '{}', earlier: null, by: null } as const;
  return { kind: 'notification', notified: { ...what, status, deposit } };
}

/** A strategy that buys from deposits as they come, an amount worth 600. */
const rig = rigsOfTests({ strategies: { dca: depositDca }, params: { sharePct: 80, everySeconds: 10 } });

const latched = (r: Rig) => {
  r.journal.flush();
  return r.journal.recover(r.clock.now()).latches.map(({ kind, strategy }) => `${kind} ${strategy}`);
};
const acts =
  (...commands: readonly Command[]) =>
  (r: Rig) => {
    for (const command of commands) r.give({ kind: 'command', command });
  };

test.each<[string, Partial<RigOptions>, (r: Rig) => void, readonly string[]]>([
  ['HALTED', {}, acts({ act: 'halt', ...by }), ['halted null']],
  ['REDUCING', {}, acts({ act: 'flatten', resume: false, ...by }), ['reducing null']],
  ['DISARMED', { arming: { arm: 'manual' } }, () => {}, ['disarmed null']],
  ['everything paused', {}, acts({ act: 'pause', strategy: null, ...by }), ['paused null']],
  ['its strategy paused', {}, acts({ act: 'pause', strategy: 'dca', ...by }), ['paused dca']],
])('I18 %s: no webhook orders anything or loosens what is latched, deposits of any size among them', (_state, options, shut, latches) => {
  const r = rig(options);
  shut(r);
  for (const event of [notified('booked', '2500'), notified('booked', '1e9'), notified('late', null), notified('unreadable', null)]) {
    r.give(event);
    r.price();
  }
  expect(r.broker.submitted).toEqual([]);
  expect(latched(r)).toEqual(latches);
});

test('I18 a limit on the value of an order stands however much a webhook brings', () => {
  const r = rig({ limits: { maxOrderValue: usd(599) } });
  r.price();
  r.give(notified('booked', '1000000'));
  r.price();
  expect([r.broker.submitted, r.story().at(-1)]).toEqual([[], 'refused MAX_ORDER_VALUE']);
});

test('I16 a transfer that a person accepts while it is delivered again is booked once', () => {
  const r = rig();
  const again = notified('booked', '100');
  if (again.kind !== 'notification') throw new Error('no notification');
  r.give({ ...again, notified: { ...again.notified, by } });
  r.give(again);
  r.give({ ...again, notified: { ...again.notified, body: '{"attempt":1}' } });
  r.give(notified('booked', '50'));
  expect(r.story().filter((row) => row !== 'state')).toEqual([
    'notification BY_PERSON',
    'booked BY_PERSON',
    'notification BY_WEBHOOK',
    'booked BY_WEBHOOK',
  ]);
});
