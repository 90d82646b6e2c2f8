import { playedBy } from '#adapters/journal/played.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import type { Settings } from '#config/settings.ts';
import { type BookReport, reportBooks, sizeCorrections } from '#report/books.ts';
import type { Movement } from '#report/profit.ts';

/** Everything for reports on money, at one instant, also while a daemon runs. */
export interface Money extends BookReport {
  readonly ledger: readonly Movement[];
  /** Why some of what is held has no value; null where all has one. */
  readonly unvalued: string | null;
  /** Orders of unknown outcome, whose movements are not booked. */
  readonly unknowns: readonly { readonly book: string; readonly product: string; readonly side: 'buy' | 'sell'; readonly size: string }[];
}

/** Reads journal and recording. Throws what opening a journal throws. */
export function readMoney(settings: Settings): Money {
  const journal = JournalReader.open(settings.journal.path);
  try {
    return journal.snapshot(() => {
      const run = journal.lastRun();
      const quotes = run === undefined ? [] : lastQuotes(logPath(settings.recording.dir, run.run_id));
      const unknowns = journal.openOrders().map(({ strategy, product, side, size }) => ({ book: strategy, product, side, size }));
      const ledger = [...journal.ledger()];
      const books = reportBooks(journal.fills(), journal.tags(), quotes, sizeCorrections(ledger));
      return { ...books, ledger, unknowns, unvalued: whyUnvalued(books.holdings, run?.run_id, settings.journal.path) };
    });
  } finally {
    journal.close();
  }
}

/** Round trips and holdings alone, without tags: less is read of a long journal. Throws what opening a journal throws. */
export function readBooks(settings: Settings): BookReport {
  const journal = JournalReader.open(settings.journal.path);
  try {
    return journal.snapshot(() => {
      const run = journal.lastRun();
      const quotes = run === undefined ? [] : lastQuotes(logPath(settings.recording.dir, run.run_id));
      return reportBooks(journal.fills(), new Map(), quotes, sizeCorrections(journal.corrections()));
    });
  } finally {
    journal.close();
  }
}

function whyUnvalued(holdings: BookReport['holdings'], run: string | undefined, journal: string): string | null {
  const products = [...new Set(holdings.flatMap(({ product, estimate }) => (estimate ? [] : [product])))].join(', ');
  if (products === '') return null;
  return run !== undefined && playedBy(journal, run) !== null
    ? `a backtest's journal has no quote of ${products}: \`kairos report last --journal ${journal}\` values what is held at the quotes that were played`
    : `the recording of the last run has no quote of ${products}`;
}
