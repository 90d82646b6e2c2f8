import { fileURLToPath } from 'node:url';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { OperatorChain } from './operator-chain.ts';
import type { BenchOptions } from './options.ts';
import { FrameMaker } from './quote-frames.ts';
import { REPLAY_PARAMS, REPLAY_SIZE, REPLAY_START, type ReplayEngine, type ReplayEngineOptions, replayEngine } from './replay-engine.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import type { BenchStrategy } from './settings.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';

/** Time between two quotes of one product, in milliseconds. */
const PACE_MS = 500;
const MANY = 20;
/** Averages and a wave of prices that cross about once in 500 quotes, as those of real ticks do. */
const SELDOM = { params: { fast: 200, slow: 600 }, wave: 160 };
/** The kernel counts CPU time in steps of some milliseconds; the chain handles its block so often that they do not matter. */
const PASSES = 25;

/** A quote with the engine time at which it is handed over. */
type TimedQuote = readonly [at: number, quote: Quote];

/**
 * Quotes a second on one core through the whole engine in virtual time, with and without orders, with 1 and with 20
 * products, beside three rxjs operators with nothing else. CPU time of the thread; quotes are objects in memory on all
 * sides.
 */
export async function benchReplay(options: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch((folder) => replayIn(folder, options));
}

async function replayIn(folder: string, { quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const block = quick ? 2_000 : 20_000;
  const ONE = '1 product';
  const TWENTY = `${MANY} products`;
  const FEW = '1 product, few orders';
  const NONE = 'asked, never orders';
  const TABLES = 'rows and tables in memory';
  const BARE = '3 operators';
  const BARES = `3 operators for each of ${MANY} products`;
  const products = Array.from({ length: MANY }, (_, index) => `p${index}usd`);
  const cross = { use: 'sma-cross', params: REPLAY_PARAMS };
  const wait = { use: fileURLToPath(new URL('strategies/wait.ts', import.meta.url)) };
  const engines: Readonly<Record<string, ReplayEngineOptions & { readonly wave?: number }>> = {
    [ONE]: { strategies: [strategyOn('btcusd', cross)], keeps: 'decisions' },
    [TWENTY]: { strategies: products.map((product) => strategyOn(product, cross)), keeps: 'decisions' },
    [FEW]: { strategies: [strategyOn('btcusd', { ...cross, params: SELDOM.params })], wave: SELDOM.wave, keeps: 'decisions' },
    [NONE]: { strategies: [strategyOn('btcusd', wait)], keeps: 'decisions' },
    [TABLES]: { strategies: [strategyOn('btcusd', cross)], keeps: 'tables' },
  };
  const sides = new Map<string, Side>();
  for (const [label, how] of Object.entries(engines)) sides.set(label, await side(folder, how));
  const chain = new OperatorChain(REPLAY_PARAMS, midOf);
  const chains = new Map(products.map((product) => [laneOf(product), new OperatorChain(REPLAY_PARAMS, midOf)]));
  const bareQuotes = quotesOf(['btcusd']);
  const manyQuotes = quotesOf(products);
  const seconds = inTurns(
    [
      { label: BARE, run: () => timed(bareQuotes(block), (_, quote) => chain.next(quote), PASSES) / PASSES },
      { label: BARES, run: () => timed(manyQuotes(block), (_, quote) => chains.get(quote.lane)?.next(quote), PASSES) / PASSES },
      ...[...sides].map(([label, { engine, quotes }]) => ({ label, run: () => timed(quotes(block), engine.quote) })),
    ],
    quick ? { warmUp: 0, counted: 2 } : { warmUp: 3, counted: 12 },
  );
  const ordersOf = (label: string): number => sides.get(label)?.engine.orders() ?? 0;
  const orders = [...sides.keys()].map((label): Figure => {
    const made = ordersOf(label);
    return { label: `orders in a million quotes, ${label}`, value: (made / block / (quick ? 2 : 15)) * 1e6, unit: 'orders' };
  });
  for (const { engine } of sides.values()) engine.close();
  if (chain.crossings === 0 || ordersOf(ONE) === 0) throw new Error('nothing crossed: the quotes do not exercise what is measured');
  const rate = (label: string, of = seconds(label)): Figure => ({ label, value: block / median(of), unit: 'quotes/s' });
  const rounds = seconds(ONE);
  const half = rounds.length / 2;
  return {
    name: 'replay',
    ratios: [
      ratioOf('quotes through the engine', { ours: rate(ONE), theirs: rate(BARE), goal: { atLeast: 0.7 } }),
      ratioOf('the same with few orders', { ours: rate(FEW), theirs: rate(BARE), goal: { atLeast: 0.7 } }),
      ratioOf('the same without orders', { ours: rate(NONE), theirs: rate(BARE), goal: { atLeast: 0.7 } }),
      ratioOf(`${MANY} products against 1`, { ours: rate(TWENTY), theirs: rate(ONE), goal: { atLeast: 0.85 } }),
      ratioOf(`the operators alone, ${MANY} products against 1`, { ours: rate(BARES), theirs: rate(BARE) }),
      ratioOf('later against earlier: linear in quotes', {
        ours: rate('second half', rounds.slice(half)),
        theirs: rate('first half', rounds.slice(0, half)),
        goal: { atLeast: 0.9 },
      }),
      ratioOf('journal of rows against one of decisions', { ours: rate(TABLES), theirs: rate(ONE) }),
    ],
    figures: orders,
  };
}

interface Side {
  readonly engine: ReplayEngine;
  readonly quotes: (count: number) => TimedQuote[];
}

async function side(folder: string, { wave, ...how }: ReplayEngineOptions & { readonly wave?: number }): Promise<Side> {
  return {
    engine: await replayEngine(folder, how),
    quotes: quotesOf(
      how.strategies.map(({ product }) => product),
      wave,
    ),
  };
}

const midOf = ({ buy, sell }: Quote): number => (buy.price + sell.price) / 2;

const laneOf = (product: string) => laneFor(productCode(product), { base: decimalOf(REPLAY_SIZE) }).id;

function strategyOn(product: string, of: Pick<BenchStrategy, 'use' | 'params'>): BenchStrategy {
  return { id: `on-${product}`, product, amount: { base: REPLAY_SIZE }, ...of };
}

/** Makes blocks of frozen quotes as the feed would deliver them, the products in turn, time going on from block to block. */
function quotesOf(products: readonly string[], wave?: number): (count: number) => TimedQuote[] {
  const lanes = products.map((product, index) => ({
    lane: laneOf(product),
    maker: new FrameMaker({ product, base: 'btc', quote: 'usd', size: REPLAY_SIZE }, index + 1, wave),
  }));
  let made = 0;
  return (count) =>
    Array.from({ length: count }, (): TimedQuote => {
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
function timed(quotes: readonly TimedQuote[], handle: (at: number, quote: Quote) => void, passes = 1): number {
  return cpuSeconds(() => {
    for (let pass = 0; pass < passes; pass++) for (const [at, quote] of quotes) handle(at, quote);
  });
}
