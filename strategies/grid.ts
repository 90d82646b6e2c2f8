import { buy, mid, param, sell, strategy } from 'kairos/strategy';

/**
 * Buys one amount each `stepPct` percent that the price falls below the last trade, up to `levels` of them, and sells one
 * that far above it. The last trade's price is kept over restarts. Wants a base amount, so that every trade has one size.
 */
export default strategy({
  name: 'grid',
  params: { stepPct: param.number(0.5, { min: 0.01, max: 50 }), levels: param.int(5, { min: 1, max: 100 }) },
  state: {
    initial: { anchor: 0, held: 0 },
    on: (grid, event) => {
      if (event.type === 'signal' && grid.anchor === 0) return { ...grid, anchor: Number(event.signal) };
      if (event.type !== 'outcome' || event.outcome.state !== 'accepted') return grid;
      const { price = grid.anchor, side } = event.outcome;
      return { anchor: price, held: grid.held + (side === 'buy' ? 1 : -1) };
    },
  },
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { state: { anchor, held }, amount, position }, { stepPct, levels }) => {
    const step = (anchor * stepPct) / 100;
    if (price <= anchor - step && held < levels) return buy(amount, 'a step below the last trade');
    // The last sale takes what is there: a fee in base currency leaves a little less than was bought.
    if (price >= anchor + step && position.isLong) return sell(held > 1 ? amount : 'position', 'a step above the last trade');
    return undefined;
  },
});
