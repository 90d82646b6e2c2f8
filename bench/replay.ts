import { filter, map, Subject, scan } from 'rxjs';
import { decimalOf } from '../src/domain/decimal.ts';
import { laneFor } from '../src/domain/lane.ts';
import { productCode } from '../src/domain/names.ts';
import type { Quote } from '../src/domain/quote.ts';
import { decodeFrame } from '../src/wire/decode-frame.ts';
import type { BenchOptions } from './options.ts';
import { FrameMaker } from './quote-frames.ts';
import { REPLAY_PARAMS, REPLAY_SIZE, REPLAY_START, replayEngine } from './replay-engine.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';

/** Time between two quotes of one product, in milliseconds. */
const PACE_MS = 500;
const MANY = 20;
/** The kernel counts CPU time in steps of some milliseconds; the chain handles its block so often that they do not matter. */
const PASSES = 25;

/** A quote with the engine time at which it is handed over. */
type Timed = readonly [at: number, quote: Quote];

/**
 * Quotes a second on one core through the whole engine in virtual time, with 1 and with 20 products, beside three rxjs
 * operators with nothing else. CPU time of the thread; quotes are objects in memory on both sides.
 */
export async function benchReplay(options: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch((folder) => replayIn(folder, options));
}

async function replayIn(folder: string, { quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const block = quick ? 2_000 : 20_000;
  const one = await side(folder, ['btcusd']);
  const many = await side(
    folder,
    Array.from({ length: MANY }, (_, index) => `p${index}usd`),
  );
  const chain = new OperatorChain();
  const ONE = '1 product';
  const TWENTY = `${MANY} products`;
  const BARE = '3 operators';
  const bareQuotes = quotesOf(['btcusd']);
  const seconds = inTurns(
    [
      { label: BARE, run: () => timed(bareQuotes(block), (_, quote) => chain.quote(quote), PASSES) / PASSES },
      { label: ONE, run: () => timed(one.quotes(block), one.engine.quote) },
      { label: TWENTY, run: () => timed(many.quotes(block), many.engine.quote) },
    ],
    quick ? { warmUp: 1, counted: 3 } : { warmUp: 3, counted: 11 },
  );
  const orders = one.engine.orders();
  for (const { engine } of [one, many]) engine.close();
  if (chain.crossings === 0 || orders === 0) throw new Error('nothing crossed: the quotes do not exercise what is measured');
  const rate = (label: string): Figure => ({ label, value: block / median(seconds(label)), unit: 'quotes/s' });
  return {
    name: 'replay',
    ratios: [
      ratioOf('quotes through the engine', { ours: rate(ONE), theirs: rate(BARE), goal: { atLeast: 0.7 } }),
      ratioOf('20 products against 1', { ours: rate(TWENTY), theirs: rate(ONE), goal: { atLeast: 0.85 } }),
    ],
    figures: [{ label: 'orders in a million quotes, 1 product', value: (orders / block / (quick ? 4 : 14)) * 1e6, unit: 'orders' }],
  };
}

async function side(folder: string, products: readonly string[]) {
  return { engine: await replayEngine(folder, products), quotes: quotesOf(products) };
}

/** Makes blocks of frozen quotes as the feed would deliver them, the products in turn, time going on from block to block. */
function quotesOf(products: readonly string[]): (count: number) => Timed[] {
  const lanes = products.map((product, index) => ({
    lane: laneFor(productCode(product), { base: decimalOf(REPLAY_SIZE) }).id,
    maker: new FrameMaker({ product, base: 'btc', quote: 'usd', size: REPLAY_SIZE }, index + 1),
  }));
  let made = 0;
  return (count) =>
    Array.from({ length: count }, (): Timed => {
      const lane = lanes[made % lanes.length] ?? lanes[0];
      if (!lane) throw new Error('no products');
      const at = REPLAY_START + Math.floor((made * PACE_MS) / lanes.length);
      made += 1;
      const frame = decodeFrame(lane.maker.next(at).text, { lane: lane.lane, epoch: 1 });
      if (frame.kind !== 'quote') throw new Error(`the frame is ${frame.kind}`);
      return [at, frame.quote];
    });
}

/** Only the handling counts; the quotes were made before. */
function timed(quotes: readonly Timed[], handle: (at: number, quote: Quote) => void, passes = 1): number {
  return cpuSeconds(() => {
    for (let pass = 0; pass < passes; pass++) for (const [at, quote] of quotes) handle(at, quote);
  });
}

interface Averages {
  readonly fast: number;
  readonly slow: number;
}

/** The same idea with nothing else: the mid, two averages, and whether they crossed. */
class OperatorChain {
  crossings = 0;
  private readonly quotes$ = new Subject<Quote>();
  private above = false;

  constructor() {
    const fast = 2 / (REPLAY_PARAMS.fast + 1);
    const slow = 2 / (REPLAY_PARAMS.slow + 1);
    this.quotes$
      .pipe(
        map((quote) => (quote.buy.price + quote.sell.price) / 2),
        scan(
          (last: Averages | null, mid): Averages =>
            last === null
              ? { fast: mid, slow: mid }
              : { fast: last.fast + fast * (mid - last.fast), slow: last.slow + slow * (mid - last.slow) },
          null,
        ),
        filter((averages) => averages !== null && averages.fast > averages.slow !== this.above),
      )
      .subscribe(() => {
        this.above = !this.above;
        this.crossings += 1;
      });
  }

  quote(quote: Quote): void {
    this.quotes$.next(quote);
  }
}
