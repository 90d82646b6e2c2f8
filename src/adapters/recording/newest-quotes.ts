import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { newestPast } from './newest-past.ts';

/** A quote that strategies were given, and when. */
interface PastQuote {
  readonly at: Millis;
  readonly quote: Quote;
}

/** The newest recorded quotes of lanes that strategies were given, oldest first: of each lane up to as many as are wanted. */
export function newestQuotes(
  where: { readonly dir: string; readonly book: string },
  wanted: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly PastQuote[]> {
  const counts = [...wanted].map(([lane, count]) => [lane, { count, spanMs: 0, since: Number.POSITIVE_INFINITY }] as const);
  const found = newestPast(where, new Map(counts));
  return new Map([...found].map(([lane, list]) => [lane, list.flatMap(({ value }) => ('quote' in value ? [value] : []))]));
}
