import { candles, observe, param, rsi, strategy, towards } from 'kairos/strategy';
import { map } from 'rxjs';

/**
 * Buys when the price has fallen too fast and sells at a neutral RSI; sells short when it has risen too fast, if the
 * account allows it. Decides at the end of each bar; an intent lasts until the end of the next.
 */
export default strategy({
  name: 'rsi-reversion',
  params: {
    barSeconds: param.int(60, { min: 1, sweep: [60, 600, 60] }),
    bars: param.int(14, { min: 2, sweep: [6, 30, 4] }),
    oversold: param.number(30, { min: 1, max: 50, sweep: [15, 40, 5] }),
    overbought: param.number(70, { min: 50, max: 99, sweep: [60, 85, 5] }),
  },
  // One bar more than the number of changes, and the first bar may be partial.
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
