import { USERS } from './live/protocol.ts';
import { orderTimes, type Slice } from './live/result.ts';
import { onService } from './live.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, type Ratio, ratioOf } from './result.ts';
import { median, percentile } from './statistics.ts';

const PAGES = 20;
/** Each orders on every quote, two a second; each order makes four rows, which every page is told. */
const LANES = 12;
const PRODUCTS = ['btcusd', 'ethusd', 'solusd', 'adausd'];
const ROUNDS = 10;
const SLICE_MS = 3_000;
const QUICK_MS = 2_500;

/**
 * From the frame to the order's first byte at the service, in one whole daemon, in turns of three seconds with twenty pages to which
 * everything is streamed, one of which does not read, and without: in 90 seconds, so that it can be repeated.
 */
export async function benchPage({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const lanes = Array.from({ length: LANES }, (_, n) => ({
    product: PRODUCTS[n % PRODUCTS.length] ?? '',
    size: (100 + n) / 10_000,
    trades: true,
  }));
  const slices = { beside: [] as Slice[], alone: [] as Slice[] };
  await onService(async (opened) => {
    const play = await opened({ name: 'kairos', module: 'kairos-side', user: USERS.kairos, facts: { pages: PAGES } }, lanes);
    for (let round = quick ? 1 : 0; round <= (quick ? 1 : ROUNDS); round++) {
      // Each goes first in every second round: what a slice leaves behind falls on both.
      for (const how of round % 2 === 0 || quick ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
        // Where it only has to work, on a machine that is busy, orders may wait for the loop to be in time.
        do {
          const slice = await play(quick ? QUICK_MS : SLICE_MS, { withPages: how === 'beside' });
          if (round > 0) slices[how].push(slice);
        } while (quick && orderTimes(slices[how]).length === 0);
      }
    }
  });
  const times = { beside: orderTimes(slices.beside), alone: orderTimes(slices.alone) };
  if (times.beside.length === 0 || times.alone.length === 0)
    throw new Error(`${times.beside.length} orders beside pages and ${times.alone.length} without came back`);
  const told = slices.beside.map(({ report }) => report.told ?? { pages: 0, events: 0, bytes: 0 });
  if (told.some(({ pages, events }) => events < pages)) throw new Error('pages listened and were told nothing');
  const perPage = (of: 'events' | 'bytes'): number =>
    told.reduce((sum, one) => sum + one[of] / one.pages, 0) / slices.beside.reduce((sum, { report }) => sum + report.wallMs / 1000, 0);
  return {
    name: 'twenty pages, one stalled',
    ratios: [...[0.5, 0.9, 0.99].map((share) => latency(times, share, quick)), cost(slices)],
    figures: [
      { label: 'events that a page is told a second', value: perPage('events'), unit: '' },
      { label: 'kilobytes that a page is told a second', value: perPage('bytes') / 1000, unit: '' },
    ],
  };
}

function latency(times: Readonly<Record<'beside' | 'alone', readonly number[]>>, share: number, quick: boolean): Ratio {
  const at = (how: 'beside' | 'alone', words: string): Figure => {
    return { label: `${words}, of ${times[how].length}`, value: percentile(times[how], share), unit: 'ms' };
  };
  return ratioOf(`received to first byte of the order, p${share * 100}`, {
    ours: at('beside', `${PAGES} pages`),
    theirs: at('alone', 'no page'),
    ...(!quick && { goal: { atMost: 1.1 } }),
  });
}

/** What the daemon's process takes of a core, the median of the slices. */
function cost(slices: Readonly<Record<'beside' | 'alone', readonly Slice[]>>): Ratio {
  const share = (how: 'beside' | 'alone', label: string): Figure => {
    return { label, value: median(slices[how].map(({ report: { cpuMs, wallMs } }) => (cpuMs / wallMs) * 100)), unit: '%' };
  };
  return ratioOf("share of a core of the daemon's process", { ours: share('beside', `${PAGES} pages`), theirs: share('alone', 'no page') });
}
