import { createHash } from 'node:crypto';
import type { WarmUpFeed } from '../../domain/event.ts';
import type { LaneId, Millis } from '../../domain/names.ts';
import { quoteLine } from '../../recording/log-format.ts';
import { newestQuotes, type PastQuote } from '../../recording/newest-quotes.ts';
import { paramValues } from '../../strategy/params.ts';
import type { LoadedStrategy } from '../assemble.ts';

/**
 * What signals are fed with at the start: the newest recorded quotes of each lane whose strategies want to see some first
 * (`warmup: {quotes}`). Only those count that reach up to now without a gap of more than `maxGapMs`; null: none.
 */
export function warmUpFeeds(
  strategies: readonly LoadedStrategy[],
  { dir, book, maxGapMs, now }: { readonly dir: string; readonly book: string; readonly maxGapMs: Millis | null; readonly now: Millis },
): readonly WarmUpFeed[] {
  if (maxGapMs === null) return [];
  const wanted = new Map<LaneId, number>();
  for (const { strategy } of strategies) {
    const need = strategy.definition.warmup?.(paramValues(strategy.params));
    const quotes = need && 'quotes' in need && strategy.enabled ? need.quotes : 0;
    if (quotes > 0) wanted.set(strategy.lane, Math.max(quotes, wanted.get(strategy.lane) ?? 0));
  }
  const found = newestQuotes({ dir, book }, wanted);
  return [...wanted.keys()].flatMap((lane) => feedOf(lane, unbroken(found.get(lane) ?? [], { maxGapMs, now }), now) ?? []);
}

/** The newest ones, as far back as there is no longer silence. */
function unbroken(
  quotes: readonly PastQuote[],
  { maxGapMs, now }: { readonly maxGapMs: Millis; readonly now: Millis },
): readonly PastQuote[] {
  let next = now;
  let from = quotes.length;
  for (let at = quotes.length - 1; at >= 0; at -= 1) {
    const time = quotes[at]?.at ?? Number.NEGATIVE_INFINITY;
    if (next - time > maxGapMs) break;
    next = time;
    from = at;
  }
  return quotes.slice(from);
}

function feedOf(lane: LaneId, quotes: readonly PastQuote[], now: Millis): WarmUpFeed | undefined {
  const [first] = quotes;
  const last = quotes.at(-1);
  if (!first || !last) return undefined;
  const hash = createHash('sha256');
  let gapMs = now - last.at;
  for (const [index, { at, quote }] of quotes.entries()) {
    hash.update(quoteLine(null, at, quote));
    gapMs = Math.max(gapMs, at - (quotes[index - 1]?.at ?? at));
  }
  const range = { quotes: quotes.length, from: first.at, to: last.at, gapMs, sha256: hash.digest('hex') };
  return { lane, range, quotes: quotes.map(({ quote }) => quote) };
}
