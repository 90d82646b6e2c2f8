import { buy, mid, param, sell, strategy } from 'kairos/strategy';

/**
 * Buys one amount each `stepPct` percent that the price falls below the last trade, up to `levels` of them, and sells
 * one that far above it. With `follow` the grid follows a rising price step by step while the position is flat. State
 * survives restarts. Needs a base amount: every trade has the same size.
 */
export default strategy({
  name: 'grid',
  params: {
    stepPct: param.number(0.5, { min: 0.01, max: 50, sweep: [0.1, 1, 0.1] }),
    levels: param.int(5, { min: 1, max: 100, sweep: [2, 10, 2] }),
    follow: param.bool(false),
  },
  state: {
    initial: { anchor: 0, held: 0 },
    on: (grid, event, { stepPct, follow }) => {
      if (event.type === 'signal') {
        const price = Number(event.signal);
        const isAhead = follow && grid.held === 0 && price >= grid.anchor * (1 + stepPct / 100);
        return grid.anchor === 0 || isAhead ? { ...grid, anchor: price } : grid;
      }
      if (event.type !== 'outcome' || event.outcome.state !== 'accepted') return grid;
      const { price = grid.anchor, side } = event.outcome;
      return { anchor: price, held: grid.held + (side === 'buy' ? 1 : -1) };
    },
  },
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { state: { anchor, held }, amount, position }, { stepPct, levels }) => {
    const step = (anchor * stepPct) / 100;
    if (price <= anchor - step && held < levels) return buy(amount, 'a step below the last trade');
    // The last sale closes the rest: a fee in base currency leaves slightly less than was bought.
    if (price >= anchor + step && position.isLong) return sell(held > 1 ? amount : 'position', 'a step above the last trade');
    return undefined;
  },
});
