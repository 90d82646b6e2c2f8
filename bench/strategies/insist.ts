import { buy, mid, strategy } from 'kairos/strategy';

/** Wants to buy at every quote, at a price that nobody offers: one refusal a quote. */
export default strategy({
  name: 'insist',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_mid, { amount }) => buy(amount, 'far below the market', { limit: 0.01 }),
});
