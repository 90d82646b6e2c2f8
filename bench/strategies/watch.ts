import { crossing, mid, observe, sma, strategy } from 'kairos/strategy';

/** Follows two averages and never trades: what a lane costs while nothing is decided. */
export default strategy({
  name: 'watch',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), crossing(observe('fast', sma(5)), observe('slow', sma(20)))),
  decide: () => undefined,
});
