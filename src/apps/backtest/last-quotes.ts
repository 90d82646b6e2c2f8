import type { Quote } from '#domain/quote.ts';
import { type PriceColumns, type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import { Rates } from '#report/equity/rates.ts';
import type { BacktestRun } from './backtest.ts';

/** The run with the quotes by which its report values what is held at its end: those that it played last, and of recorded lanes that it did not play. */
export function withValuingQuotes(
  run: BacktestRun,
  { columns: recorded, modelled }: { readonly columns: readonly QuoteColumns[]; readonly modelled: readonly PriceColumns[] },
): BacktestRun {
  const played = new Map<string, Quote>(run.lastQuotes.map((quote) => [quote.lane, quote]));
  const unplayed = new Map<string, QuoteColumns>(recorded.map((one) => [one.lane, one]));
  const standing = new Rates([...recorded, ...modelled]).standing(run.endedAt);
  const lastQuotes = standing.flatMap(({ columns: { lane }, row }) => {
    const columns = unplayed.get(lane);
    return played.get(lane) ?? (columns ? quoteAt(columns, row) : []);
  });
  return { ...run, lastQuotes };
}
