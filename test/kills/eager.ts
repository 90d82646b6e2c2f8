import { buy, sell, strategy } from 'kairos/strategy';

/** In and out on every quote: as many orders on their way as the order placer allows, for runs that are killed. */
export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
