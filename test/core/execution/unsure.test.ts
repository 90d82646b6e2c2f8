import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { unsureCheck } from '#core/execution/unsure.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { OrderCore } from '#domain/order.ts';
import { BTC } from '../../support/market-data.ts';
import { inState, OWNER } from '../../support/orders.ts';
import { planOf, wants, working } from './working.ts';

const signed = ({ side, figures }: Pick<OrderCore, 'side' | 'figures'>): Decimal =>
  side === 'buy' ? figures.size : figures.size.negated();

/** What may be held, for each way in which the open orders may turn out. */
function possible(held: Decimal, orders: readonly OrderCore[]): readonly Decimal[] {
  return orders.reduce<readonly Decimal[]>((all, order) => all.flatMap((one) => [one, one.plus(signed(order))]), [held]);
}

const open = fc.array(fc.record({ side: fc.constantFrom('buy' as const, 'sell' as const), hundredths: fc.integer({ min: 1, max: 5 }) }), {
  maxLength: 4,
});

property.prop([fc.integer({ min: -6, max: 6 }), open, fc.constantFrom('position', 'percent', 'target')], { numRuns: 300 })(
  'I07b whatever orders of unknown outcome turn out to be, no exit makes a position cross zero, nor a second one after it',
  (hundredths, orders, kind) => {
    const w = working({ reserve: 1 });
    const held = decimalOf(hundredths).div(100);
    if (!held.isZero()) w.holding(held.toString());
    const unknown: OrderCore[] = orders.map(({ side, hundredths: n }, index) =>
      inState('unknown', { id: `0-${index}`, side, size: decimalOf(n).div(100).toString() }),
    );
    for (const order of unknown) w.context.books.track({ ...order, state: 'unknown', since: 0 });
    const certain = possible(held, unknown).reduce((least, one) => (one.abs().lt(least.abs()) ? one : least), held);
    const crosses = possible(held, unknown).some((one) => one.isPositive() !== held.isPositive() && !one.isZero());
    const size = {
      position: { kind: 'position' },
      percent: { kind: 'percent', percent: 50 },
      target: { kind: 'target', size: ZERO },
    } as const;
    w.quote(60_000);
    w.parentOrders.close(planOf([wants(null, { size: size[kind as keyof typeof size] })]));
    for (let n = 0; n < 2; n++) {
      const before = w.orders().length;
      w.quote(60_000);
      if (w.lent.length > w.givenBack.length) w.lentQuote();
      if (w.orders().length === before) break;
      const exit = w.last();
      for (const one of possible(held, unknown)) {
        const after = one.plus(signed(exit));
        expect(after.isZero() || after.isPositive() === one.isPositive(), `${one} became ${after}`).toBe(true);
        expect(after.abs().lt(one.abs())).toBe(true);
      }
      unknown.push(exit);
      w.unanswered();
    }
    const isSold = w.orders().length > 0;
    if (kind !== 'percent') expect(isSold, 'what is certain is sold').toBe(!crosses && !certain.isZero() && !held.isZero());
  },
);

test('an exit that cannot close more names the order that a person can settle, not one that is on its way', () => {
  const w = working();
  w.holding('0.01');
  for (const [id, state] of [
    ['0-1', 'sent'],
    ['0-2', 'unknown'],
  ] as const)
    w.context.books.track(inState(state, { id, side: 'sell' }));
  expect(unsureCheck(w.context.books, { strategy: OWNER, product: BTC })).toMatchObject({ passed: false, limit: '0-2' });
});

test('exits of unknown outcome do not count against risk.maxUnknown, what may open does, and after a restart it is the same', () => {
  const counted = (held: string, ...orders: readonly ['buy' | 'sell', string][]) => {
    const w = working();
    if (held !== '0') w.holding(held);
    for (const [n, [side, size]] of orders.entries()) w.context.books.track(inState('unknown', { id: `0-${n}`, side, size }));
    return [w.context.books.unknowns, w.context.books.unknownOpenings];
  };
  expect(counted('0.03', ['sell', '0.01'], ['sell', '0.02'])).toEqual([2, 0]);
  expect(counted('-0.03', ['buy', '0.01'], ['buy', '0.02'])).toEqual([2, 0]);
  expect(counted('0.03', ['sell', '0.01'], ['sell', '0.03']), 'one of them turns the position round').toEqual([2, 2]);
  expect(counted('0', ['buy', '0.01'])).toEqual([1, 1]);
  expect(counted('0.01', ['buy', '0.01'], ['sell', '0.01'])).toEqual([2, 1]);
});
