import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import { fromZone } from '#core/schedule/local-time.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { AT, type Given, imported, MINUTE } from './imported-bars.ts';

/** Two bars that rise: 100 to 102 within 99 to 103, then to 104 within 101 to 105. */
const RISING: readonly [number, number, number][] = [
  [AT + MINUTE, 102, 102],
  [AT + 2 * MINUTE, 104, 104],
];

describe('bars as the usual files have them', () => {
  test.each<[string, string, string, Given]>([
    [
      'Binance, with a header, in microseconds',
      'binance',
      `open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n${AT * 1000},100,103,99,102,5,${AT * 1000 + 59_999_999},510,7,2,204,0\n${(AT + MINUTE) * 1000},102,105,101,104,5,1,1,1,1,1,0\n`,
      {},
    ],
    [
      'bars under titles of their own, which --format and --price name',
      'ohlc',
      `Datum;Eroeffnung;Hoch;Tief;Schluss\n${AT};100;103;99;102\n${AT + MINUTE};102;105;101;104\n`,
      { map: { time: 'Datum', price: 'Schluss', format: 'ohlc' } },
    ],
    [
      'Bybit',
      'bybit',
      `startTime,openPrice,highPrice,lowPrice,closePrice,volume,turnover\n${AT},100,103,99,102,1,2\n${AT + MINUTE},102,105,101,104,1,2\n`,
      {},
    ],
    [
      'OKX, whose last bar is not over',
      'okx',
      `ts,o,h,l,c,vol,volCcy,volCcyQuote,confirm\n${AT + 2 * MINUTE},1,1,1,1,1,1,1,0\n${AT + MINUTE},102,105,101,104,1,2,3,1\n${AT},100,103,99,102,1,2,3,1\n`,
      {},
    ],
    [
      'OANDA, whose last bar is not over',
      'ohlc',
      'time,volume,mid.o,mid.h,mid.l,mid.c,complete\n2024-08-01T00:00:00Z,5,100,103,99,102,True\n2024-08-01T00:01:00Z,5,102,105,101,104,True\n2024-08-01T00:02:00Z,1,1,1,1,1,False\n',
      {},
    ],
    [
      'Dukascopy',
      'dukascopy',
      'Gmt time,Open,High,Low,Close,Volume\n01.08.2024 00:00:00.000,100,103,99,102,5\n01.08.2024 00:01:00.000,102,105,101,104,5\n',
      {},
    ],
    [
      'MetaTrader 5, with a header',
      'metatrader',
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\n2024.08.01\t00:00:00\t100\t103\t99\t102\t5\n2024.08.01\t00:01:00\t102\t105\t101\t104\t5\n',
      {},
    ],
    [
      'decimal commas, thousands, local dates and another zone',
      'ohlc',
      'Datum;Hoch;Tief;Schluss\n01/08/2024 02:00;"103,0";99,0;"102,00"\n01/08/2024 02:01;105,0;101,0;104,00\n',
      {
        map: { time: 'Datum', high: 'Hoch', low: 'Tief', price: 'Schluss', dates: 'dmy', toUtc: fromZone('Europe/Berlin') },
      },
    ],
  ])('%s', async (_, format, text, given) => {
    for (const content of [text, gzipSync(text)]) {
      const { played, result } = await imported(content, given);
      expect(played).toEqual(RISING);
      expect(result.facts).toMatchObject({ format, barMs: MINUTE, barPath: 'close', spreadBps: 0, staleMs: 2 * MINUTE });
    }
  });

  test('Yahoo, whose first column may have no name: days', async () => {
    for (const head of ['Date,Open,High,Low,Close,Adj Close,Volume', ',Open,High,Low,Close,Adj Close,Volume']) {
      const { played, result } = await imported(
        `${head}\n2024-08-01,100,103,99,102,101,5\n2024-08-02,102,105,101,104,103,5\n2024-08-05,1,1,1,1,1,1\n`,
      );
      expect(played.slice(0, 2)).toEqual([
        [AT + 86_400_000, 102, 102],
        [AT + 2 * 86_400_000, 104, 104],
      ]);
      expect(result.facts).toMatchObject({ format: 'yahoo', barMs: 86_400_000 });
    }
  });

  test('bid and ask in one file, and in two that are joined by time', async () => {
    const one = `ts_ms_open,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close
${AT},100,102,99,101,101,103,100,102
${AT + MINUTE},101,104,101,103,102,105,102,104
`;
    const sides = [
      [AT + MINUTE, 101, 102],
      [AT + 2 * MINUTE, 103, 104],
    ];
    expect((await imported(one, { spreadBps: undefined })).played).toEqual(sides);
    const bids = `Gmt time,Open,High,Low,Close,Volume\n${AT},100,102,99,101,1\n${AT + MINUTE},101,104,101,103,1\n${AT + 2 * MINUTE},9,9,9,9,1\n`;
    const asks = `Gmt time,Open,High,Low,Close,Volume\n${AT},101,103,100,102,1\n${AT + MINUTE},102,105,102,104,1\n`;
    const { played, result } = await imported(bids, { asks, spreadBps: undefined });
    expect(played).toEqual(sides);
    expect(result).toMatchObject({ rows: 5, quotes: 2, unpaired: 1, facts: { priceIs: null, files: ['bars.csv', 'asks.csv'] } });
  });
});

