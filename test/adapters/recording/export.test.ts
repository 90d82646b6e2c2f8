import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, test } from 'vitest';
import { type CandleOptions, exportCandles } from '#adapters/recording/candle-file.ts';
import { exportQuotes } from '#adapters/recording/export-file.ts';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import type { LogEntry } from '#adapters/recording/log-format.ts';
import { newFolder } from '../../support/folder.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const AT = Date.UTC(2026, 10, 21);

const items: readonly LogEntry[] = [
  { kind: 'event', event: { n: 7, at: AT, event: { kind: 'quote', quote: recordedQuote({ n: 1 }) } } },
  { kind: 'conflated', at: AT + 5, quote: recordedQuote({ n: 2, anonymous: true, lane: 'odd, "lane"' }) },
];

describe('exporting recorded quotes', () => {
  test('CSV: a line a quote, every figure, empty where there is none', () => {
    const file = path.join(newFolder(), 'out.csv');
    expect(exportQuotes(columnsOf(items), { file, format: 'csv' })).toBe(2);
    const [head, first, second, end, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(head).toMatch(/^product,lane,arrived_at,valid_until,n,epoch,id,buy_price,buy_size,buy_value,/);
    expect(first).toMatch(
      /^btcusd,btcusd@base:0.01,2026-11-21T00:00:00.000Z,2026-11-21T03:00:03.001Z,7,3,0000000a-0000-4000-8000-000000000001,61001.5,0.01,610,/,
    );
    expect(second).toMatch(/^btcusd,"odd, ""lane""",2026-11-21T00:00:00.005Z,2026-11-21T03:00:03.002Z,,3,,61002.5,/);
    expect([end, rest]).toEqual(['', []]);
  });

  test('Parquet: as other readers see it', async () => {
    const file = path.join(newFolder(), 'out.parquet');
    exportQuotes(columnsOf(items), { file, format: 'parquet' });
    const bytes = new Uint8Array(readFileSync(file));
    const rows = await parquetReadObjects({ file: bytes.buffer, compressors });
    expect(rows).toMatchObject([
      { product: 'btcusd', arrived_at: new Date(AT), n: 7n, id: '0000000a-0000-4000-8000-000000000001', buy_price: 61_001.5, spread: 0.5 },
      { lane: 'odd, "lane"', n: null, id: null, sell_price: 61_002, daily_change_pct: -1.25 },
    ]);
  });

  test('what cannot be written is said, and nothing is left', () => {
    const file = path.join(newFolder(), 'none', 'out.csv');
    expect(() => exportQuotes(columnsOf(items), { file, format: 'csv' })).toThrow(/could not be written/);
    expect(existsSync(file)).toBe(false);
  });
});

describe('exporting candles', () => {
  const MINUTE = 60_000;
  const at = (offset: number, n: number): LogEntry => ({ kind: 'conflated', at: AT + offset, quote: recordedQuote({ n }) });
  const quotes = columnsOf([at(0, 5), at(MINUTE - 1, 2), at(MINUTE, 7), at(4 * MINUTE + 1, 3), at(5 * MINUTE, 4)]);

  function exported(more: Partial<CandleOptions> = {}): readonly string[] {
    const file = path.join(newFolder(), 'candles.csv');
    exportCandles(quotes, { file, format: 'csv', widthMs: MINUTE, prices: 'both', areBars: () => false, ...more });
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  }

  test('a width belongs to its begin, one without a quote has no candle, and bid and ask are apart', () => {
    const lane = 'btcusd,btcusd@base:0.01';
    expect(exported()).toEqual([
      'product,lane,ts_ms_open,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close,quotes',
      `${lane},${AT},61005,61005,61002,61002,61005.5,61005.5,61002.5,61002.5,2`,
      `${lane},${AT + MINUTE},61007,61007,61007,61007,61007.5,61007.5,61007.5,61007.5,1`,
      `${lane},${AT + 4 * MINUTE},61003,61003,61003,61003,61003.5,61003.5,61003.5,61003.5,1`,
      `${lane},${AT + 5 * MINUTE},61004,61004,61004,61004,61004.5,61004.5,61004.5,61004.5,1`,
    ]);
    expect(exported({ prices: 'mid' })[1]).toBe(`${lane},${AT},61005.25,61005.25,61002.25,61002.25,2`);
    expect(exported({ prices: 'ask' })[0]).toBe('product,lane,ts_ms_open,ask_open,ask_high,ask_low,ask_close,quotes');
  });

  test('a mid has no more digits than half the sum of bid and ask', () => {
    const [quote] = columnsOf([at(0, 1)]);
    if (!quote) throw new Error('no quote');
    const sides = [
      [0.58744, 0.58748, 0.58746],
      [0.0000012, 0.0000013, 0.00000125],
      [1.38676, 1.38687, 1.386815],
      [61_837.12345678, 61_838.12345679, 61_837.623456785],
    ] as const;
    for (const [bid, ask, mid] of sides) {
      const lane = { ...quote, sell: { ...quote.sell, price: Float64Array.of(bid) }, buy: { ...quote.buy, price: Float64Array.of(ask) } };
      const file = path.join(newFolder(), 'mid.csv');
      exportCandles([lane], { file, format: 'csv', widthMs: MINUTE, prices: 'mid', areBars: () => false });
      expect(readFileSync(file, 'utf8').split('\n')[1]?.split(',')[6]).toBe(String(mid));
    }
  });

  test('a bar that was imported is known at its end, and belongs to the width that ends then', () => {
    const begins = exported({ areBars: () => true })
      .slice(1)
      .map((line) => (Number(line.split(',')[2]) - AT) / MINUTE);
    expect(begins).toEqual([-1, 0, 4]);
  });

  test('Parquet: as other readers see it', async () => {
    const file = path.join(newFolder(), 'candles.parquet');
    expect(exportCandles(quotes, { file, format: 'parquet', widthMs: MINUTE, prices: 'bid', areBars: () => false })).toBe(4);
    const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(file)).buffer, compressors });
    expect(rows[0]).toEqual({
      product: 'btcusd',
      lane: 'btcusd@base:0.01',
      ts_ms_open: BigInt(AT),
      bid_open: 61_005,
      bid_high: 61_005,
      bid_low: 61_002,
      bid_close: 61_002,
      quotes: 2n,
    });
  });
});
