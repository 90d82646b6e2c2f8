import { figureAt } from '#domain/figure-at.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import { rowAt } from '#report/equity/rates.ts';
import type { BacktestRun } from './backtest.ts';

/** The run with the quotes by which its report values what is held at its end: those that it played last, and of recorded lanes that it did not play. */
export function withValuingQuotes(run: BacktestRun, recorded: readonly QuoteColumns[]): BacktestRun {
  const played = new Set<string>(run.lastQuotes.map(({ quote }) => quote.lane));
  const unplayed = recorded.flatMap((columns) => {
    const row = played.has(columns.lane) ? -1 : rowAt(columns, run.endedAt);
    return row < 0 ? [] : { quote: quoteAt(columns, row), at: figureAt(columns.at, row) };
  });
  return { ...run, lastQuotes: [...run.lastQuotes, ...unplayed] };
}