describe('candles as an export writes them', () => {
  const candles = (side: string, first: string, second: string): string =>
    `product,lane,ts_ms_open,${['open', 'high', 'low', 'close'].map((field) => `${side}_${field}`).join(',')},quotes
btcusd,btcusd@base:1,${AT},${first},3
btcusd,btcusd@base:1,${AT + MINUTE},${second},2
`;
  const bids = candles('bid', '100,102,99,101', '101,104,101,103');
  const asks = candles('ask', '101,103,100,102', '102,105,102,104');

  test.each(['mid', 'bid', 'ask'] as const)('of the %s alone are bars of one price, which is that', async (side) => {
    const { played, result } = await imported(candles(side, '100,102,99,100', '101,104,101,104'), { spreadBps: 100 });
    const sides = { mid: [99.5, 100.5], bid: [100, 101], ask: [99, 100] }[side];
    expect(played[0]).toEqual([AT + MINUTE, ...sides]);
    expect(result.facts).toMatchObject({ format: 'ohlc', barMs: MINUTE, priceIs: side, spreadBps: 100 });
    await expect(imported(candles(side, '100,102,101,101', '101,104,101,103'))).rejects.toThrow(/open 100 is not between|is below low/);
    await expect(imported(bids, { spreadBps: undefined })).rejects.toThrow(/add --spread-bps/);
  });

  test('of bid and ask in two files are joined, and refused the wrong way round', async () => {
    const { played } = await imported(bids, { asks, spreadBps: undefined });
    expect(played).toEqual([
      [AT + MINUTE, 101, 102],
      [AT + 2 * MINUTE, 103, 104],
    ]);
    await expect(imported(asks, { asks: bids })).rejects.toThrow(/its prices are asks: take it as --ask-file/);
    await expect(imported(bids, { asks: bids })).rejects.toThrow(/asks.csv: its prices are bids/);
  });

  test('a column of bids beside nothing is not the only price of a file', async () => {
    await expect(imported(`time,bid,size\n${AT},100,1\n${AT + 5},101,1\n`)).rejects.toThrow(/no column 'ask'/);
    await expect(imported(bids.replace('quotes', 'ask_volume'))).rejects.toThrow(/no column 'ask'/);
  });
});

