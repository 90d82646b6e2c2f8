import { JournalReader } from '#adapters/journal/reader.ts';
import type { Recovered } from '#adapters/journal/sqlite-journal.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import type { PastMark } from '#domain/past-risk.ts';
import type { Quote } from '#domain/quote.ts';

/** Runs whose recordings are looked into, newest first. */
const RUNS = 50;

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
  const marks = lastMarks(new Set(held.map(({ product }) => product)), place);
  return { ...recovered, risk: { ...recovered.risk, marks } };
}

function lastMarks(wanted: Set<string>, { journal: path, recordings }: Place): readonly PastMark[] {
  const marks: PastMark[] = [];
  for (const run of newestRuns(path)) {
    if (wanted.size === 0) break;
    // The newest quote of the largest lane tells best what all of a position would bring.
    for (const { product, buy, sell } of quotesOf(logPath(recordings, run)).toSorted((a, b) => b.sell.size - a.sell.size)) {
      if (!wanted.delete(product)) continue;
      marks.push({ product, buy: buy.price, sell: sell.price });
    }
  }
  return marks;
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

function newestRuns(path: string): readonly string[] {
  const reader = JournalReader.open(path);
  try {
    return reader.named((database) =>
      database.prepare<[number], string>('SELECT run_id FROM runs ORDER BY rowid DESC LIMIT ?').pluck().all(RUNS),
    );
  } finally {
    reader.close();
  }
}
