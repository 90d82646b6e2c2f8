import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { laneIdOf } from '#domain/names.ts';
import { tradingQuoteSchema } from '../test/support/quote-schema.ts';
import type { BenchOptions } from './options.ts';
import { FrameMaker } from './quote-frames.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';

const BARE = 'JSON.parse';
const OURS = 'decodeFrame';
const ZOD = 'JSON.parse and zod';

/** Frames a second through the decoder, beside bare `JSON.parse` and the same checks in zod. CPU time of the thread. */
export function benchDecode({ quick }: Pick<BenchOptions, 'quick'>): BenchResult {
  const frames = framesOf(quick ? 500 : 2000);
  const passes = quick ? 2 : 10;
  const origin = { lane: laneIdOf('btcusd@base:0.01'), epoch: 1 };
  const contestants: [string, (text: string) => boolean][] = [
    [BARE, (text) => JSON.parse(text).msgType === 'TQ'],
    [OURS, (text) => decodeFrame(text, origin).kind === 'quote'],
    [ZOD, (text) => tradingQuoteSchema.safeParse(JSON.parse(text)).success],
  ];
  const seconds = inTurns(
    contestants.map(([label, decode]) => ({
      label,
      run: () =>
        cpuSeconds(() => {
          for (let pass = 0; pass < passes; pass++) decodeAll(label, frames, decode);
        }),
    })),
    quick ? { warmUp: 1, counted: 3 } : { warmUp: 3, counted: 15 },
  );
  const rate = (label: string): Figure => ({ label, value: (frames.length * passes) / median(seconds(label)), unit: 'frames/s' });
  const ours = rate(OURS);
  return {
    name: 'decode',
    ratios: [ratioOf('TQ frame to quote', { ours, theirs: rate(BARE) }), ratioOf('TQ frame to quote', { ours, theirs: rate(ZOD) })],
    figures: [{ label: 'length of a frame', value: frames[0]?.length ?? 0, unit: 'characters' }],
  };
}

function framesOf(count: number): string[] {
  const maker = new FrameMaker({ product: 'btcusd', base: 'btc', quote: 'usd', size: 0.01 }, 1);
  return Array.from({ length: count }, (_, index) => maker.next(Date.UTC(2026, 0, 1) + index * 500).text);
}

/** What is decoded must be looked at, or the compiler leaves it out; what is refused would not have been measured. */
function decodeAll(label: string, frames: readonly string[], decode: (text: string) => boolean): void {
  let good = 0;
  for (const frame of frames) if (decode(frame)) good += 1;
  if (good !== frames.length) throw new Error(`${label} took ${good} of ${frames.length} frames`);
}