describe('what a bar is played as', () => {
  const BARS = `${AT},100,103,99,102,5,1\n${AT + MINUTE},102,105,101,104,5,1\n`;

  test('one price gets a spread that is assumed, round the middle or from the side that it is', async () => {
    await expect(imported(BARS, { spreadBps: undefined })).rejects.toThrow(/add --spread-bps/);
    const first = async (priceIs: 'mid' | 'bid' | 'ask') =>
      (await imported(BARS, { spreadBps: 100, map: { priceIs } })).played[0]?.slice(1);
    expect(await first('mid')).toEqual([101.49, 102.51]);
    expect(await first('bid')).toEqual([102, 103.02]);
    expect(await first('ask')).toEqual([100.98, 102]);
    const { manifest } = await imported(BARS, { spreadBps: 100 });
    expect(manifest.imported && importLines(manifest.imported).join('\n')).toMatch(/a spread of 100 bps is assumed/);
  });

  test('worst: at its end first its lowest bid and highest ask, then its last price; nothing of it before', async () => {
    const { played, result } = await imported(BARS, { barPath: 'worst' });
    expect(played).toEqual([
      [AT + MINUTE, 99, 103],
      [AT + MINUTE, 102, 102],
      [AT + 2 * MINUTE, 101, 105],
      [AT + 2 * MINUTE, 104, 104],
    ]);
    expect(importLines(result.facts).join('\n')).toMatch(/two quotes at its end: first its lowest bid and highest ask/);
    await expect(imported(`time,close\n${AT},1\n`, { barPath: 'worst' })).rejects.toThrow(/no column|needs the range/);
  });

  test('no bar is known before its end, however wide it is and whatever it is given as', async () => {
    for (const [barPath, width] of [
      ['close', 60],
      ['worst', 60],
      ['close', 3600],
      ['worst', 86_400],
    ] as const) {
      const rows = Array.from({ length: 50 }, (_, n) => `${AT + n * width * 1000},${n + 2},${n + 4},${n + 1},${n + 3}`);
      const { played, result } = await imported(`time,open,high,low,close\n${rows.join('\n')}\n`, { barPath });
      expect(result.facts.barMs).toBe(width * 1000);
      // The price of each bar is its own: bar n is played at its end, when bar n + 1 begins.
      const closes = played.filter(([, bid, ask]) => bid === ask);
      expect(closes.map(([at, bid]) => [at, bid])).toEqual(rows.map((_, n) => [AT + (n + 1) * width * 1000, n + 3]));
    }
  });

  test.each([
    ['of a volume', ['08:00:00', '08:07:13', '08:09:01', '08:31:40'], 1359_000],
    ['of ticks', ['08:00:07.147', '08:01:26.540', '08:01:37.849', '08:03:08.363', '08:03:19.665'], 90_514],
  ])('bars %s have no one width, which is asked for; with times of ends each is known at its own', async (_, clocks, longest) => {
    const rows = clocks.map((clock, n) => `2026-11-02T${clock}Z,${n + 2},${n + 4},${n + 1},${n + 3}`);
    const text = `time,open,high,low,close\n${rows.join('\n')}\n`;
    await expect(imported(text)).rejects.toThrow(/no one width; add --bar .*--stamp end/);
    const { played } = await imported(text, { ticks: { afterMs: longest }, stamp: 'end' });
    expect(played.map(([at]) => at)).toEqual(clocks.map((clock) => Date.parse(`2026-11-02T${clock}Z`)));
  });

  test('bid and ask beside the prices of bars are of no time that nobody said', async () => {
    const text = `time,open,high,low,close,volume,bid,ask
2026-11-02T08:00:00Z,100,100.6,99.95,100.5,10,100.49,100.51
2026-11-02T08:01:00Z,100.5,101.05,100.45,101,12,100.99,101.01
`;
    const first = async (given: Given) => (await imported(text, given)).played[0];
    const at = Date.UTC(2026, 10, 2, 8);
    await expect(imported(text)).rejects.toThrow(/bars beside 'bid' and 'ask'.* --bar, .* --bid and --ask$/);
    expect(await first({ ticks: { afterMs: MINUTE } })).toEqual([at + MINUTE, 100.49, 100.51]);
    expect(await first({ map: { bid: 'bid', ask: 'ask' } })).toEqual([at, 100.49, 100.51]);
  });

  test('sparse minutes and days without weekends have the width of most', async () => {
    const bars = async (begins: readonly number[]) =>
      (await imported(`time,open,high,low,close\n${begins.map((at) => `${at},2,4,1,3`).join('\n')}\n`)).result.facts.barMs;
    expect(await bars([0, 1, 4, 5, 11, 12, 40].map((n) => AT + n * MINUTE))).toBe(MINUTE);
    expect(await bars([0, 1, 4, 5, 6, 7, 8, 11].map((n) => AT + n * 1440 * MINUTE))).toBe(1440 * MINUTE);
  });

  test.each([
    ['months', 31, ['2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01', '2023-06-01']],
    ['quarters', 92, ['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01']],
    ['years', 366, ['2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01', '2025-01-01']],
  ])('%s are known after the longest of them, none before its end', async (_, days, begins) => {
    const rows = begins.map((begin, n) => `${begin},${n + 2},${n + 4},${n + 1},${n + 3}`);
    const { played, result } = await imported(`time,open,high,low,close\n${rows.join('\n')}\n`);
    expect(result.facts.barMs).toBe(days * 86_400_000);
    for (const [n, [at]] of played.slice(0, -1).entries()) {
      const lateMs = at - Date.parse(begins[n + 1] ?? '');
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThanOrEqual(3 * 86_400_000);
    }
  });
});

