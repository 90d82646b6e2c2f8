import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { isoMillis, millisIn, millisOf, numberIn } from '#adapters/recording/import/cells.ts';
import { clearImports, type ImportResult, importFile } from '#adapters/recording/import/import-file.ts';
import type { ColumnMap } from '#adapters/recording/import/row.ts';
import type { TickOptions } from '#adapters/recording/import/ticks.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { newFolder } from '../../support/folder.ts';
import { fc, test as property } from '../../support/property.ts';

interface Given extends Partial<ColumnMap>, Partial<TickOptions> {
  readonly name?: string;
  readonly spreadBps?: number;
}

async function imported(
  content: string | Uint8Array,
  given: Given = {},
): Promise<{ counts: ImportResult; quotes: readonly { at: number; quote: Quote }[] }> {
  const out = newFolder();
  const { name = 'ticks.csv', time = 'time', bid = 'bid', ask = 'ask', unit = 'auto', priceIs, spreadBps, ...options } = given;
  const file = path.join(out, name);
  writeFileSync(file, content);
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks: TickOptions = { ...names, size: 1000, feePercentage: 0.1, validMs: 3000, afterMs: 0, crossed: 'drop', ...options };
  const counts = await importFile({ file, map: { time, bid, ask, unit, priceIs }, spreadBps, ticks, out: path.join(out, 'out') });
  expect(verifyRun(logPath(path.join(out, 'out'), counts.run)).faults).toEqual([]);
  const quotes = [...openRun(logPath(path.join(out, 'out'), counts.run)).items()].map((item) => {
    if (item.kind !== 'conflated') throw new Error('an imported quote has no number');
    return { at: item.at, quote: item.quote };
  });
  return { counts, quotes };
}

const prices = ({ quotes }: { quotes: readonly { at: number; quote: Quote }[] }): [number, number, number][] =>
  quotes.map(({ at, quote }) => [at, quote.sell.price, quote.buy.price]);

