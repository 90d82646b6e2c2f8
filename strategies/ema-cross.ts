import { above, ema, mid, observe, param, strategy, towards } from 'kairos/strategy';

/** As sma-cross, with exponential moving averages: it turns sooner, and no price drops out of its window at once. */
export default strategy({
  name: 'ema-cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2, sweep: [20, 200, 20] }) },
  where: (p) => p.fast < p.slow,
  warmup: ({ slow }) => ({ quotes: slow }),
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', ema(fast)), observe('slow', ema(slow)))),
  decide: (fast, view) => towards(fast === 'above' ? 'long' : 'short', view, { reason: `fast ${fast} slow` }),
});