describe('what is wrong with bars is counted, in the manifest too', () => {
  const ODD = [
    'time,open,high,low,close',
    `${AT + MINUTE},102,105,101,104`,
    `${AT},100,103,99,102`,
    `${AT},100,103,99,102`,
    `${AT + 2 * MINUTE},1,2,1,2`,
    `${AT + 2 * MINUTE},104,106,104,106`,
    'null,null,null,null,null',
    `${AT + 3 * MINUTE},1`,
    '',
  ].join('\n');

  test('out of order, twice, replaced, out of their range, unreadable', async () => {
    await expect(imported(ODD)).rejects.toThrow(/bars\.csv:7: column 'close': 'null' is not a price above zero/);
    const { played, result, manifest } = await imported(ODD, { map: { bad: 'drop' } });
    expect(played).toEqual([...RISING, [AT + 3 * MINUTE, 106, 106]]);
    const counts = { rows: 7, quotes: 3, unordered: 1, repeated: 1, replaced: 1, bad: 2 };
    expect(result).toMatchObject(counts);
    expect(result.badRows).toEqual([expect.stringMatching(/^line 7 column 'close'/), expect.stringMatching(/^line 8 /)]);
    expect(manifest.imported?.counts).toMatchObject(counts);
    expect(importLines(result.facts).at(-1)).toBe(
      '7 rows: 0 crossed (drop), 3 locked, 1 unordered, 1 repeated, 2 unreadable and dropped, 1 replaced by a later row of the same time',
    );
  });

  test.each([
    [
      'high and low are swapped',
      '100,99,103,102',
      /bars\.csv:3: low 103 is above high 99; where columns are swapped, name them with --low and --high/,
    ],
    ['the last price is above the high', '100,103,99,104', /bars\.csv:3: last price 104 is above high 103/],
    ['the last price is below the low', '100,103,99,98', /bars\.csv:3: last price 98 is below low 99/],
    ['the open is outside of the range', '97,103,99,100', /bars\.csv:3: open 97 is not between low 99 and high 103/],
  ])('%s: a row that is no bar ends the import, or is dropped and told', async (_, prices, says) => {
    const text = `time,open,high,low,close\n${AT},100,103,99,102\n${AT + MINUTE},${prices}\n${AT + 2 * MINUTE},100,103,99,102\n`;
    await expect(imported(text)).rejects.toThrow(says);
    const { played, result } = await imported(text, { map: { bad: 'drop' } });
    expect(played.length).toBe(2);
    expect(result).toMatchObject({ bad: 1, quotes: 2 });
    expect(`bars.csv:${result.badRows[0]?.replace(/^line (\d+) /, '$1: ')}`).toMatch(says);
  });

  test('a second import of the same lane and time is refused, unless both shall be played', async () => {
    const text = `time,open,high,low,close\n${AT},100,103,99,102\n${AT + MINUTE},100,103,99,102\n`;
    const { result, again } = await imported(text);
    expect((await again({})).run).toBe(result.run);
    await expect(again({ spreadBps: 5 })).rejects.toThrow(/import-btcusd-\S+ already has btcusd@base:1 from .*--overlap keep/);
    expect((await again({ spreadBps: 5, overlap: 'keep' })).run).not.toBe(result.run);
    const lane = laneFor(productCode('btcusd'), amountOf({ base: '2' }));
    expect((await again({ spreadBps: 5, ticks: { lane, size: 2 } })).lane).toBe('btcusd@base:2');
  });

  test.each<[string, string, Given, RegExp]>([
    ['a date that may be two', 'time,open,high,low,close\n03/04/2024,1,1,1,1\n', {}, /two dates: add --dates dmy or mdy/],
    [
      'a number that may be two',
      'time;open;high;low;close\n2024-08-01;1;1;1;61,790\n',
      {},
      /'61,790' can be read as two prices: add --decimal comma or point/,
    ],
    ['one bar alone', `time,open,high,low,close\n${AT},1,1,1,1\n`, {}, /width .*; add --bar/],
    [
      'columns that nobody knows',
      '1,2,3\n4,5,6\n',
      {},
      /no header, and its 3 columns .*: add a header, or name --format; kairos data formats lists/,
    ],
    ['lows that are highs', `${AT},100,99,103,102,1,1\n`, {}, /are those of no known format/],
  ])('%s: one line that says what to add', async (_, text, given, says) => {
    await expect(imported(text, given)).rejects.toThrow(says);
  });

  test('a lone comma is read as it is said', async () => {
    const price = async (decimal: 'point' | 'comma') =>
      (await imported('time;open;high;low;close\n2024-08-01;1;61,790;1;61,790\n', { map: { decimal }, ticks: { afterMs: MINUTE } }))
        .played[0]?.[1];
    expect(await price('comma')).toBe(61.79);
    expect(await price('point')).toBe(61_790);
  });
});

