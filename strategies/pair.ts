import { buy, close, hold, lane, mid, observe, param, sell, strategy, zscore } from 'kairos/strategy';
import { map, withLatestFrom } from 'rxjs';

/**
 * Trades the ratio of two prices: buys the cheap product and sells the expensive one short when the ratio is `enter`
 * standard deviations off its mean, and closes both once it is back within `exit`. If one of the two legs fails, the
 * other is undone.
 */
export default strategy({
  name: 'pair',
  params: {
    quotes: param.int(600, { min: 2, sweep: [200, 1_000, 200] }),
    enter: param.number(2, { min: 0, sweep: [1.5, 3, 0.5] }),
    exit: param.number(0.5, { min: 0 }),
  },
  where: ({ enter, exit }) => exit < enter,
  inputs: { hedge: lane() },
  // The first quote may come before the other product has a price.
  warmup: ({ quotes }) => ({ quotes: quotes + 1 }),
  onLegFailure: 'unwind',
  signals: ({ quotes$, inputs }, { quotes }) =>
    quotes$.pipe(
      mid(),
      withLatestFrom(inputs.hedge.pipe(mid())),
      map(([main, hedge]) => main / hedge),
      zscore(quotes),
      observe('z'),
    ),
  decide: (z, { position, amount, canShort, lanes: { hedge } }, { enter, exit }) => {
    if (!hedge) return undefined;
    const there = { on: 'hedge', within: '5s' };
    if (position.isFlat && hedge.position.isFlat) {
      if (Math.abs(z) < enter) return undefined;
      if (!(z > 0 ? canShort : hedge.canShort)) return hold('account.allowShort has not the dear one');
      return z > 0
        ? [sell(amount, 'dear', { within: '5s' }), buy(hedge.amount, 'cheap', there)]
        : [buy(amount, 'cheap', { within: '5s' }), sell(hedge.amount, 'dear', there)];
    }
    const isCheap = position.isLong || hedge.position.isShort;
    if (isCheap ? z < -exit : z > exit) return undefined;
    return [
      ...(position.isFlat ? [] : [close(100, 'the ratio is back', { within: '5s' })]),
      ...(hedge.position.isFlat ? [] : [close(100, 'the ratio is back', there)]),
    ];
  },
});
