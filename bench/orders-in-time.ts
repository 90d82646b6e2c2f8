import { setImmediate as nextTurn } from 'node:timers/promises';
import { decimalOf } from '../src/domain/decimal.ts';
import { laneFor } from '../src/domain/lane.ts';
import { productCode } from '../src/domain/names.ts';
import { decodeFrame } from '../src/wire/decode-frame.ts';
import { FrameMaker } from './quote-frames.ts';
import type { ReplayEngine } from './replay-engine.ts';
import { machineMs } from './statistics.ts';

const ORDER_EVERY_MS = 50;
const FLUSH_EVERY_MS = 250;
/** In base currency. */
export const ORDER_SIZE = 0.01;

/** Quotes of one lane that a strategy trades on. */
export function quoteMaker() {
  const { id } = laneFor(productCode('btcusd'), { base: decimalOf(ORDER_SIZE) });
  const maker = new FrameMaker({ product: 'btcusd', base: 'btc', quote: 'usd', size: ORDER_SIZE }, 1);
  return (at: number) => {
    const frame = decodeFrame(maker.next(at).text, { lane: id, epoch: 1 });
    if (frame.kind !== 'quote') throw new Error(`the frame is ${frame.kind}`);
    return frame.quote;
  };
}

/** Hands quotes to the engine when they are due, in real time, one turn of the loop after the other; how late their orders were. */
export async function play(load: {
  readonly engine: ReplayEngine;
  readonly quotes: ReturnType<typeof quoteMaker>;
  readonly now: () => number;
  readonly sliceMs: number;
  readonly orderedMs: () => number;
}): Promise<readonly number[]> {
  const { engine, quotes, now, sliceMs, orderedMs } = load;
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
