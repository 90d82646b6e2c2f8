import { describe, expect, test } from 'vitest';
import type { PastView } from '#server/page/past-view.ts';
import { soFarOf } from '../../web/words/so-far.ts';

const past = (whole: boolean): PastView => ({
  ...{
    run: 'r',
    seq: 7,
    booked: 3,
    whole,
    latches: [],
    holdings: [],
    closed: [],
    roundTrips: [],
    notifications: [],
    schedule: [],
    remote: [],
  },
  strategies: [
    {
      ...{ id: 'cross', last: null, orders: 3, fills: 2, refusals: 1 },
      costs: [{ currency: 'usd', fee: 0.5, spread: 0.2, slippage: 0.1 }],
      closedToday: [{ currency: 'usd', profit: -99.5, trades: 150, course: [-99.5] }],
    },
  ],
});

describe('what the page shows of a strategy', () => {
  test('is unknown, and no zero, before the journal is read', () => {
    expect(soFarOf('cross', null)).toEqual({ closedToday: null, run: null });
  });

  test('is what it closed today but not what it did, while rows of the run are being read', () => {
    expect(soFarOf('cross', past(false))).toEqual({
      closedToday: [{ currency: 'usd', profit: -99.5, trades: 150, course: [-99.5] }],
      run: null,
    });
    expect(soFarOf('idle', past(false)).run).toBeNull();
  });

  test('is nothing only for one that the whole of what was read does not name', () => {
    expect(soFarOf('cross', past(true)).run).toMatchObject({ orders: 3, fills: 2 });
    expect(soFarOf('idle', past(true))).toMatchObject({ closedToday: [], run: { last: null, orders: 0 } });
  });
});
