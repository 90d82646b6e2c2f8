import { above, mid, observe, param, sma, strategy, towards } from 'kairos/strategy';

/** Long while the fast moving average of the mid is above the slow one; flat below, or short if the account allows it. */
export default strategy({
  name: 'sma-cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2, sweep: [20, 200, 20] }) },
  where: (p) => p.fast < p.slow,
  warmup: ({ slow }) => ({ quotes: slow }),
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', sma(fast)), observe('slow', sma(slow)))),
  decide: (fast, view) => towards(fast === 'above' ? 'long' : 'short', view, { reason: `fast ${fast} slow` }),
});
