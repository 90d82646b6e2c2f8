import { expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import pair from '../../strategies/pair.ts';
import { btcLane, btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const eth = productCode('ethusd');
const ethLane = laneFor(eth, { base: decimalOf('0.2') });

const newRig = rigsOfTests({
  strategies: { p: pair },
  params: { quotes: 4, enter: 1.5, exit: 0.5 },
  inputs: { hedge: { kind: 'lane', product: eth, source: ethLane.id } },
  lanes: [btcLane, ethLane],
  canShort: true,
  reserve: 2,
});

function rig(options: Partial<RigOptions> = {}): Rig {
  const r = newRig(options);
  r.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), code: eth }] });
  return r;
}

const ethQuote = (r: Rig) => quote({ product: 'ethusd', buy: 2_500, lane: ethLane.id, size: 0.2, validUntil: r.clock.now() + 3000 });

/** The main price moves, the other one stands; every order is filled. What was ordered at each price. */
function play(r: Rig, prices: readonly number[], answer = (r: Rig) => r.answer(r.last)): string[] {
  return prices.map((price) => {
    const from = r.broker.submitted.length;
    let answered = from;
    r.moveBy(500);
    for (const one of [ethQuote(r), quote({ buy: price, validUntil: r.clock.now() + 3000 })]) {
      r.quote(one);
      for (; r.broker.submitted.length > answered; answered++) answer(r);
    }
    const orders = r.broker.submitted.slice(from).map(({ side, product }) => `${side} ${product}`);
    return orders.join(', ') || '-';
  });
}

test('buys the cheap one and sells the dear one short, and closes both when the ratio is back', () => {
  // It warms up on a quote more than its window has. The fifth price is 1.7 deviations below the mean of four, the sixth 0.3.
  expect(play(rig(), [60_000, 60_000, 60_000, 60_000, 59_000, 59_800])).toEqual([
    '-',
    '-',
    '-',
    '-',
    'buy btcusd, sell ethusd',
    'sell btcusd, buy ethusd',
  ]);
  expect(play(rig(), [60_000, 60_000, 60_000, 60_000, 61_000, 60_200])).toEqual([
    '-',
    '-',
    '-',
    '-',
    'sell btcusd, buy ethusd',
    'buy btcusd, sell ethusd',
  ]);
});

test('says so and does nothing where the dear one may not be sold short', () => {
  const r = rig({ canShort: false });
  expect(play(r, [60_000, 60_000, 60_000, 60_000, 59_000])).toEqual(['-', '-', '-', '-', '-']);
  expect(r.rows().at(-1)).toMatchObject({ kind: 'hold', detail: { why: 'account.allowShort has not the dear one' } });
});

test('a second leg that comes to nothing undoes the first', () => {
  const r = rig({ params: { quotes: 20, enter: 1.5, exit: 0.5 } });
  const refused = { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 } as const;
  const answer = (r: Rig) => r.answer(r.last, r.last.product === eth ? refused : {});
  const orders = play(r, [...new Array<number>(19).fill(60_000), ...new Array<number>(13).fill(59_000)], answer);
  expect(orders.filter((order) => order !== '-')).toEqual(['buy btcusd, sell ethusd', 'sell ethusd', 'sell ethusd', 'sell btcusd']);
  expect(r.rows().map(({ kind }) => kind)).toContain('leg_failed');
});
