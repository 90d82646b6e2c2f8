import { buy, sell, strategy } from 'kairos/strategy';

/** In and out as often as it may, so that a few seconds show what a service does with orders of both sides. */
export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
