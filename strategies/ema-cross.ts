import { above, buy, close, ema, mid, observe, param, sell, strategy } from 'kairos/strategy';

/** As sma-cross, with exponential moving averages: quicker to turn, never out of its window at once. */
export default strategy({
  name: 'ema-cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2, sweep: [20, 200, 20] }) },
  where: (p) => p.fast < p.slow,
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', ema(fast)), observe('slow', ema(slow)))),
  decide: (standing, { position, amount, canShort }) => {
    if (standing === 'above') {
      if (position.isShort) return close(100, 'fast above slow: out of the short');
      return position.isFlat ? buy(amount, 'fast above slow') : undefined;
    }
    if (position.isLong) return sell('position', 'fast below slow');
    return canShort && position.isFlat ? sell(amount, 'fast below slow: short') : undefined;
  },
});
