import { RunLog } from '#adapters/recording/run-log.ts';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { laneIdOf, runId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { BenchOptions } from './options.ts';
import { FrameMaker } from './quote-frames.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';

/** Of 1,000 lanes at two a second. */
const QUOTES_PER_SECOND = 2000;
const DECODE = 'decodeFrame';
const RECORD = 'log of the run';

/** A quote into the log of the run, written every 250 ms of a thousand lanes, beside reading it from its frame. CPU time. */
export async function benchRecordingWrite({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const count = quick ? 2000 : 20_000;
  const origin = { lane: laneIdOf('btcusd@base:0.01'), epoch: 1 };
  const maker = new FrameMaker({ product: 'btcusd', base: 'btc', quote: 'usd', size: 0.01 }, 1);
  const frames = Array.from({ length: count }, (_, index) => maker.next(Date.UTC(2026, 0, 1) + index * 500).text);
  const decoded = (): Quote[] =>
    frames.map((text) => {
      const frame = decodeFrame(text, origin);
      if (frame.kind !== 'quote') throw new Error('a frame was refused');
      return frame.quote;
    });
  const quotes = decoded();
  return inScratch((folder) => {
    let run = 0;
    const record = (): void => {
      run += 1;
      const log = RunLog.create({ dir: folder, run: runId(`run-${run}`), book: 'bench' });
      for (const [index, quote] of quotes.entries()) {
        log.append({ n: index + 1, at: quote.validUntil - 3000, event: { kind: 'quote', quote } });
        if (index % (QUOTES_PER_SECOND / 4) === 0) log.flush();
      }
      log.close();
    };
    const seconds = inTurns(
      [
        { label: DECODE, run: () => cpuSeconds(decoded) },
        { label: RECORD, run: () => cpuSeconds(record) },
      ],
      quick ? { warmUp: 1, counted: 2 } : { warmUp: 3, counted: 15 },
    );
    const perQuote = (label: string): Figure => ({ label, value: (median(seconds(label)) * 1e6) / count, unit: 'us/quote' });
    const ours = perQuote(RECORD);
    return {
      name: 'recording a quote',
      ratios: [ratioOf('CPU time', { ours, theirs: perQuote(DECODE) })],
      figures: [{ label: 'of a core for 1,000 lanes', value: (ours.value * QUOTES_PER_SECOND) / 1e4, unit: '%' }],
    };
  });
}