test('what nobody said and what a file lacks is told: the fee, bars that are missing, and up to ten rows that were dropped', async () => {
  const bar = (minute: number): string => `${AT + minute * MINUTE},100,103,99,102`;
  const bad = Array.from({ length: 13 }, (_, n) => `${AT + (3 + n) * MINUTE},no,103,99,102`);
  const text = ['time,open,high,low,close', bar(0), bar(1), bar(2), ...bad, bar(200), bar(210), bar(1700), ''].join('\n');
  const { result, manifest } = await imported(text, { map: { bad: 'drop' }, feeAssumed: true });
  expect(result.badRows).toHaveLength(10);
  expect(result.badRows[9]).toMatch(/^line 14 column 'open': 'no' /);
  expect(result.bad).toBe(13);
  const lines = manifest.imported ? importLines(manifest.imported) : [];
  expect(lines).toContainEqual(expect.stringMatching(/fee of 0 %.*--fee-pct/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^2 gaps of more than ten bars, the longest 1 d 1 h from 2024-08-01T03:31:00\.000Z\b/),
  );
  const whole = await imported(`time,open,high,low,close\n${bar(0)}\n${bar(10)}\n`, { ticks: { afterMs: MINUTE } });
  expect(importLines(whole.result.facts).join('\n')).not.toMatch(/gap|fee/);
});
