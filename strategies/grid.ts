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
    /** The price of the last trade, and to where a grid that holds nothing has followed the price since. */
    initial: { anchor: 0, top: 0 },
    on: (grid, event, { stepPct, follow }) => {
      if (event.type === 'signal') {
        const price = Number(event.signal);
        if (grid.anchor === 0) return { ...grid, anchor: price };
        const isAhead = follow && price >= Math.max(grid.anchor, grid.top) * (1 + stepPct / 100);
        return isAhead ? { ...grid, top: price } : grid;
      }
      if (event.type !== 'outcome' || event.outcome.state !== 'accepted') return grid;
      return { anchor: event.outcome.price ?? grid.anchor, top: 0 };
    },
  },
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { state, amount, position }, { stepPct, levels }) => {
    const anchor = position.isFlat ? Math.max(state.anchor, state.top) : state.anchor;
    const step = (anchor * stepPct) / 100;
    // Rounded, since a fee in base currency leaves slightly less than was bought.
    const held = Math.round(position.size / ('base' in amount ? Number(amount.base) : Number(amount.quote) / price));
    if (price <= anchor - step && held < levels) return buy(amount, 'a step below the last trade');
    // The last sale closes the rest.
    if (price >= anchor + step && position.isLong) return sell(held > 1 ? amount : 'position', 'a step above the last trade');
    return undefined;
  },
});
