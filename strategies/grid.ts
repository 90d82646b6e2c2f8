import { buy, mid, param, sell, strategy } from 'kairos/strategy';

interface Grid {
  /** The price of the last trade. */
  readonly anchor: number;
  /** To where a grid that holds nothing has followed the price since. */
  readonly top?: number;
}

const initial: Grid = { anchor: 0 };

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
    initial,
    on: (grid, event, { stepPct, follow }) => {
      if (event.type === 'signal') {
        const price = Number(event.signal);
        if (grid.anchor === 0) return { ...grid, anchor: price };
        const isAhead = follow && price >= Math.max(grid.anchor, grid.top ?? 0) * (1 + stepPct / 100);
        return isAhead ? { ...grid, top: price } : grid;
      }
      if (event.type !== 'outcome' || event.outcome.state !== 'accepted') return grid;
      return { anchor: event.outcome.price ?? grid.anchor };
    },
  },
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { state, amount, position }, { stepPct, levels }) => {
    const anchor = position.isFlat ? Math.max(state.anchor, state.top ?? 0) : state.anchor;
    const step = (anchor * stepPct) / 100;
    // Rounded, since a fee in base currency leaves slightly less than was bought.
    const held = Math.round(position.size / ('base' in amount ? Number(amount.base) : Number(amount.quote) / (position.average ?? price)));
    if (price <= anchor - step && held < levels) return buy(amount, 'a step below the last trade');
    // The last sale closes the rest.
    if (price >= anchor + step && position.isLong) return sell(held > 1 ? amount : 'position', 'a step above the last trade');
    return undefined;
  },
});
