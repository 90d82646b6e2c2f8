import { above, buy, close, mid, observe, param, sell, sma, strategy } from 'kairos/strategy';

/** Long while the fast moving average of the mid is above the slow one; flat below, or short where the account may be. */
export default strategy({
  name: 'sma-cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2, sweep: [20, 200, 20] }) },
  where: (p) => p.fast < p.slow,
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', sma(fast)), observe('slow', sma(slow)))),
  decide: (standing, { position, amount, canShort }) => {
    if (standing === 'above') {
      if (position.isShort) return close(100, 'fast above slow: out of the short');
      return position.isFlat ? buy(amount, 'fast above slow') : undefined;
    }
    if (position.isLong) return sell('position', 'fast below slow');
    return canShort && position.isFlat ? sell(amount, 'fast below slow: short') : undefined;
  },
});
