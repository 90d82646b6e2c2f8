import { USERS } from './live/protocol.ts';
import { orderTimes } from './live/result.ts';
import { playInTurns } from './live.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, type Ratio, ratioOf } from './result.ts';
import { percentile } from './statistics.ts';

const PRODUCTS = ['btcusd', 'ethusd', 'solusd', 'adausd'];

/**
 * From the frame to the order's first byte at the service, in a daemon to whose pages everything is streamed, beside the same daemon without
 * pages, in turns. Four lanes order on every quote; each order makes four rows, which every page is told.
 */
export async function ordersBesidePages({
  quick,
  pages,
}: Pick<BenchOptions, 'quick'> & { readonly pages: number }): Promise<readonly Ratio[]> {
  const lanes = PRODUCTS.map((product, index) => ({ product, size: (100 + index) / 10_000, trades: true }));
  const sides = [
    { name: 'pages', module: 'kairos-side', user: USERS.kairos, facts: { pages } },
    { name: 'none', module: 'kairos-side', user: USERS.bare },
  ] as const;
  const [beside, alone] = await playInTurns(sides, { lanes, rounds: quick ? 1 : 8, quick });
  const [ours, theirs] = [orderTimes(beside), orderTimes(alone)];
  if (ours.length === 0 || theirs.length === 0)
    throw new Error(`${ours.length} orders beside pages and ${theirs.length} without came back`);
  const at = (times: readonly number[], how: string, share: number): Figure => {
    return { label: `${how}, of ${times.length}`, value: percentile(times, share), unit: 'ms' };
  };
  const sidesAt = (share: number) => ({ ours: at(ours, `${pages} pages`, share), theirs: at(theirs, 'no page', share) });
  return [
    ratioOf('whole daemon, received to first byte of the order, p50', { ...sidesAt(0.5), ...(!quick && { goal: { atMost: 1.1 } }) }),
    ratioOf('whole daemon, received to first byte of the order, p99', { ...sidesAt(0.99), ...(!quick && { goal: { atMost: 1.1 } }) }),
  ];
}
