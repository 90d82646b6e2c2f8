import { JournalReader } from '#adapters/journal/reader.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import type { Settings } from '#config/settings.ts';
import { type BookReport, reportBooks, sizeCorrections } from '#report/books.ts';
import type { Movement } from '#report/profit.ts';

/** Everything for reports on money, at one instant, also while a daemon runs. */
export interface Money extends BookReport {
  readonly ledger: readonly Movement[];
  /** Orders of unknown outcome, whose movements are not booked. */
  readonly unknowns: readonly { readonly book: string; readonly product: string; readonly side: 'buy' | 'sell'; readonly size: string }[];
}

/** Reads journal and recording. Throws what opening a journal throws. */
export function readMoney(settings: Settings): Money {
  const journal = JournalReader.open(settings.journal.path);
  try {
    return journal.snapshot(() => {
      const run = journal.lastRun()?.run_id;
      const quotes = run === undefined ? [] : lastQuotes(logPath(settings.recording.dir, run));
      const unknowns = journal.openOrders().map(({ strategy, product, side, size }) => ({ book: strategy, product, side, size }));
      const ledger = [...journal.ledger()];
      return { ...reportBooks(journal.fills(), journal.tags(), quotes, sizeCorrections(ledger)), ledger, unknowns };
    });
  } finally {
    journal.close();
  }
}
