import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportQuotes } from '../../src/recording/export-file.ts';
import { columnsOf } from '../../src/recording/log-columns.ts';
import type { Recorded } from '../../src/recording/log-format.ts';
import { recordedQuote } from '../support/recorded-quotes.ts';

const AT = Date.UTC(2026, 10, 21);

function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'kairos-export-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const items: readonly Recorded[] = [
  { kind: 'event', event: { n: 7, at: AT, event: { kind: 'quote', quote: recordedQuote({ n: 1 }) } } },
  { kind: 'conflated', at: AT + 5, quote: recordedQuote({ n: 2, anonymous: true, lane: 'odd, "lane"' }) },
];

describe('exporting recorded quotes', () => {
  test('CSV: a line a quote, every figure, empty where there is none', () => {
    const file = path.join(folder(), 'out.csv');
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
    const file = path.join(folder(), 'out.parquet');
    exportQuotes(columnsOf(items), { file, format: 'parquet' });
    const bytes = new Uint8Array(readFileSync(file));
    const rows = await parquetReadObjects({ file: bytes.buffer, compressors });
    expect(rows).toMatchObject([
      { product: 'btcusd', arrived_at: new Date(AT), n: 7n, id: '0000000a-0000-4000-8000-000000000001', buy_price: 61_001.5, spread: 0.5 },
      { lane: 'odd, "lane"', n: null, id: null, sell_price: 61_002, daily_change_pct: -1.25 },
    ]);
  });

  test('what cannot be written is said, and nothing is left', () => {
    const file = path.join(folder(), 'none', 'out.csv');
    expect(() => exportQuotes(columnsOf(items), { file, format: 'csv' })).toThrow(/could not be written/);
    expect(existsSync(file)).toBe(false);
  });
});
