import type { ImportSpikes } from '#adapters/recording/manifest.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceRow } from './row.ts';

/** So many times the usual move of the file is far. */
const FAR = 20;
/** Moves below which nothing is usual. */
const FEWEST = 5;

/**
 * Finds bars whose last price, high or low is far from both neighbours while these are near each other: wrong figures, or a price that
 * stood for less than a bar. `bars` is gone through twice, in the order of time. `onSpike` is told the begin of each.
 */
export function barSpikes(bars: Iterable<PriceRow>, onSpike: (at: Millis) => void = () => {}): ImportSpikes | null {
  const far = FAR * usualMove(bars);
  if (!(far > 0)) return null;
  let count = 0;
  let worst: (Omit<ImportSpikes, 'count'> & { readonly jump: number }) | undefined;
  let [first, middle]: (Bar | undefined)[] = [];
  for (const row of bars) {
    const last = barOf(row);
    if (first && middle) {
      const found = spikeIn(first, middle, last);
      if (found && found.jump > far) {
        count += 1;
        onSpike(middle.at);
        if (!worst || found.jump > worst.jump) worst = { at: middle.at, ...found };
      }
    }
    [first, middle] = [middle, last];
  }
  if (!worst) return null;
  const { jump: _, ...named } = worst;
  return { count, ...named };
}

interface Bar extends Pick<PriceRow, 'at' | 'low' | 'high'> {
  readonly close: number;
}

const barOf = ({ at, bid, ask, low, high }: PriceRow): Bar => ({ at, close: (bid + ask) / 2, low, high });

type Spike = Pick<ImportSpikes, 'what' | 'price' | 'before' | 'after'> & { readonly jump: number };

/** The price of a bar that leaves the last prices of its neighbours furthest on one side, where these differ far less from each other. */
function spikeIn(before: Bar, { close, low, high }: Bar, after: Bar): Spike | undefined {
  const [under, over] = [Math.min(before.close, after.close), Math.max(before.close, after.close)];
  const away = (price: number): number => Math.log(price > over ? price / over : under / Math.max(price, Number.MIN_VALUE));
  const prices = [
    { what: 'last price', price: close },
    { what: 'high', price: high },
    { what: 'low', price: low },
  ] as const;
  const beyond = prices.filter(({ price }) => price > over || price < under);
  const [spike] = beyond.map((one) => ({ ...one, jump: away(one.price) })).sort((a, b) => b.jump - a.jump);
  const apart = Math.log(over / under);
  return spike && spike.jump > 4 * apart ? { ...spike, before: before.close, after: after.close } : undefined;
}

/** Median of the moves from one bar to the next, ranges included, as a logarithm; 0 where there are too few. */
function usualMove(bars: Iterable<PriceRow>): number {
  const moves: number[] = [];
  let last: number | undefined;
  for (const row of bars) {
    const { close, low, high } = barOf(row);
    const move = Math.max(last === undefined ? 0 : Math.abs(Math.log(close / last)), low > 0 ? Math.log(high / low) : 0);
    if (last !== undefined && move > 0) moves.push(move);
    last = close;
  }
  if (moves.length < FEWEST) return 0;
  const sorted = Float64Array.from(moves).sort();
  return figureAt(sorted, sorted.length >> 1);
}
