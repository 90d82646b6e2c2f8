import { figureAt } from '#domain/figure-at.ts';
import type { TimedQuote } from '#domain/quote.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { recordedOf } from './log-format.ts';
import { logTail } from './log-tail.ts';
import { isRecorded, openRun, type RunPart } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';

/** Bytes that are read from the end of a log. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** Number of last parts that are read: the last one may have only just begun. */
const PARTS = 2;

/** The newest quote of each lane in a recording, also while it grows or sealed; none where there is none. */
export function lastQuotes(path: string): readonly TimedQuote[] {
  if (!isRecorded(path)) return [];
  const newest = new Map<string, TimedQuote>();
  for (const part of openRun(path).parts().slice(-PARTS)) for (const seen of quotesIn(part)) newest.set(seen.quote.lane, seen);
  return [...newest.values()];
}

/** The newest quote of each lane of a product, in the last part that has any; a log is read whole where its end has none. */
export function lastQuotesOf(path: string, product: string): readonly TimedQuote[] {
  for (const part of isRecorded(path) ? openRun(path).parts().toReversed() : []) {
    const quotes = quotesIn(part, product);
    const found = quotes.length > 0 || part instanceof SealedRun ? quotes : quotesInLog(part.path, product, Number.POSITIVE_INFINITY);
    if (found.length > 0) return [...new Map(found.map((seen) => [seen.quote.lane, seen])).values()];
  }
  return [];
}

/** In a part's order, of a product or of all. */
function quotesIn(part: RunPart, product?: string): readonly TimedQuote[] {
  if (!(part instanceof SealedRun)) return quotesInLog(part.path, product, TAIL_BYTES);
  const files = part.newest().filter((file) => product === undefined || file.product === product);
  return files.map((file) => {
    const columns = part.quotes(file);
    const row = columns.length - 1;
    return { quote: quoteAt(columns, row), at: figureAt(columns.at, row) };
  });
}

function quotesInLog(path: string, product: string | undefined, tailBytes: number): readonly TimedQuote[] {
  const name = product === undefined ? '' : `,${JSON.stringify(product)},`;
  return logTail(path, tailBytes).flatMap((line) => (line.includes(name) ? (quoteIn(line) ?? []) : []));
}

function quoteIn(line: string): TimedQuote | undefined {
  if (!line.startsWith('["q",')) return undefined;
  try {
    const item = recordedOf(line);
    if (item.kind === 'conflated') return { quote: item.quote, at: item.at };
    const { at, event } = item.event;
    return event.kind === 'quote' ? { quote: event.quote, at } : undefined;
  } catch {
    // The line at the very end may be half written; an older one of the lane does as well.
    return undefined;
  }
}
