import { openPrices } from '#adapters/recording/import/prices.ts';
import type { ColumnMap } from '#adapters/recording/import/row.ts';
import { KairosError, messageOf } from '#domain/errors.ts';

/** Prices in columns: market time in milliseconds since 1970 UTC, best bid and best ask. */
export interface PriceSeries {
  readonly timeMs: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
}

interface ColumnNames {
  readonly time: string;
  readonly bid: string;
  readonly ask: string;
}

const MENDS: ColumnMap['mends'] = {
  column: (wanted) => `set venue.prices.columns.${wanted}`,
  unit: '',
  dates: 'give the year first',
  decimal: () => 'write prices with a point',
};

/**
 * Reads a file of prices as `data import` does, sorted by time; only the three named columns are kept. Throws PRICES_UNREADABLE that names
 * file, line and column.
 */
export async function readPrices(path: string, names: ColumnNames): Promise<PriceSeries> {
  const [timeMs, bid, ask]: [number[], number[], number[]] = [[], [], []];
  let last = Number.NEGATIVE_INFINITY;
  try {
    const prices = await openPrices(path, { ...names, unit: 'auto', isRelative: true, decimal: 'point', mends: MENDS });
    await prices.read(
      (row) => {
        if (row.at < last) return `column '${names.time}': goes back in time; sort the file by time`;
        if (row.ask < row.bid) return `column '${names.ask}': '${row.ask}' is below the bid of ${row.bid}`;
        last = row.at;
        timeMs.push(row.at);
        bid.push(row.bid);
        ask.push(row.ask);
        return undefined;
      },
      async () => {},
    );
  } catch (error) {
    const message = error instanceof KairosError ? error.message : `${path}: ${messageOf(error)}; check venue.prices.path`;
    throw new KairosError('PRICES_UNREADABLE', message, { cause: error });
  }
  if (timeMs.length === 0) throw new KairosError('PRICES_UNREADABLE', `${path}: there is no row under the header`);
  return { timeMs: Float64Array.from(timeMs), bid: Float64Array.from(bid), ask: Float64Array.from(ask) };
}
