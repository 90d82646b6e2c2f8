import { candles, observe, param, rsi, strategy, towards } from 'kairos/strategy';
import { map } from 'rxjs';

/**
 * Buys what has fallen too fast and sells it again in the middle; short of what has risen too fast where the account may be.
 * Decides at the end of each bar, and an order has until the end of the next one.
 */
export default strategy({
  name: 'rsi-reversion',
  params: {
    barSeconds: param.int(60, { min: 1, sweep: [60, 600, 60] }),
    bars: param.int(14, { min: 2, sweep: [6, 30, 4] }),
    oversold: param.number(30, { min: 1, max: 50, sweep: [15, 40, 5] }),
    overbought: param.number(70, { min: 50, max: 99, sweep: [60, 85, 5] }),
  },
  // A bar more than there are changes, and the first one may begin in the middle of its width.
  warmup: ({ barSeconds, bars }) => ({ duration: `${(bars + 2) * barSeconds}s` }),
  signals: ({ quotes$ }, { barSeconds, bars }) =>
    quotes$.pipe(
      candles(`${barSeconds}s`),
      map(({ mid }) => mid.close),
      rsi(bars),
      observe('rsi'),
    ),
  decide: (strength, view, { barSeconds, oversold, overbought }) => {
    const { isLong, isShort } = view.position;
    const within = `${barSeconds}s`;
    if (strength <= oversold) return towards('long', view, { reason: 'oversold', within });
    if (strength >= overbought) return towards('short', view, { reason: 'overbought', within });
    const isBack = (isLong && strength >= 50) || (isShort && strength <= 50);
    return isBack ? towards('flat', view, { reason: 'back in the middle', within }) : undefined;
  },
});
