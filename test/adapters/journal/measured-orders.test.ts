import { expect, onTestFinished, test } from 'vitest';
import { measuredOrders } from '#adapters/journal/measured-orders.ts';
import { buy, strategy } from '#core/strategy/index.ts';
import { quote } from '../../support/market-data.ts';
import { Rig } from '../../support/rig.ts';

test('orders that reached the gate are measured, by what the service itself said', () => {
  const eager = strategy({ name: 'eager', signals: ({ quotes$ }) => quotes$, decide: (_quote, { amount }) => buy(amount, 'always') });
  const rig = new Rig({ strategies: { one: eager }, limits: { maxUnknown: null } });
  onTestFinished(() => {
    rig.close();
    rig.remove();
  });
  const order = () => {
    rig.moveBy(400);
    rig.quote(quote({ validUntil: rig.clock.now() + 3000 }));
    return rig.last;
  };
  const written = (one: ReturnType<typeof order>) => {
    rig.moveBy(4);
    rig.report(one, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: rig.clock.now() });
    rig.moveBy(30);
  };
  const answered = { type: 'answered', httpStatus: 201, body: '{}', roundTripMs: 30, figures: {}, late: false, why: '' } as const;
  const expired = order();
  rig.moveBy(7);
  rig.report(expired, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 20 });
  const accepted = order();
  written(accepted);
  rig.report(accepted, { ...answered, outcome: 'accepted', reason: 'HTTP_OK' });
  const refused = order();
  written(refused);
  rig.report(refused, { ...answered, outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, body: 'no' });
  const lost = order();
  written(lost);
  rig.report(lost, { ...answered, outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  rig.journal.flush();

  const rows = measuredOrders(rig.path, null);
  expect(rows.map(({ quoteId, intentAt, body, ...row }) => row)).toEqual([
    { outcome: 'expired', gateMs: 7, roundTripMs: null, httpStatus: null, late: false },
    { outcome: 'accepted', gateMs: 4, roundTripMs: 30, httpStatus: 201, late: false },
    { outcome: 'rejected', gateMs: 4, roundTripMs: 30, httpStatus: 422, late: false },
    { outcome: 'unknown', gateMs: 4, roundTripMs: null, httpStatus: null, late: false },
  ]);
  expect(rows.map(({ quoteId }) => quoteId)).toEqual([expired, accepted, refused, lost].map(({ quoteId }) => quoteId));
  expect(measuredOrders(rig.path, 'another-run')).toEqual([]);
});
