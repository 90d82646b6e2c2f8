import { buy, mid, strategy } from 'kairos/strategy';

/** Buys twice its amount, one quote after the other, whenever it is flat: what closes that is a rule of `exits`. */
export default strategy({
  name: 'reopen',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_mid, { position, amount }) => (position.entries < 2 ? buy(amount, 'not yet twice') : undefined),
});
