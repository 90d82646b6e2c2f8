import { JournalReader } from '#adapters/journal/reader.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { movementOf } from '#assembly/run-record.ts';
import type { Settings } from '#config/settings.ts';
import { refuseUnknownStrategy } from '#daemon/operations/known-strategy.ts';
import type { TimedQuote } from '#domain/quote.ts';
import { type BookReport, positionCorrections, reportBooks } from '#report/books.ts';
import type { Movement } from '#report/profit.ts';
import { openOf } from '#report/valued.ts';
import { openedAtStart } from '#research/backtest/outcome.ts';
import { type PlayedData, playedFrom } from '#research/backtest/played.ts';

/** Everything for reports on money, at one instant, also while a daemon runs. */
export interface Money extends BookReport {
  readonly ledger: readonly Movement[];
  /** Why some of what is held has no value; null where all has one. */
  readonly unvalued: string | null;
  /** What is held without dust. */
  readonly open: BookReport['holdings'];
  /** Orders of unknown outcome, whose movements are not booked. */
  readonly unknowns: readonly { readonly book: string; readonly product: string; readonly side: 'buy' | 'sell'; readonly size: string }[];
}

/** Reads journal and recording. Throws NOT_FOUND for an unknown strategy that is asked for, and what opening a journal throws. */
export function readMoney(settings: Settings, strategy?: string): Money {
  const journal = JournalReader.open(settings.journal.path);
  try {
    refuseUnknownStrategy(journal, strategy);
    return journal.snapshot(() => {
      const run = journal.lastRun();
      const played = playedIn(settings, run);
      const unknowns = journal.openOrders().map(({ strategy, product, side, size }) => ({ book: strategy, product, side, size }));
      const booked = [...journal.ledger()];
      const ledger = run && played ? openedAtStart(booked, run.started_at) : booked;
      const books = reportBooks(journal.fills(), journal.tags(), quotesOf(settings, run, played), positionCorrections(booked));
      const unvalued = whyUnvalued(books.holdings, played, settings.journal.path);
      return { ...books, ledger, unknowns, unvalued, open: openOf(books.holdings, booked.map(movementOf)) };
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
      const quotes = quotesOf(settings, run, playedIn(settings, run));
      return reportBooks(journal.fills(), new Map(), quotes, positionCorrections(journal.flows()));
    });
  } finally {
    journal.close();
  }
}

/** Quotes of a live run at which what is held is valued, and why some of it has no value; undefined where the last run is a backtest. */
export function liveMarks(settings: Settings, journal: JournalReader) {
  const run = journal.lastRun();
  if (playedIn(settings, run) !== null) return undefined;
  return {
    quotes: quotesOf(settings, run, null),
    unvalued: (holdings: BookReport['holdings']) => whyUnvalued(holdings, null, settings.journal.path),
  };
}

type LastRun = ReturnType<JournalReader['lastRun']>;

/** What a backtest played whose journal this is; null for any other run. */
function playedIn({ journal }: Settings, run: LastRun): PlayedData | null {
  return run === undefined ? null : playedFrom(journal.path, run.run_id);
}

/** Quotes at which what is held is valued: the last ones that were played or recorded. */
function quotesOf({ recording }: Settings, run: LastRun, played: PlayedData | null): readonly TimedQuote[] {
  if (run === undefined) return [];
  return played ? played.lastSeen : lastQuotes(logPath(recording.dir, run.run_id));
}

function whyUnvalued(holdings: BookReport['holdings'], played: PlayedData | null, journal: string): string | null {
  const products = [...new Set(holdings.flatMap(({ product, estimate }) => (estimate ? [] : [product])))].join(', ');
  if (products === '') return null;
  return played !== null
    ? `a backtest's journal has no quote of ${products}: \`kairos report last --journal ${journal}\` values what is held at the quotes that were played`
    : `the recording of the last run has no quote of ${products}`;
}
