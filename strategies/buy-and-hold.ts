import { buy, strategy } from 'kairos/strategy';

/** Buys once, at the first quote that can be had, and keeps it: what every other strategy has to beat. */
export default strategy({
  name: 'buy-and-hold',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isFlat ? buy(amount, 'to hold') : undefined),
});
