import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { exportCandles } from '#adapters/recording/candle-file.ts';
import { type ImportResult, importFile } from '#adapters/recording/import/import-file.ts';
import { columnsIn } from '#adapters/recording/open-columns.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { type Candle, candles } from '#core/strategy/candles.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { engineTime } from '../../support/engine-time.ts';
import { newFolder } from '../../support/folder.ts';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const there = existsSync(data);
const without = there ? '' : ' (skipped: no ../shared/data beside the checkout)';

async function importTicks(name: string, product: string): Promise<{ counts: ImportResult; log: string }> {
  const out = newFolder();
  const lane = laneFor(productCode(product), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency(product.slice(0, 3)), quoteCcy: currency(product.slice(3)) };
  const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'fail' } as const;
  const counts = await importFile({
    file: path.join(data, name),
    map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' },
    ticks,
    out,
  });
  return { counts, log: logPath(out, counts.run) };
}

const rowsOf = (name: string): string[] =>
  gunzipSync(readFileSync(path.join(data, name)))
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .slice(1);

function rowOf({ at, bid, ask }: Candle): string {
  const figures = [bid.open, bid.high, bid.low, bid.close, ask.open, ask.high, ask.low, ask.close];
  return [at, ...figures.map((price) => price.toFixed(5))].join(',');
}

/** The operator, given quotes one by one, each at its time of arrival, and the last of them once more later to end its candle. */
function candleRows(width: string) {
  const time = engineTime();
  const source = new Subject<Quote>();
  const rows: string[] = [];
  const before = swapAmbient({ scheduler: time.scheduler, observed: { set: () => undefined } });
  source.pipe(candles(width)).subscribe((candle) => rows.push(rowOf(candle)));
  swapAmbient(before);
  let last: Quote | undefined;
  return {
    take(at: number, quote: Quote): void {
      time.now = at;
      source.next(quote);
      last = quote;
    },
    end(): string[] {
      time.now += 3_600_000;
      if (last) source.next(last);
      return rows;
    },
  };
}

const MINUTE = 60_000;

/** Candles of a recording as they are exported, spelled as the expected ones are. */
function exportedRows(log: string, widthMs: number): string[] {
  const file = path.join(path.dirname(log), 'candles.csv');
  exportCandles(columnsIn([log]), { file, format: 'csv', widthMs, prices: 'both', areBars: () => false });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, , at, ...figures] = line.split(',');
    return [at, ...figures.slice(0, 8).map((price) => Number(price).toFixed(5))].join(',');
  });
}

describe('real prices', () => {
  test('the data is at hand where CI runs', () => {
    if (process.env.CI) expect(there, '../shared/data is missing, and CI is set').toBe(true);
  });

  test.skipIf(!there)(
    `half a month of EUR/USD ticks: every row, as DuckDB reads it too, and candles equal to the expected ones${without}`,
    async () => {
      const { counts, log } = await importTicks('eurusd_oanda_ticks_20140501-15.csv.gz', 'eurusd');
      expect(counts).toMatchObject({ rows: 532_903, quotes: 532_903, crossed: 0, unordered: 0 });
      expect([counts.from, counts.to]).toEqual(['2014-05-01T00:00:00.292Z', '2014-05-15T23:59:56.324Z']);
      const ticks = rowsOf('eurusd_oanda_ticks_20140501-15.csv.gz');
      const [minutes, seconds] = [candleRows('1m'), candleRows('1s')];
      let [quotes, different] = [0, -1];
      for (const item of openRun(log).items()) {
        if (item.kind !== 'conflated') continue;
        const { at, quote } = item;
        const [time, bid, ask] = (ticks[quotes] ?? '').split(',').map(Number);
        if (different < 0 && (at !== time || quote.sell.price !== bid || quote.buy.price !== ask)) different = quotes;
        quotes += 1;
        minutes.take(at, quote);
        if (at >= Date.UTC(2014, 4, 8) && at < Date.UTC(2014, 4, 9)) seconds.take(at, quote);
      }
      expect([quotes, different]).toEqual([532_903, -1]);
      expect(minutes.end()).toEqual(rowsOf('candles_eurusd_oanda_1m_expected.csv.gz'));
      expect(seconds.end()).toEqual(rowsOf('candles_eurusd_oanda_1s_20140508_expected.csv.gz'));
      expect(exportedRows(log, MINUTE)).toEqual(rowsOf('candles_eurusd_oanda_1m_expected.csv.gz'));
      const { DuckDBInstance } = await import('@duckdb/node-api');
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const files = path.join(path.dirname(log), 'sealed', 'quotes-*.parquet');
      const sums = (table: string, [at, bid, ask]: [string, string, string]) =>
        `select count(*)::int as rows, sum(${at})::varchar as at, sum(${bid})::varchar as bid, sum(${ask})::varchar as ask from ${table}`;
      const ours = await connection.runAndReadAll(sums(`'${files}'`, ['epoch_ms(arrived_at)', 'sell_price', 'buy_price']));
      const source = `read_csv('${path.join(data, 'eurusd_oanda_ticks_20140501-15.csv.gz')}')`;
      const theirs = await connection.runAndReadAll(sums(source, ['ts_ms', 'bid::decimal(18,8)', 'ask::decimal(18,8)']));
      expect(ours.getRowObjectsJson()).toEqual(theirs.getRowObjectsJson());
      connection.closeSync();
    },
  );

  test.skipIf(!there)(`best bid and ask over a midnight: every row${without}`, async () => {
    const { counts } = await importTicks('btcusdt_binance_spot_quotes_20240809.csv.gz', 'btcusd');
    expect(counts).toMatchObject({ rows: 73_174, quotes: 73_174 });
  });
});
