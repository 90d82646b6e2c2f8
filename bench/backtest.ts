import { ordersBeside } from './beside.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './result.ts';

/** Orders beside a sweep that a person started from the page: it plays from the begin of a slice to its end. */
export async function benchBacktest({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const words = { beside: 'a sweep plays', alone: 'none plays' };
  const { ratios } = await ordersBeside({ words, begin: { withSweep: true }, quick });
  return { name: 'a sweep from the page', ratios, figures: [] };
}