describe('cells', () => {
  property.prop([
    fc.oneof(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), fc.float({ min: 0, noNaN: true, noDefaultInfinity: true })),
  ])('a number is read as JavaScript reads it', (value) => {
    for (const text of [String(value), value.toFixed(5), ` ${value} `]) expect(numberIn(text, undefined)).toBe(Number(text));
  });

  test.each(['', ' ', '.', '1.2.3', '0x10', 'Infinity', 'NaN', '1,5', '1e', '--1', '١'])('%j is no number (B05)', (text) => {
    expect(numberIn(text, undefined)).toBeNaN();
  });

  test('times in every unit, by magnitude or as said', () => {
    const at = Date.UTC(2014, 4, 1, 0, 0, 0, 292);
    expect([at / 1000, at, at * 1000, at * 1e6].map((count) => millisOf(count, 'auto'))).toEqual([at, at, at, at]);
    expect(millisOf(60_000, 'ms')).toBe(60_000);
    for (const text of [
      '2014-05-01T00:00:00.292Z',
      '2014-05-01 00:00:00.292',
      '20140501 000000.292',
      '2014-05-01T02:00:00.2929+02:00',
      '2014-05-01 00:00:00,292 UTC',
    ]) {
      expect(isoMillis(text)).toBe(at);
    }
    expect([isoMillis('yesterday'), isoMillis('2014-13-01 00:00'), isoMillis('')]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe('decimals of a count of time', () => {
  const instant = fc.integer({ min: 1e11, max: 4e12 });
  const below = fc.integer({ min: 0, max: 999_999 }).map((nanos) => String(nanos).padStart(6, '0'));

  property.prop([instant, below])('are cut below the millisecond on the digits, in every unit', (ms, nanos) => {
    const digits = `${ms}${nanos}`;
    const at = (places: number): string => `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
    const counts = [at(9), at(6), at(3), digits] as const;
    const units = ['s', 'ms', 'us', 'ns'] as const;
    expect(counts.map((text, n) => millisIn(text, units[n] ?? 'auto'))).toEqual([ms, ms, ms, ms]);
  });

  property.prop([instant])('as doubles of seconds and of milliseconds name the millisecond that was meant', (ms) => {
    expect([millisOf(ms / 1000, 's'), millisOf(ms + 0.9, 'ms')]).toEqual([ms, ms]);
  });

  test.each([
    ['1710720000.377', 1_710_720_000_377],
    ['1710720000.3779999999', 1_710_720_000_377],
    ['1710720000', 1_710_720_000_000],
    ['1710720000.', 1_710_720_000_000],
    ['1710720000377.9999', 1_710_720_000_377],
    ['1710720000376999999', 1_710_720_000_376],
    ['1.710720000377e9', 1_710_720_000_377],
    ['-0.0005', -1],
    ['-1.5', -1500],
  ])('%s', (text, ms) => {
    expect(millisIn(text, 'auto')).toBe(ms);
  });

  test('a CSV and a Parquet file of seconds keep the millisecond', async () => {
    const ats = Array.from({ length: 1000 }, (_, n) => 1_710_720_000_000 + n * 1001);
    const text = `time,bid,ask\n${ats.map((at) => `${(at / 1000).toFixed(3)},1,2\n${`"${(at / 1000).toFixed(3)}9"`},1,2\n`).join('')}`;
    expect(prices(await imported(text)).map(([at]) => at)).toEqual(ats.flatMap((at) => [at, at]));
    const columnData = [
      { name: 'time', data: ats.map((at) => at / 1000), type: 'DOUBLE' as const },
      { name: 'bid', data: ats.map(() => 1), type: 'DOUBLE' as const },
      { name: 'ask', data: ats.map(() => 2), type: 'DOUBLE' as const },
    ];
    const found = await imported(new Uint8Array(parquetWriteBuffer({ columnData })), { name: 'a.parquet' });
    expect(prices(found).map(([at]) => at)).toEqual(ats);
  });
});

describe('importing prices', () => {
  const price = fc.double({ min: 1e-7, max: 1e9, noNaN: true });
  const spelled = fc
    .tuple(
      price,
      fc.constantFrom<(value: number) => string>(
        String,
        (v) => v.toFixed(9),
        (v) => ` ${v}`,
        (v) => `"${v}"`,
        (v) => v.toExponential(),
        (v) => `+${v}`,
      ),
    )
    .map(([value, as]) => as(value))
    .filter((text) => Number(text.replaceAll('"', '')) > 0);
  property.prop([fc.array(fc.tuple(spelled, spelled), { minLength: 1, maxLength: 20 }), fc.constantFrom('\n', '\r\n')], { numRuns: 20 })(
    'prices of a CSV are read as JavaScript reads them, however they are spelled and lines end',
    async (rows, end) => {
      const text = ['x,bid,time,ask,', ...rows.map(([bid, ask], row) => `"a,b",${bid},${1e12 + row},${ask},y`)].join(end);
      const found = prices(await imported(text, { crossed: 'keep' }));
      expect(found.map(([, bid, ask]) => [bid, ask])).toEqual(rows.map((cells) => cells.map((cell) => Number(cell.replaceAll('"', '')))));
    },
  );

  test('ticks become quotes of one lane with fee, validity and slippage', async () => {
    const { counts, quotes } = await imported('time,bid,ask\n1398902400292,1.38676,1.38686\n');
    expect(counts).toMatchObject({ rows: 1, quotes: 1, lane: 'eurusd@base:1000', from: '2014-05-01T00:00:00.292Z' });
    expect(quotes[0]).toMatchObject({
      at: 1398902400292,
      quote: {
        id: null,
        baseCcy: 'eur',
        quoteCcy: 'usd',
        validUntil: 1398902403292,
        buy: { price: 1.38686, size: 1000, value: 1386.86, feeInBaseCcy: 1, feeInQuoteCcy: 1.38686, slippage: 0.00005 },
        sell: { price: 1.38676, slippage: 0.00005 },
        spread: 0.0001,
      },
    });
  });

  test.each<[string, string, Given]>([
    ['other names and order, more columns', 'x;A;T;B\n;2;1000000000000;1\n', { time: 'T', bid: 'B', ask: 'A' }],
    ['tabs, a BOM, quotes and CRLF', '\ufeff"time"\t"bid"\t"ask"\r\n"1000000000000"\t"1"\t"2"\r\n', {}],
    ['a separator inside quotes', 'note,time,bid,ask\n"a,b",1000000000000,1,2', {}],
    ['ISO times', 'time,bid,ask\n2001-09-09T01:46:40Z,1,2\n\n', {}],
    ['seconds with a fraction', 'time,bid,ask\n1000000000.000,1.0,2.0\n', {}],
    ['nanoseconds', 'time,bid,ask\n1000000000000000000,1,2\n', {}],
  ])('%s', async (_, text, given) => {
    expect(prices(await imported(text, given))).toEqual([[1e12, 1, 2]]);
    expect(prices(await imported(gzipSync(text), { ...given, name: 'ticks' }))).toEqual([[1e12, 1, 2]]);
  });

  const ODD =
    'time,bid,ask\n1000000000000,1,2\n1000000000000,1,2\n1000000000000,1,3\n1000000000005,3,2\n1000000000003,2,2\n1000000000009,1,2\n';

  test('crossed, locked, unordered, repeated and equal-time rows are counted and sorted by time', async () => {
    const dropped = await imported(ODD);
    expect(dropped.counts).toMatchObject({ rows: 6, quotes: 5, crossed: 1, locked: 1, unordered: 1, repeated: 1, equalTime: 1 });
    expect(prices(dropped)).toEqual([
      [1e12, 1, 2],
      [1e12, 1, 2],
      [1e12, 1, 3],
      [1e12 + 3, 2, 2],
      [1e12 + 9, 1, 2],
    ]);
    const kept = await imported(ODD, { crossed: 'keep' });
    expect(kept.counts).toMatchObject({ rows: 6, quotes: 6, crossed: 1 });
    expect(prices(kept).slice(3, 5)).toEqual([
      [1e12 + 3, 2, 2],
      [1e12 + 5, 3, 2],
    ]);
    await expect(imported(ODD, { crossed: 'fail' })).rejects.toThrow(/ticks.csv:5: ask 2 is below bid 3/);
  });

  test('bars are known at their end', async () => {
    expect(prices(await imported('time,bid,ask\n1000000000000,1,2\n', { afterMs: 60_000 }))).toEqual([[1e12 + 60_000, 1, 2]]);
  });

  test('a day of its own for each UTC day, and prices of any precision', async () => {
    const { counts, quotes } = await imported(
      'time,bid,ask\n2014-05-01T23:59:59.999Z,0.0000001234567,0.0000001234568\n2014-05-02T00:00:00Z,1,2\n',
    );
    expect(quotes.map(({ quote }) => quote.sell.price)).toEqual([0.0000001234567, 1]);
    expect(readdirSync(path.join(counts.path, 'sealed')).sort()).toEqual([
      'manifest.json',
      'quotes-eurusd-base-1000-2014-05-01.parquet',
      'quotes-eurusd-base-1000-2014-05-02.parquet',
    ]);
    const told: string[] = [];
    tidyRecordings({ dir: path.dirname(counts.path), keepDays: 1, now: Date.UTC(2026, 0), tell: (_, text) => told.push(text) });
    expect(told).toEqual([]);
  });

  test('Parquet of integers, doubles, dates and texts', async () => {
    const at = new Date(1e12);
    for (const [time, type] of [
      [[1_000_000_000_000n], 'INT64'],
      [[1_000_000_000_000_000_000n], 'INT64'],
      [[1e9], 'DOUBLE'],
      [[at], 'TIMESTAMP'],
      [[at.toISOString()], 'STRING'],
    ] as const) {
      const file = parquetWriteBuffer({
        columnData: [
          { name: 'T', data: [...time], type },
          { name: 'bid', data: [1], type: 'DOUBLE' },
          { name: 'ask', data: [2n], type: 'INT64' },
        ],
      });
      expect(prices(await imported(new Uint8Array(file), { time: 'T', name: 'a.parquet' }))).toEqual([[1e12, 1, 2]]);
    }
  });

  test('Parquet that DuckDB has written, with its own types, packing and row groups', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const file = path.join(newFolder(), 'duckdb.parquet');
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const columns = {
      us: "TIMESTAMP '2026-11-21 10:00:00.5' + to_milliseconds(250 * i)",
      utc: "TIMESTAMPTZ '2026-11-21 10:00:00.5+00' + to_milliseconds(250 * i)",
      ns: "(TIMESTAMP '2026-11-21 10:00:00.5' + to_milliseconds(250 * i))::TIMESTAMP_NS",
      whole: '1795255200500 + 250 * i',
      text: "strftime(TIMESTAMP '2026-11-21 10:00:00.5' + to_milliseconds(250 * i), '%Y-%m-%dT%H:%M:%S.%gZ')",
      bid: '1.25 + (i % 7) / 100.0',
      exact: '(1.5 + (i % 5) / 100.0)::DECIMAL(18, 5)',
    };
    const select = Object.entries(columns).map(([name, sql]) => `${sql} AS "${name}"`);
    for (const codec of ['snappy', 'zstd', 'gzip']) {
      await connection.run(
        `COPY (SELECT ${select.join(', ')} FROM range(2500) t(i)) TO '${file}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 2048)`,
      );
      for (const time of codec === 'snappy' ? ['us', 'utc', 'ns', 'whole', 'text'] : ['us']) {
        const found = prices(await imported(readFileSync(file), { name: 'duckdb.parquet', time, bid: 'bid', ask: 'exact' }));
        const expected = Array.from({ length: 2500 }, (_, i) => [
          Date.UTC(2026, 10, 21, 10, 0, 0, 500) + 250 * i,
          1.25 + (i % 7) / 100,
          1.5 + (i % 5) / 100,
        ]);
        expect(found.map(([at]) => at)).toEqual(expected.map(([at]) => at));
        for (const [row, [, bid, ask]] of found.entries()) {
          expect(bid).toBeCloseTo(expected[row]?.[1] ?? 0, 12);
          expect(ask).toBeCloseTo(expected[row]?.[2] ?? 0, 12);
        }
      }
    }
    connection.closeSync();
    instance.closeSync();
  });

  test('a large Parquet file comes row by row, in its order', async () => {
    const rows = 300_000;
    const bids = Float64Array.from({ length: rows }, (_, row) => 1 + (row % 1000) / 1000);
    const file = parquetWriteBuffer({
      columnData: [
        { name: 'time', data: Float64Array.from({ length: rows }, (_, row) => 1e12 + row), type: 'DOUBLE' },
        { name: 'bid', data: bids, type: 'DOUBLE' },
        { name: 'ask', data: bids.map((bid) => bid + 0.001), type: 'DOUBLE' },
      ],
    });
    const { counts, quotes } = await imported(new Uint8Array(file), { name: 'a.parquet' });
    expect(counts).toMatchObject({ rows, quotes: rows, unordered: 0 });
    expect(quotes.every(({ at, quote }, row) => at === 1e12 + row && quote.sell.price === bids[row])).toBe(true);
  });

  test.each<[string, string, Given, RegExp]>([
    [
      'no such column',
      'time,bid,offer\n1,1,1\n',
      {},
      /ticks.csv:1: no column 'ask' in the header \(time, bid, offer\); name it with --ask/,
    ],
    [
      'a price that is none',
      'time,bid,ask\n1000000000000,1,2\n1000000000000,oops,2\n',
      {},
      /ticks.csv:3: column 'bid': 'oops' is not a price/,
    ],
    ['a price of zero', 'time,bid,ask\n1000000000000,0,2\n', {}, /column 'bid': '0' is not a price above zero/],
    [
      'a comma that may be either sign',
      'time;bid;ask\n1000000000000;150,013;150,015\n',
      {},
      /ticks.csv: '150,013' can be read as two prices: add --decimal comma or point/,
    ],
    ['an infinite price', 'time,bid,ask\n1000000000000,1,1e999\n', {}, /column 'ask': '1e999'/],
    [
      'an absurd price',
      'time,bid,ask\n1000000000000,1,2\n1000000060000,1e308,1.1e308\n',
      {},
      /ticks.csv:3: column 'bid': '1e308' is not a price/,
    ],
    ['a time that no calendar has', `time,bid,ask\n${'9'.repeat(30)},1,2\n`, {}, /ticks.csv:2: column 'time': '9{30}' is not a time/],
    ['a time that is none', 'time,bid,ask\nnoon,1,2\n', {}, /ticks.csv:2: column 'time': 'noon' is not a time/],
    ['a time of another unit', 'time,bid,ask\n1000000000000,1,2\n', { unit: 'iso' }, /is not a time \(--unit/],
    ['a short row', 'time,bid,ask\n1000000000000,1\n', {}, /ticks.csv:2: has 2 columns, and 3 are needed/],
    ['an empty file', '', {}, /the file is empty$/],
    ['only a header', 'time,bid,ask\n', {}, /it has a header and no rows$/],
    ['no text at all', 'x'.repeat(200_000), {}, /a line is longer than/],
    ['Feather', 'ARROW1\0\0\xff\xff\xff\xff\x10\0\0\0', { name: 'a.feather' }, /a.feather: it is Feather.*; convert it to CSV or Parquet$/],
    ['lines of JSON', '{"time":1000000000000,"bid":1,"ask":2}\n', {}, /ticks.csv: it is JSON; convert it to CSV or Parquet$/],
    ['JSON', '[\n  [1000000000000, 1, 2]\n]\n', {}, /ticks.csv: it is JSON; convert it to CSV or Parquet$/],
    ['a spreadsheet', 'PK\x03\x04\x14\0time,bid,ask\n', {}, /ticks.csv: it is a zip archive or an Excel file; convert/],
    ['bytes', 'time,bid,ask\n\0\0\x01\x02,1,2\n', {}, /ticks.csv: it is no text; convert it to CSV or Parquet$/],
    ['half a gzip file', 'gz', {}, /ticks.csv: /],
    ['half a Parquet file', 'PAR1oops', {}, /not a Parquet file/],
    ['a CSV by the name of a Parquet file', 'time,bid,ask\n1000000000000,1,2\n', { name: 'a.parquet' }, /does not begin with PAR1/],
  ])('%s: one line that says where', async (name, text, given, says) => {
    const content = name === 'half a gzip file' ? gzipSync('time,bid,ask\n'.repeat(1000)).subarray(0, 30) : text;
    await expect(imported(content, given)).rejects.toThrow(says);
    await expect(imported(content, given)).rejects.toMatchObject({ code: 'DATA_UNREADABLE' });
  });

  test('a spread or a side that is said of a file with bid and ask is refused, not left out in silence', async () => {
    const text = 'time,bid,ask\n1000000000000,1,2\n';
    await expect(imported(text, { spreadBps: 50 })).rejects.toThrow(/bid and ask have their own prices: leave out --spread-bps$/);
    await expect(imported(text, { priceIs: 'bid' })).rejects.toThrow(/it has both bid and ask: leave out --price-is/);
  });

  test('a mark of the byte order before the first row of a file without a header is no part of its time', async () => {
    const file = path.join(newFolder(), 'BTCUSDT-1m-2026-08.csv');
    const row = (at: number): string => `${at},1,2,1,2,1,${at + 59_999},1,1,1,1,0\n`;
    writeFileSync(file, `\ufeff${[0, 1, 2].map((n) => row(1_785_542_400_000 + n * 60_000)).join('')}`);
    const names = { lane: laneFor(productCode('btcusdt'), amountOf({ base: '1' })), baseCcy: currency('btc'), quoteCcy: currency('usdt') };
    const ticks: TickOptions = { ...names, size: 1, feePercentage: 0, validMs: 1, afterMs: 0, crossed: 'drop' };
    const { quotes } = await importFile({ file, map: { unit: 'auto' }, spreadBps: 1, ticks, out: path.join(path.dirname(file), 'out') });
    expect(quotes).toBe(3);
  });

  test('milliseconds that are said to be seconds are refused before the rows become days of far centuries', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `${1_785_542_400_000 + n * 60_000},1,2\n`);
    const importing = imported(`time,bid,ask\n${rows.join('')}`, { unit: 's' });
    await expect(importing).rejects.toThrow(/ticks.csv:2: column 'time': '1785542400000' is \+058551-.* \(--unit says which it is\)$/);
  });

  test('an import removes what one that was ended has left in its folder, and leaves that of one at work', async () => {
    const out = newFolder();
    const ended = spawnSync(process.execPath, ['--version']);
    const [left, atWork] = [`.importing-${ended.pid}`, `.importing-${process.ppid}`];
    for (const name of [left, atWork]) mkdirSync(path.join(out, name));
    clearImports(out);
    expect(readdirSync(out)).toEqual([atWork]);
  });

  test('importing the same again replaces it; a failure leaves nothing behind', async () => {
    const out = newFolder();
    const file = path.join(out, 'ticks.csv');
    const lane = laneFor(productCode('eurusd'), amountOf({ base: '1' }));
    const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
    const ticks: TickOptions = { ...names, size: 1, feePercentage: 0, validMs: 1, afterMs: 0, crossed: 'drop' };
    const run = () => importFile({ file, map: { time: 'time', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out: path.join(out, 'out') });
    writeFileSync(file, 'time,bid,ask\n1000000000000,1,2\n');
    expect((await run()).run).toBe((await run()).run);
    expect(readdirSync(path.join(out, 'out'))).toHaveLength(1);
    writeFileSync(file, 'time,bid,ask\n1000000000000,1,2\noops,1,2\n');
    await expect(run()).rejects.toThrow(/:3: /);
    expect(readdirSync(path.join(out, 'out'))).toHaveLength(1);
    expect(existsSync(path.join(out, 'out', `.importing-${process.pid}`))).toBe(false);
  });
});
