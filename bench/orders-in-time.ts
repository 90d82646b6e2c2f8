import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { FrameMaker } from './quote-frames.ts';
import { REPLAY_START, type ReplayEngine, replayEngine } from './replay-engine.ts';
import { type Figure, type Ratio, ratioOf } from './result.ts';
import type { BenchStrategy } from './settings.ts';
import { machineMs, percentile } from './statistics.ts';

const ORDER_EVERY_MS = 50;
const FLUSH_EVERY_MS = 250;
/** In base currency. */
const ORDER_SIZE = 0.01;

/** Trades on every quote of the lane of `quoteMaker`. */
export const TRADING: BenchStrategy = {
  id: 'trades',
  use: fileURLToPath(new URL('strategies/alternate.ts', import.meta.url)),
  product: 'btcusd',
  amount: { base: ORDER_SIZE },
};

export interface TimedEngine {
  readonly engine: ReplayEngine;
  /** Its time, which passes as the machine's does. */
  readonly now: () => number;
  /** When the last order reached the broker. */
  readonly orderedMs: () => number;
}

/** One engine in real time on a journal on disk, with `TRADING` and the strategies beside it. */
export async function timedEngine(folder: string, beside: readonly BenchStrategy[] = []): Promise<TimedEngine> {
  let orderedMs = 0;
  const onOrder = (): void => {
    orderedMs = machineMs();
  };
  const engine = await replayEngine(folder, { strategies: [TRADING, ...beside], keeps: 'file', onOrder });
  const startMs = machineMs();
  return { engine, now: () => REPLAY_START + Math.floor(machineMs() - startMs), orderedMs: () => orderedMs };
}

/** How late orders were, in milliseconds, with a load and without. */
export interface Latenesses {
  readonly with: number[];
  readonly without: number[];
}

/** Orders with `what` beside those without: the goal is that the slowest are no slower. */
export function orderRatios(times: Latenesses, what: string): readonly Ratio[] {
  const at = (how: keyof Latenesses, share: number): Figure => ({
    label: `${how} ${what}, of ${times[how].length}`,
    value: percentile(times[how], share),
    unit: 'ms',
  });
  const ratio = (share: number) => ({ ours: at('with', share), theirs: at('without', share) });
  return [
    ratioOf('quote due to order at the broker, p50', ratio(0.5)),
    ratioOf('quote due to order at the broker, p99', { ...ratio(0.99), goal: { atMost: 1.1 } }),
  ];
}

/** Quotes of one lane: that on which `TRADING` trades, where nothing else is said. */
export function quoteMaker({ product, size, seed } = { product: TRADING.product, size: ORDER_SIZE, seed: 1 }) {
  const { id } = laneFor(productCode(product), { base: decimalOf(size) });
  const maker = new FrameMaker({ product, base: product.slice(0, 3), quote: product.slice(3), size }, seed);
  return (at: number) => {
    const frame = decodeFrame(maker.next(at).text, { lane: id, epoch: 1 });
    if (frame.kind !== 'quote') throw new Error(`the frame is ${frame.kind}`);
    return frame.quote;
  };
}

/** Hands quotes to the engine when they are due, in real time, one turn of the loop after the other; how late their orders were. */
export async function play(
  { engine, now, orderedMs }: TimedEngine,
  { quotes, sliceMs }: { readonly quotes: ReturnType<typeof quoteMaker>; readonly sliceMs: number },
): Promise<readonly number[]> {
  const beginMs = machineMs();
  const latenesses: number[] = [];
  let given = 0;
  let flushMs = beginMs + FLUSH_EVERY_MS;
  for (let passed = machineMs(); passed < beginMs + sliceMs; passed = machineMs()) {
    const dueMs = beginMs + given * ORDER_EVERY_MS;
    if (passed >= dueMs) {
      given += 1;
      const before = orderedMs();
      const at = now();
      engine.quote(at, quotes(at));
      // The first quote after a silence is not traded on.
      if (orderedMs() !== before && given > 2) latenesses.push(orderedMs() - dueMs);
    } else if (passed >= flushMs) {
      engine.flush();
      flushMs += FLUSH_EVERY_MS;
    }
    await nextTurn();
  }
  return latenesses;
}
