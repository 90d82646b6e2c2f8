/** Trades whose profit lies between two edges, the lower one included. */
export interface ProfitBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** It also holds trades beyond its outer edge: the bin is open on that side. */
  readonly open: 'below' | 'above' | null;
}

/** Bins that a chart shows at most. */
const MOST = 24;

/**
 * Profits by size, in bins of a round width with an edge at 0, so that no bin has both won and lost trades. Widths are 1, 2 or 5 times a power
 * of ten; bins at the ends hold what lies beyond, where few trades would make all others one bin.
 */
export function profitHistogram(profits: readonly number[]): readonly ProfitBin[] {
  if (profits.length === 0) return [];
  const sorted = profits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const low = Math.min(0, at(sorted.length >= 50 ? 0.01 : 0));
  const high = Math.max(0, at(sorted.length >= 50 ? 0.99 : 1));
  const width = roundWidth((high - low) / (MOST - 4) || 1);
  const first = Math.floor(low / width);
  const last = Math.max(first, Math.ceil(high / width) - 1 + (high > 0 && high % width === 0 ? 1 : 0));
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const profit of sorted) {
    const place = Math.min(last, Math.max(first, Math.floor(profit / width))) - first;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return counts.map((count, n) => {
    const [from, to] = [edge((first + n) * width), edge((first + n + 1) * width)];
    const open = n === 0 && least < from ? 'below' : n === counts.length - 1 && most >= to ? 'above' : null;
    return { low: from, high: to, count, open };
  });
}

function roundWidth(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  return (([1, 2, 5, 10].find((times) => times * power >= raw) ?? 10) * power) as number;
}

/** Without the rounding of doubles. */
const edge = (value: number): number => Number(value.toPrecision(12));
