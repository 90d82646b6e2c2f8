import { NewestPast, type PastRange } from '#adapters/recording/newest-past.ts';
import type { WarmUpPlace } from '#assembly/warm-ups.ts';
import { firstAt } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteSources } from '../replay/quote-sources.ts';
import type { PlayedLane } from './played-lanes.ts';
import type { RecordedInput } from './recorded-events.ts';

interface PastOf {
  readonly before: Millis;
  /** Nothing before this is a past: a hole in the data ends then. */
  readonly begin: Millis;
  readonly lanes: readonly PlayedLane[];
  readonly inputs: readonly RecordedInput[];
  readonly sources: (span: { readonly from: Millis; readonly to: Millis }) => QuoteSources;
}

/** What a recording has of the time before one that is played: quotes as they would be played, and prices of display inputs. */
export const playedPast =
  (of: PastOf): WarmUpPlace['newest'] =>
  (wanted) => {
    const found = new NewestPast(wanted);
    for (const { lane, columns } of of.lanes) {
      const far = wanted.get(lane.id);
      if (far === undefined) continue;
      const from = Math.max(of.begin, Math.min(...columns.map(({ at }) => beginOf(at, far, of.before))));
      const source = of.sources({ from, to: of.before }).of(lane);
      const quotes: { readonly at: Millis; readonly quote: Quote }[] = [];
      while (source && source.nextAt < Number.POSITIVE_INFINITY) {
        const at = source.nextAt;
        const quote = source.next();
        if (quote) quotes.push({ at, quote });
      }
      for (let n = quotes.length - 1; n >= 0 && found.missing.has(lane.id); n -= 1) {
        const value = quotes[n];
        if (value) found.add(lane.id, n, value);
      }
    }
    for (const [n, { at, event }] of [...of.inputs.entries()].reverse())
      if (event.kind === 'shown' && at >= of.begin && at < of.before && found.missing.has(event.source))
        found.add(event.source, n, { at, source: event.source, shown: event.shown });
    return found.oldestFirst();
  };

/** From when on quotes are looked at: twice as many as are wanted, since some may have been replaced by newer ones. */
function beginOf(at: Float64Array, { count, spanMs, since }: PastRange, before: Millis): Millis {
  const end = firstAt(at, before);
  const newest = at[end - 1] ?? before;
  const standing = at[Math.max(0, firstAt(at, since) - 1)] ?? before;
  return Math.min(at[Math.max(0, end - 2 * count)] ?? before, newest - spanMs, standing);
}
