import { type SideFacts, type SideQuestion, USERS } from './live/protocol.ts';
import { orderTimes, type Slice } from './live/result.ts';
import { onService } from './live.ts';
import { type Figure, type Ratio, ratioOf } from './result.ts';
import { median, percentile } from './statistics.ts';

/** Each orders on every quote, two a second. */
const LANES = 12;
const QUICK_LANES = 2;
const PRODUCTS = ['btcusd', 'ethusd', 'solusd', 'adausd'];
const ROUNDS = 10;
const SLICE_MS = 3_000;
const QUICK_MS = 2_500;

interface BesideOptions {
  /** What is beside the daemon in every second slice, and its absence, in words. */
  readonly words: Readonly<Record<How, string>>;
  readonly facts?: Pick<SideFacts, 'pages'>;
  /** Goes with the beginning of a slice that has it. */
  readonly begin: Omit<Extract<SideQuestion, { ask: 'begin' }>, 'ask'>;
  readonly quick: boolean;
}

type How = 'beside' | 'alone';
type Slices = Readonly<Record<How, readonly Slice[]>>;

/**
 * From the frame to the order's first byte at the service, in one whole daemon, in turns of three seconds with something beside it and
 * without: in 90 seconds, so that it can be repeated.
 */
export async function ordersBeside({ words, facts, begin, quick }: BesideOptions) {
  const lanes = Array.from({ length: quick ? QUICK_LANES : LANES }, (_, n) => ({
    product: PRODUCTS[n % PRODUCTS.length] ?? '',
    size: (100 + n) / 10_000,
    trades: true,
  }));
  const slices = { beside: [] as Slice[], alone: [] as Slice[] };
  await onService(async (opened) => {
    const play = await opened({ name: 'kairos', module: 'kairos-side', user: USERS.kairos, ...(facts && { facts }) }, lanes);
    for (let round = quick ? 1 : 0; round <= (quick ? 1 : ROUNDS); round++) {
      // Each goes first in every second round: what a slice leaves behind falls on both.
      for (const how of round % 2 === 0 || quick ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
        // Where it only has to work, on a machine that is busy, orders may wait for the loop to be in time.
        do {
          const slice = await play(quick ? QUICK_MS : SLICE_MS, how === 'beside' ? begin : {});
          if (round > 0) slices[how].push(slice);
        } while (quick && orderTimes(slices[how]).length === 0);
      }
    }
  });
  const times = { beside: orderTimes(slices.beside), alone: orderTimes(slices.alone) };
  if (times.beside.length === 0 || times.alone.length === 0)
    throw new Error(`${times.beside.length} orders with ${words.beside} and ${times.alone.length} with ${words.alone} came back`);
  const at = (share: number): Ratio => {
    const figure = (how: How): Figure => {
      return { label: `${words[how]}, of ${times[how].length}`, value: percentile(times[how], share), unit: 'ms' };
    };
    return ratioOf(`received to first byte of the order, p${share * 100}`, {
      ours: figure('beside'),
      theirs: figure('alone'),
      ...(!quick && { goal: { atMost: 1.1 } }),
    });
  };
  return { ratios: [...[0.5, 0.9, 0.99].map(at), cost(slices, words)], beside: slices.beside };
}

/** What the daemon's process takes of a core, the median of the slices. */
function cost(slices: Slices, words: BesideOptions['words']): Ratio {
  const share = (how: How): Figure => {
    return { label: words[how], value: median(slices[how].map(({ report: { cpuMs, wallMs } }) => (cpuMs / wallMs) * 100)), unit: '%' };
  };
  return ratioOf("share of a core of the daemon's process", { ours: share('beside'), theirs: share('alone') });
}
