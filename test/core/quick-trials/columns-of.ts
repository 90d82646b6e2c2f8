import { ColumnsBuilder } from '#adapters/recording/log-columns.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { quoteAt } from '../../support/quotes.ts';

/** Columns of quotes at one price on both sides. */
export function columnsOf(quotes: readonly { readonly at: number; readonly price: number }[]): QuoteColumns {
  const builder = new ColumnsBuilder(quoteAt(1));
  for (const [line, { at, price }] of quotes.entries())
    builder.add({ line, n: line, at }, quoteAt(price, { validUntil: at + 3_000, id: null }));
  return builder.columns();
}
