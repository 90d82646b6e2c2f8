import { USERS } from './live/protocol.ts';
import { orderTimes } from './live/result.ts';
import { playInTurns } from './live.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { percentile } from './statistics.ts';

const PRODUCTS = ['btcusd', 'ethusd', 'solusd', 'adausd'];

/**
 * From the frame to the order's first byte at the service with every check on, beside the same daemon in which every
 * order passes unchecked. Four lanes order on every quote.
 */
export async function benchRisk({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const lanes = PRODUCTS.map((product, index) => ({ product, size: (100 + index) / 10_000, trades: true }));
  const sides = [
    { name: 'checked', module: 'kairos-side', user: USERS.kairos },
    { name: 'unchecked', module: 'kairos-side', user: USERS.bare, facts: { passAll: true } },
  ] as const;
  const [checked, unchecked] = await playInTurns(sides, { lanes, rounds: quick ? 1 : 8, quick });
  const [ours, theirs] = [orderTimes(checked), orderTimes(unchecked)];
  if (ours.length === 0 || theirs.length === 0)
    throw new Error(`${ours.length} checked orders and ${theirs.length} unchecked ones came back`);
  const at = (times: readonly number[], share: number): Figure => {
    return { label: `of ${times.length}`, value: percentile(times, share), unit: 'ms' };
  };
  const sidesAt = (share: number) => ({ ours: at(ours, share), theirs: at(theirs, share) });
  return {
    name: 'risk, everything on against every order passes',
    ratios: [
      ratioOf('received to first byte of the order, p50', sidesAt(0.5)),
      ratioOf('received to first byte of the order, p99', { ...sidesAt(0.99), ...(!quick && { goal: { atMost: 1.3 } }) }),
    ],
    figures: [],
  };
}
