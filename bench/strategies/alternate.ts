import { above, buy, mid, observe, sell, sma, strategy } from 'kairos/strategy';

/** Buys on one quote and sells on the next, for ever: an order on every quote, with the signals of a real strategy behind it. */
export default strategy({
  name: 'alternate',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), above(observe('fast', sma(2)), observe('slow', sma(4)))),
  decide: (_standing, { position, amount }) => (position.isFlat ? buy(amount, 'flat') : sell('position', 'long')),
});
