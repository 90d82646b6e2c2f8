import { standingFrom } from '#domain/freshness.ts';
import type { Quote } from '#domain/quote.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { recordedOf } from './log-format.ts';
import { logTail } from './log-tail.ts';
import { isRecorded, openRun, type RunPart } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';

/** Bytes that are read from the end of a log. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** Number of last parts that are read: the last one may have only just begun. */
const PARTS = 2;

/** The newest quote of each lane that stood at the end of a recording, also while it grows or sealed; none where there is none. */
export function lastQuotes(path: string): readonly Quote[] {
  if (!isRecorded(path)) return [];
  const newest = new Map<string, Quote>();
  for (const part of openRun(path).parts().slice(-PARTS)) for (const quote of quotesIn(part)) newest.set(quote.lane, quote);
  return [...Map.groupBy(newest.values(), ({ product }) => product).values()].flatMap(standing);
}

function standing(ofProduct: readonly Quote[]): readonly Quote[] {
  const from = standingFrom(ofProduct.map(({ validUntil }) => ({ at: validUntil })));
  return ofProduct.filter(({ validUntil }) => validUntil >= from);
}

function quotesIn(part: RunPart): readonly Quote[] {
  if (!(part instanceof SealedRun)) return logTail(part.path, TAIL_BYTES).flatMap((line) => quoteIn(line) ?? []);
  return part.newest().map((file) => {
    const columns = part.quotes(file);
    return quoteAt(columns, columns.length - 1);
  });
}

function quoteIn(line: string): Quote | undefined {
  if (!line.startsWith('["q",')) return undefined;
  try {
    const item = recordedOf(line);
    if (item.kind === 'conflated') return item.quote;
    return item.event.event.kind === 'quote' ? item.event.event.quote : undefined;
  } catch {
    // The line at the very end may be half written; an older one of the lane does as well.
    return undefined;
  }
}
