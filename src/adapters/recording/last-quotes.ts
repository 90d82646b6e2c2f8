import { figureAt } from '#domain/figure-at.ts';
import type { TimedQuote } from '#domain/quote.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { recordedOf } from './log-format.ts';
import { linesBack } from './log-tail.ts';
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
    if (found.length > 0) return found;
  }
  return [];
}

/** The newest quote of each lane of a part, of a product or of all. */
function quotesIn(part: RunPart, product?: string): readonly TimedQuote[] {
  if (!(part instanceof SealedRun)) return quotesInLog(part.path, product, TAIL_BYTES);
  const files = part.newest().filter((file) => product === undefined || file.product === product);
  return files.map((file) => {
    const columns = part.quotes(file);
    const row = columns.length - 1;
    return { quote: quoteAt(columns, row), at: figureAt(columns.at, row) };
  });
}

/** The name of the lane in the line of a quote. */
const LANE = /^\["q",[^,]*,[^,]*,("[^"]*"),/;

function quotesInLog(path: string, product: string | undefined, tailBytes: number): readonly TimedQuote[] {
  const name = product === undefined ? '' : `,${JSON.stringify(product)},`;
  const newest = new Map<string, TimedQuote>();
  for (const line of linesBack(path, tailBytes)) {
    const lane = line.includes(name) ? LANE.exec(line)?.[1] : undefined;
    // Of each lane one line is parsed: a start waits for it.
    const seen = lane === undefined || newest.has(lane) ? undefined : quoteIn(line);
    if (lane !== undefined && seen) newest.set(lane, seen);
  }
  return [...newest.values()].reverse();
}

function quoteIn(line: string): TimedQuote | undefined {
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
