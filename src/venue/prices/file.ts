import type { Top } from '#venue/core/quote-making.ts';
import type { PriceColumns } from './price-file.ts';
import type { PriceSource } from './source.ts';

interface PriceFile {
  readonly path: string;
  readonly columns: { readonly time: string; readonly bid: string; readonly ask: string };
  /** Market time per real time. */
  readonly speed: number;
}

/** A lap of a file that has no length of its own. */
const MIN_LAP_MS = 1000;

/** Loads a price file and plays it from its first row. Throws PRICES_UNREADABLE. */
export async function filePrices(file: PriceFile): Promise<PriceSource> {
  // Reading files takes code that a venue of synthetic prices does without.
  const { readPrices } = await import('./price-file.ts');
  return played(await readPrices(file.path, file.columns), file.speed);
}

/**
 * Plays prices at their own pace times `speed`. When the last row is over, the first comes again after the mean gap
 * between rows, and so on for ever: market time goes on without a break, the price jumps.
 */
export function played(prices: PriceColumns, speed: number): PriceSource {
  const { timeMs, bid, ask } = prices;
  const rows = timeMs.length;
  const first = timeMs[0] ?? 0;
  const span = (timeMs[rows - 1] ?? first) - first;
  const lapMs = span > 0 ? span + span / (rows - 1) : MIN_LAP_MS;
  return {
    at(elapsedMs): Top {
      const marketMs = first + ((Math.max(0, elapsedMs) * speed) % lapMs);
      const row = lastAtOrBefore(timeMs, marketMs);
      return { bid: bid[row] ?? 0, ask: ask[row] ?? 0 };
    },
  };
}

/** Of rows with equal times the last counts, as it would to someone who saw them all. */
function lastAtOrBefore(times: Float64Array, at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
