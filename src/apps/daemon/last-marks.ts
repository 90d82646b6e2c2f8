import { runsOfProduct } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { Recovered } from '#adapters/journal/sqlite-journal.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import type { PastMark } from '#domain/past-risk.ts';
import type { Quote } from '#domain/quote.ts';

/** Runs of a product whose recordings are looked into, newest first. */
const RUNS = 5;

interface Place {
  /** Path of the journal, and folder of recordings. */
  readonly journal: string;
  readonly recordings: string;
  /** Products that have a lane in this run. */
  readonly watched: ReadonlySet<string>;
}

/** Adds what was recorded last of products that are held and have no lane any more, so that what they lost is not forgotten. */
export function withLastMarks(recovered: Recovered, place: Place): Recovered {
  const held = recovered.books.books.filter(({ size, product }) => Number(size) !== 0 && !place.watched.has(product));
  if (held.length === 0) return recovered;
  const products = [...new Set(held.map(({ product }) => product))];
  const reader = JournalReader.open(place.journal);
  try {
    const marks = products.flatMap((product) => {
      const runs = reader.named((database) => runsOfProduct(database, product, RUNS));
      return markOf(
        product,
        runs.map((run) => logPath(place.recordings, run)),
      );
    });
    return { ...recovered, risk: { ...recovered.risk, marks } };
  } finally {
    reader.close();
  }
}

/** The last mark of a product in the first of these recordings that has one; none where none has. */
function markOf(product: string, recordings: readonly string[]): readonly PastMark[] {
  for (const path of recordings) {
    // The newest quote of the largest lane tells best what all of a position would bring.
    const [largest] = quotesOf(path)
      .filter((quote) => quote.product === product)
      .sort((a, b) => b.sell.size - a.sell.size);
    if (largest) return [{ product: largest.product, buy: largest.buy.price, sell: largest.sell.price }];
  }
  return [];
}

/** None where a recording cannot be read: an old one must not keep the daemon from its start. */
function quotesOf(path: string): readonly Quote[] {
  try {
    return lastQuotes(path);
  } catch (error) {
    if (error instanceof KairosError) return [];
    throw error;
  }
}
