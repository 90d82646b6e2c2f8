import { expect, test } from 'vitest';
import type { Decision } from '#domain/decision.ts';
import { accepted, orderFacts, permits, rejected, row, sent, unknown } from '../adapters/journal/order-rows.ts';
import { InvariantWatch } from '../support/invariants.ts';

const first = orderFacts(1);
const second = orderFacts(2);
const sale = orderFacts(3, { side: 'sell' });
const by = { who: 'anna', why: 'a test' };
const [intent, approved] = permits(first);
const expired = row('expired', { timeLeftMs: 1 }, { order: first, reason: 'GATE_TIME_LEFT' });
const capped = (limit: string): Decision =>
  row(
    'approved',
    {
      order: second,
      checks: [{ check: 'MAX_POSITION_VALUE', passed: true, figure: '610', limit }],
      timeLeftMs: 3000,
    },
    { order: second },
  );

/** What the rows tell, and the invariants that they break; each kind of break is here so that the judge is seen to notice it. */
const stories: readonly (readonly [string, readonly (Decision | undefined)[], readonly string[]])[] = [
  ['bought and sold', [...permits(first), sent(first), accepted(first), ...permits(sale), sent(sale), accepted(sale)], []],
  [
    'an unknown that a person settles',
    [...permits(first), unknown(first), row('resolved', { ...by, as: 'rejected', fill: null }, { order: first })],
    [],
  ],
  ['an exit while only exits may pass', [...permits(first), sent(first), accepted(first), row('reducing', by), ...permits(sale)], []],
  ['an order without an intent', [approved], ['I01']],
  ['an answer to an order that nobody approved', [sent(first)], ['I01']],
  ['a quote used twice', [...permits(first), ...permits({ ...second, quoteId: first.quoteId })], ['I02']],
  ['an order approved twice', [intent, approved, intent, approved], ['I03', 'I02']],
  ['an order written twice', [...permits(first), sent(first), sent(first)], ['I03']],
  ['an unknown that a timer ends', [...permits(first), unknown(first), expired], ['I04']],
  [
    'an unknown that nobody settled',
    [...permits(first), unknown(first), row('resolved', { who: '', why: '', as: 'rejected', fill: null }, { order: first })],
    ['I04'],
  ],
  ['a second word on an order', [...permits(first), sent(first), accepted(first), rejected(first)], ['I04']],
  ['an opening in a frozen product', [...permits(first), sent(first), unknown(first), ...permits(second)], ['I04']],
  ['an opening beyond the limit, counting what is on its way', [...permits(first), permits(second)[0], capped('1000')], ['I05']],
  [
    'an order that a check had refused',
    [
      intent,
      row(
        'approved',
        { order: first, checks: [{ check: 'BUDGET', passed: false, figure: '610', limit: '1' }], timeLeftMs: 1 },
        { order: first },
      ),
    ],
    ['I05'],
  ],
  ['an answer to an order that never passed the gate', [...permits(first), accepted(first)], ['I06']],
  ['an order that expired after it was written', [...permits(first), sent(first), expired], ['I06']],
  ['an order after a halt', [row('halted', by), ...permits(first)], ['I07']],
  ['an opening while only exits may pass', [row('reducing', by), ...permits(first)], ['I09']],
  ['an order before anything is armed', [row('disarmed', by), ...permits(first)], ['I09']],
  ['an opening of a paused strategy', [row('paused', by, { strategy: 'sma' }), ...permits(first)], ['I09']],
  ['a halt ended by nobody', [row('halted', by), row('resumed', { who: '', why: '' })], ['I09']],
  ['a figure that no exact number is', permits(orderFacts(1, { value: 'NaN' })), ['I12']],
  ['an order of a disabled strategy', [row('disabled', by, { strategy: 'sma' }), ...permits(first)], ['F68']],
];

test.each(stories)('%s', (_, rows, broken) => {
  const watch = new InvariantWatch();
  for (const one of rows) if (one) watch.take(one);
  expect(watch.broken.map((text) => text.slice(0, 3))).toEqual(broken);
});

test('within the limit with what is on its way, nothing is broken', () => {
  const watch = new InvariantWatch();
  for (const one of [...permits(first), permits(second)[0], capped('1300')]) if (one) watch.take(one);
  expect(watch.broken).toEqual([]);
  expect(watch.onTheirWay).toEqual([first.id, second.id]);
});
