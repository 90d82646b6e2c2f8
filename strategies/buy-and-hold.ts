import { buy, strategy } from 'kairos/strategy';

/** Buys at the first tradable quote while it is flat, and holds: the benchmark for every other strategy. */
export default strategy({
  name: 'buy-and-hold',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isFlat ? buy(amount, 'to hold') : undefined),
});
