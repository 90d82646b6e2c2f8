import { runsOfProduct } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { RecoveryState } from '#adapters/journal/sqlite-journal.ts';
import { lastQuotesOf } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { closing } from '#core/portfolio/valuation.ts';
import { KairosError } from '#domain/errors.ts';
import type { PastMark } from '#domain/past-risk.ts';
import type { TimedQuote } from '#domain/quote.ts';
import type { Notice } from '#ports/notice.ts';

/** Maximum number of a product's runs whose recordings are read, newest first. */
const RUNS = 5;

interface Place {
  /** Path of the journal, and folder of recordings. */
  readonly journal: string;
  readonly recordings: string;
  /** Told of a recording that cannot be read. */
  readonly notice: Notice;
}

/** Adds the last recorded prices of held products: their losses count also where no quote of them comes. */
export function withLastMarks(recovered: RecoveryState, place: Place): RecoveryState {
  const held = recovered.books.books.filter(({ size }) => Number(size) !== 0);
  if (held.length === 0) return recovered;
  const products = [...new Set(held.map(({ product }) => product))];
  const reader = JournalReader.open(place.journal);
  try {
    const marks = products.flatMap((product) => {
      const runs = reader.named((database) => runsOfProduct(database, product, RUNS));
      return markOf(product, { recordings: runs.map((run) => logPath(place.recordings, run)), notice: place.notice });
    });
    return { ...recovered, risk: { ...recovered.risk, marks } };
  } finally {
    reader.close();
  }
}

/** The last mark of a product in the first of these recordings that has one; empty for none. */
function markOf(
  product: string,
  { recordings, notice }: { readonly recordings: readonly string[]; readonly notice: Notice },
): readonly PastMark[] {
  for (const path of recordings) {
    // The largest lane is the best estimate for a whole position.
    const largest = closing(quotesOf(path, { product, notice }), Number.POSITIVE_INFINITY);
    if (largest) return [{ product, buy: largest.quote.buy.price, sell: largest.quote.sell.price }];
  }
  return [];
}

/** The last quotes of a product in a recording; none if it cannot be read, since a recording must not prevent a start. */
function quotesOf(path: string, { product, notice }: { readonly product: string; readonly notice: Notice }): readonly TimedQuote[] {
  try {
    return lastQuotesOf(path, product);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    notice('warn', `the last price of ${product} is looked for in an older recording: ${error.message}`);
    return [];
  }
}
