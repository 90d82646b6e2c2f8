import { expect, test } from 'vitest';
import { buy, mid, strategy } from '#core/strategy/index.ts';
import { laneIdOf } from '#domain/names.ts';
import { btcLane } from '../support/market-data.ts';
import { otherRun } from '../support/other-run.ts';
import type { Ways } from '../support/other-service.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests();

const buyer = strategy({
  name: 'buyer',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 ? buy(amount, 'in') : undefined),
});

/** Holds the lane's amount, and the lane is lost. */
function holding(): Rig {
  const rig = newRig({ strategies: { s: buyer }, reserve: 2 });
  rig.price();
  rig.answer(rig.last);
  return rig;
}

const lost = (rig: Rig, phase: 'lost' | 'refused' | 'disabled'): void =>
  rig.give({ kind: 'lane', change: { phase, lane: btcLane.id, epoch: 1, why: 'maintenance' } });
const close = (rig: Rig): void =>
  rig.give({ kind: 'command', command: { act: 'close', strategy: 's', product: null, pct: 100, who: 'ann', why: 'a test' } });
function lentQuote(rig: Rig): void {
  const lane = rig.lent.at(-1);
  if (!lane) throw new Error('no lane was lent');
  rig.ack(lane);
  rig.price(60_100, { lane: laneIdOf(lane.id), afterMs: 100 });
}

test.each(['lost', 'refused', 'disabled'] as const)('a close whose lane is %s is lent another at once, and closes there', (phase) => {
  const rig = holding();
  lost(rig, phase);
  close(rig);
  expect(rig.lent).toHaveLength(1);
  lentQuote(rig);
  expect(rig.broker.submitted.map(({ side }) => side)).toEqual(['buy', 'sell']);
  rig.answer(rig.last);
  expect(rig.givenBack).toHaveLength(1);
});

test('an exit at work whose lane is lost is lent another after a second, and again where that brings nothing', () => {
  const rig = holding();
  close(rig);
  rig.moveBy(500);
  const sold = rig.broker.submitted.length;
  if (sold === 2) rig.answer(rig.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
  lost(rig, 'lost');
  rig.moveBy(900);
  expect(rig.lent).toHaveLength(0);
  rig.moveBy(200);
  expect(rig.lent).toHaveLength(1);
  rig.moveBy(1600);
  expect(rig.lent.length).toBeGreaterThan(1);
  lentQuote(rig);
  expect(rig.broker.submitted.at(-1)?.side).toBe('sell');
});

test('a close whose lane is up is lent nothing', () => {
  const rig = holding();
  close(rig);
  rig.moveBy(5000);
  expect(rig.lent).toHaveLength(0);
});

/** Answers each subscription within the first seconds with ERR. */
const maintenance = (endsAfter: number): Ways => {
  let refused = 0;
  return {
    subscription(asked, connection) {
      if (refused >= endsAfter) return asked;
      refused += 1;
      connection.say({ msgType: 'ERR', errorMsg: 'maintenance' });
      return null;
    },
  };
};

test('a service in maintenance is asked again until it is over, and is traded on then', async () => {
  const run = await otherRun({ ways: maintenance(5), settings: 'lanes: { reserve: 1 }' });
  try {
    expect(await run.trades(2), run.notices.join('\n')).toBe(true);
    expect(run.notices.filter((line) => /refused the subscription 5 times: maintenance/.test(line))).toHaveLength(1);
    const { ledger, venue } = await run.books();
    expect(ledger).toEqual(venue);
  } finally {
    await run.stop();
  }
});

test.each<[string, Ways]>([
  [
    'late',
    { feed: (message) => (message.msgType === 'ACK' ? [] : [message]), connected: (one) => void setTimeout(() => one.say(ackOf()), 700) },
  ],
  ['unasked again and again', { feed: (message) => (message.msgType === 'TQ' ? [ackOf(), message] : [message]) }],
  ['with 0 for what was not given', { feed: (message) => (message.msgType === 'ACK' ? [ackOf({ inputValue: 0 })] : [message]) }],
  [
    'in texts and other letters',
    {
      feed: (message) =>
        message.msgType === 'ACK' ? [ackOf({ quoteType: 'trading', productCode: 'BTCUSD', inputSize: '0.010' })] : [message],
    },
  ],
])('an ACK that comes %s lets the lane trade', async (_how, ways) => {
  const run = await otherRun({ ways, settings: 'lanes: { reserve: 1 }' });
  try {
    expect(await run.trades(2), run.notices.join('\n')).toBe(true);
    const { ledger, venue } = await run.books();
    expect(ledger).toEqual(venue);
  } finally {
    await run.stop();
  }
});

function ackOf(query: object = {}): object {
  return { msgType: 'ACK', query: { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01, inputValue: null, ...query } };
}
