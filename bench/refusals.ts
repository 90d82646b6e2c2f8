import { fileURLToPath } from 'node:url';
import { decimalOf } from '../src/domain/decimal.ts';
import { laneFor } from '../src/domain/lane.ts';
import { productCode } from '../src/domain/names.ts';
import type { Quote } from '../src/domain/quote.ts';
import { decodeFrame } from '../src/wire/decode-frame.ts';
import type { BenchOptions } from './options.ts';
import { FrameMaker } from './quote-frames.ts';
import { REPLAY_START, type ReplayEngine, replayEngine } from './replay-engine.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import type { BenchStrategy } from './settings.ts';
import { machineMs, percentile } from './statistics.ts';

const INSISTENT = 20;
const REFUSALS_PER_MS = 10;
const ORDER_EVERY_MS = 50;
const FLUSH_EVERY_MS = 1_000;

const module = (name: string): string => fileURLToPath(new URL(`strategies/${name}.ts`, import.meta.url));

/**
 * From the time at which a quote is due to its order at the broker, the commit in it, while ten thousand intents a second
 * of other strategies are refused, beside the same without them. One engine on a journal on disk, in turns; wall time.
 */
export async function benchRefusals({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    let orderedMs = 0;
    const trading: BenchStrategy = { id: 'trades', use: module('alternate'), product: 'btcusd', amount: { base: 0.01 } };
    const sizes = Array.from({ length: INSISTENT }, (_, index) => (index + 1) / 100);
    const insistent = sizes.map((base, index): BenchStrategy => {
      return { id: `insists-${index}`, use: module('insist'), product: 'ethusd', amount: { base } };
    });
    const onOrder = (): void => {
      orderedMs = machineMs();
    };
    const engine = await replayEngine(folder, { strategies: [trading, ...insistent], keeps: 'file', onOrder });
    const load = new Load(engine, {
      trading: lane('btcusd', 0.01, 1),
      insistent: sizes.map((size, index) => lane('ethusd', size, index + 2)),
    });
    const sliceMs = quick ? 400 : 2_500;
    const times = { with: [] as number[], without: [] as number[] };
    try {
      for (let round = 0; round < (quick ? 2 : 9); round++) {
        for (const how of ['without', 'with'] as const) {
          const found = load.play(sliceMs, { refusals: how === 'with', orderedMs: () => orderedMs });
          if (round > 0) times[how].push(...found);
        }
      }
    } finally {
      engine.close();
    }
    const at = (how: keyof typeof times, share: number): Figure => ({
      label: `${how} refusals, of ${times[how].length}`,
      value: percentile(times[how], share),
      unit: 'ms',
    });
    const ratio = (what: string, share: number) => ({ what, ours: at('with', share), theirs: at('without', share) });
    const [p50, p99] = [ratio('quote due to order at the broker, p50', 0.5), ratio('quote due to order at the broker, p99', 0.99)];
    return {
      name: '10,000 refusals a second',
      ratios: [ratioOf(p50.what, p50), ratioOf(p99.what, { ...p99, goal: { atMost: 1.1 } })],
      figures: [{ label: 'refusals a second', value: load.refusalsPerSecond, unit: '' }],
    };
  });
}

interface Maker {
  next(at: number): Quote;
}

function lane(product: string, size: number, seed: number): Maker {
  const { id } = laneFor(productCode(product), { base: decimalOf(size) });
  const maker = new FrameMaker({ product, base: product.slice(0, 3), quote: product.slice(3), size }, seed);
  return {
    next(at) {
      const frame = decodeFrame(maker.next(at).text, { lane: id, epoch: 1 });
      if (frame.kind !== 'quote') throw new Error(`the frame is ${frame.kind}`);
      return frame.quote;
    },
  };
}

/** Hands quotes to the engine when they are due, in real time, and notes how late their orders are. */
class Load {
  private readonly engine: ReplayEngine;
  private readonly lanes: { readonly trading: Maker; readonly insistent: readonly Maker[] };
  private readonly startMs = machineMs();
  private refusals = 0;
  private refusedMs = 0;

  constructor(engine: ReplayEngine, lanes: { readonly trading: Maker; readonly insistent: readonly Maker[] }) {
    this.engine = engine;
    this.lanes = lanes;
  }

  get refusalsPerSecond(): number {
    return (this.refusals / this.refusedMs) * 1_000;
  }

  play(forMs: number, how: { readonly refusals: boolean; readonly orderedMs: () => number }): readonly number[] {
    const beginMs = machineMs();
    const latenesses: number[] = [];
    let orders = 0;
    let refused = 0;
    let flushMs = beginMs + FLUSH_EVERY_MS;
    for (let now = beginMs; now < beginMs + forMs; now = machineMs()) {
      if (now >= flushMs) {
        this.engine.flush();
        flushMs += FLUSH_EVERY_MS;
      }
      const dueMs = beginMs + orders * ORDER_EVERY_MS;
      if (now >= dueMs) {
        orders += 1;
        const before = how.orderedMs();
        this.hand(this.lanes.trading);
        // The first quote after a silence is not traded on.
        if (how.orderedMs() !== before && orders > 2) latenesses.push(how.orderedMs() - dueMs);
      } else if (how.refusals && now >= beginMs + refused / REFUSALS_PER_MS) {
        const insistent = this.lanes.insistent[refused % this.lanes.insistent.length];
        refused += 1;
        if (insistent) this.hand(insistent);
      }
    }
    if (how.refusals) {
      this.refusals += refused;
      this.refusedMs += forMs;
    }
    return latenesses;
  }

  private hand(lane: Maker): void {
    const at = REPLAY_START + Math.floor(machineMs() - this.startMs);
    this.engine.quote(at, lane.next(at));
  }
}
