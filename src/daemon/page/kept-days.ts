import { existsSync } from 'node:fs';
import { journalFiles } from '#adapters/journal/files.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { Settings } from '#config/settings.ts';
import { liveMarks } from '#daemon/operations/report/money.ts';
import { decimalOf } from '#domain/decimal.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { daysOfFlows, type ProfitRow, profitByDay } from '#report/profit.ts';
import { PastTrades } from './past-trades.ts';

/** Profit by day, and why some of what is held has no value. */
interface KeptDays {
  readonly rows: readonly ProfitRow[];
  readonly unvalued: string | null;
}

/**
 * Profit by day from the figures that a daemon has kept beside its journal, so that the time does not grow with the decisions; undefined
 * where none are kept, or the journal is a backtest's. Throws what opening a journal throws.
 */
export function keptDays(settings: Settings): KeptDays | undefined {
  const journal = JournalReader.open(settings.journal.path);
  try {
    if (!existsSync(journalFiles(settings.journal.path).figures)) return undefined;
    const marks = liveMarks(settings, journal);
    if (!marks) return undefined;
    const past = new PastTrades(journal);
    try {
      past.readOn();
      const holdings = past.holdings(marks.quotes);
      const ledger = journal.flows();
      const { corrections } = past;
      const closed = closedIn(past, daysOfFlows(ledger));
      const traded = new Set([...past.found.books(), ...[...holdings, ...corrections].map(({ book }) => book)]);
      return { rows: profitByDay(closed, { holdings, corrections, ledger, traded }), unvalued: marks.unvalued(holdings) };
    } finally {
      past.close();
    }
  } finally {
    journal.close();
  }
}

/** The sums of days, and of days with flows each round trip: a return is chained at the instant of a flow. */
function closedIn({ found }: PastTrades, flows: ReadonlySet<string>) {
  const days = found.days().flatMap(({ day, ...sum }) => {
    const at = Date.parse(day);
    return flows.has(day) ? [] : [{ ...sum, at }];
  });
  const trips = [...flows].flatMap((day) => {
    const from = Date.parse(day);
    return found.closesBetween({ from, to: from + DAY_MS }).map((trip) => ({ ...trip, trades: 1, won: Number(trip.profit) > 0 ? 1 : 0 }));
  });
  return [...days, ...trips].map((one) => ({ ...one, fees: decimalOf(one.fees), profit: decimalOf(one.profit) }));
}
