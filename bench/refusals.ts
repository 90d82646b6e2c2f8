import { fileURLToPath } from 'node:url';
import type { BenchOptions } from './options.ts';
import { type Latenesses, orderRatios, quoteMaker, type TimedEngine, timedEngine } from './orders-in-time.ts';
import type { BenchResult } from './result.ts';
import { inScratch } from './scratch.ts';
import type { BenchStrategy } from './settings.ts';
import { machineMs } from './statistics.ts';

const INSISTENT = 20;
const REFUSALS_PER_MS = 10;
const ORDER_EVERY_MS = 50;
const FLUSH_EVERY_MS = 1_000;

const INSISTS = fileURLToPath(new URL('strategies/insist.ts', import.meta.url));

/**
 * From the time at which a quote is due to its order at the broker, the commit in it, while ten thousand intents a second
 * of other strategies are refused, beside the same without them. One engine on a journal on disk, in turns; wall time.
 */
export async function benchRefusals({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const sizes = Array.from({ length: INSISTENT }, (_, index) => (index + 1) / 100);
    const insistent = sizes.map((base, index): BenchStrategy => {
      return { id: `insists-${index}`, use: INSISTS, product: 'ethusd', amount: { base } };
    });
    const timed = await timedEngine(folder, insistent);
    const insistentLanes = sizes.map((size, index) => quoteMaker({ product: 'ethusd', size, seed: index + 2 }));
    const load = new Load(timed, { trading: quoteMaker(), insistent: insistentLanes });
    const sliceMs = quick ? 400 : 2_500;
    const times: Latenesses = { with: [], without: [] };
    try {
      for (let round = 0; round < (quick ? 2 : 9); round++) {
        for (const how of ['without', 'with'] as const) {
          const found = load.play(sliceMs, { refusals: how === 'with' });
          if (round > 0) times[how].push(...found);
        }
      }
    } finally {
      timed.engine.close();
    }
    return {
      name: '10,000 refusals a second',
      ratios: orderRatios(times, 'refusals'),
      figures: [{ label: 'refusals a second', value: load.refusalsPerSecond, unit: '' }],
    };
  });
}

type Maker = ReturnType<typeof quoteMaker>;

/** Hands quotes to the engine when they are due, in real time, and notes how late their orders are. */
class Load {
  private readonly timed: TimedEngine;
  private readonly lanes: { readonly trading: Maker; readonly insistent: readonly Maker[] };
  private refusals = 0;
  private refusedMs = 0;

  constructor(timed: TimedEngine, lanes: { readonly trading: Maker; readonly insistent: readonly Maker[] }) {
    this.timed = timed;
    this.lanes = lanes;
  }

  get refusalsPerSecond(): number {
    return (this.refusals / this.refusedMs) * 1_000;
  }

  play(forMs: number, how: { readonly refusals: boolean }): readonly number[] {
    const { engine, orderedMs } = this.timed;
    const beginMs = machineMs();
    const latenesses: number[] = [];
    let orders = 0;
    let refused = 0;
    let flushMs = beginMs + FLUSH_EVERY_MS;
    for (let now = beginMs; now < beginMs + forMs; now = machineMs()) {
      if (now >= flushMs) {
        engine.flush();
        flushMs += FLUSH_EVERY_MS;
      }
      const dueMs = beginMs + orders * ORDER_EVERY_MS;
      if (now >= dueMs) {
        orders += 1;
        const before = orderedMs();
        this.hand(this.lanes.trading);
        // The first quote after a silence is not traded on.
        if (orderedMs() !== before && orders > 2) latenesses.push(orderedMs() - dueMs);
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
    const { engine, now } = this.timed;
    const at = now();
    engine.quote(at, lane(at));
  }
}
