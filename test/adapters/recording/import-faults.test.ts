import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { type ImportResult, importFile } from '#adapters/recording/import/import-file.ts';
import type { ColumnMap, TimeUnit } from '#adapters/recording/import/row.ts';
import { RowsAtFault } from '#adapters/recording/import/rows-at-fault.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { productLike } from '#paper-venue/product-like.ts';
import { newFolder } from '../../support/folder.ts';

const AT = Date.UTC(2025, 10, 1);
const LANE = laneFor(productCode('eurusd'), amountOf({ base: '1' }));
const TICKS = { lane: LANE, baseCcy: currency('eur'), quoteCcy: currency('usd'), size: 1, feePercentage: 0, validMs: 3000, afterMs: 0 };

async function imported(
  text: string | Uint8Array,
  {
    unit = 'auto',
    out,
    spreadBps = 0,
    ...names
  }: Partial<ColumnMap> & { readonly unit?: TimeUnit; readonly out?: string; readonly spreadBps?: number | null } = {},
): Promise<ImportResult> {
  const dir = newFolder();
  const file = path.join(dir, 'bars.csv');
  writeFileSync(file, text);
  const options = { file, map: { unit, ...names }, ticks: { ...TICKS, crossed: 'drop' as const }, out: out ?? path.join(dir, 'out') };
  return importFile({ ...options, spreadBps: spreadBps ?? undefined });
}

test('a unit that puts all prices before 1973 or after 2099 is a mistake, told with the unit that it should be', async () => {
  const bars = (at: number, width: number): string => `time,close\n${[0, 1, 2].map((n) => `${at + n * width},1.08\n`).join('')}`;
  const seconds = bars(AT / 1000, 60);
  await expect(imported(seconds, { unit: 'ms' })).rejects.toThrow(/counted in ms .*1970-01-21.* in s from 2025-11-01T.*--unit s/);
  await expect(imported(bars(AT, 60_000), { unit: 's' })).rejects.toThrow(/is \+05780.*--unit/);
  expect((await imported(seconds, { unit: 's' })).from).toMatch(/^2025-11-01/);
});

test.each([
  ['too far', 2n ** 62n, /, and no price is after 2099/],
  ['in 2284', BigInt(Date.UTC(2284, 0)) * 1000n, /is 2284-01-01T.* after 2099/],
  ['of 1970', 0n, /is 1970-01-01T.*, and no price is before 1973/],
])('one time %s is an invalid row of its line in every format, and is dropped as one', async (_name, far, says) => {
  const times = [0n, 60_000_000n, 0n, 120_000_000n].map((past, row) => (row === 2 ? far : BigInt(AT) * 1000n + past));
  const [bid, ask] = [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ];
  const csv = `time,bid,ask\n${times.map((at, row) => `${at},${bid[row]},${ask[row]}\n`).join('')}`;
  const parquet = (time: readonly (bigint | Date)[], type: 'INT64' | 'TIMESTAMP'): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'time', data: [...time], type },
          { name: 'bid', data: bid, type: 'DOUBLE' },
          { name: 'ask', data: ask, type: 'DOUBLE' },
        ],
      }),
    );
  const dates = times.map((at) => new Date(Number(at / 1000n)));
  for (const [file, place] of [
    [csv, /:4: column 'time'/],
    [parquet(times, 'INT64'), /: row 3: column 'time'/],
    [parquet(dates, 'TIMESTAMP'), /: row 3: column 'time'/],
  ] as const) {
    const refused = imported(file, { spreadBps: null, bad: 'fail' });
    await expect(refused).rejects.toThrow(place);
    await expect(refused).rejects.toThrow(says);
    const { quotes, bad, from, to } = await imported(file, { spreadBps: null, bad: 'drop' });
    expect([quotes, bad, from, to]).toEqual([3, 1, '2025-11-01T00:00:00.000Z', '2025-11-01T00:02:00.000Z']);
  }
});

test('dates of long ago are honest, and so are counts whose unit somebody says', async () => {
  const days = (times: readonly (string | number)[]): string => `time,close\n${times.map((at) => `${at},1.08\n`).join('')}`;
  expect((await imported(days(['1871-01-01', '1871-01-02', '1871-01-03']))).from).toBe('1871-01-02T00:00:00.000Z');
  expect((await imported(days([-172_800, -86_400, 0]), { unit: 's' })).from).toBe('1969-12-31T00:00:00.000Z');
});

test('a file that is refused for bad rows names the next ones too, and of many that there are more', () => {
  const refusal = (counted: 'line' | 'row', count: number): string => {
    const rows = new RowsAtFault({ path: 'a', counted, bad: 'fail' });
    for (let row = 3; row < 3 + count; row++) rows.add(row, 'is bad');
    rows.end();
    return '';
  };
  const asked = '; --bad drop leaves such rows out';
  expect(refusal('line', 0)).toBe('');
  expect(() => refusal('line', 1)).toThrow(`a:3: is bad${asked}`);
  expect(() => refusal('row', 2)).toThrow(`a: row 3: is bad; bad as well: row 4${asked}`);
  expect(() => refusal('line', 10)).toThrow(`a:3: is bad; bad as well: lines 4, 5, 6, 7, 8, 9, 10, 11, 12${asked}`);
  expect(() => refusal('line', 11)).toThrow(`lines 4, 5, 6, 7, 8, 9, 10, 11, 12 and more; each of these rows is so`);
  expect(() => new RowsAtFault({ path: 'a', counted: 'row', bad: undefined }).add(7, 'is bad')).toThrow(/^a: row 7: is bad$/);
});

test('bars without a last price are told as that, not as quotes without a bid', async () => {
  await expect(imported(`timestamp,open,high,low,volume\n${AT},1,1,1,1\n`)).rejects.toThrow(/no column 'close' .*name it with --price$/);
});

const GERMAN = `Datum;Zeit;Eröffnung;Hoch;Tief;Schluss Kurs\n${[0, 1, 2].map((n) => `05.03.2024;00:0${n};1,080${n};1,0809;1,0795;1,080${n + 1}\n`).join('')}`;

test('titles of another language are told all at once; what is named is read with the times of day and as the bars that it is', async () => {
  await expect(imported(GERMAN)).rejects.toThrow(
    /:1: no column 'time' \(name it with --time\) and no column 'bid' \(name it with --bid, or one price for both sides with --price\) in the header \(Datum, Zeit, /,
  );
  const named = { time: 'Datum', price: 'Schluss Kurs' };
  await expect(imported(GERMAN, named)).rejects.toThrow(
    /'Eröffnung', 'Hoch', 'Tief' and 'Schluss Kurs' are bars: name their range with --high Hoch --low Tief --open Eröffnung$/,
  );
  const { from, to, facts } = await imported(GERMAN, { ...named, high: 'Hoch', low: 'Tief', open: 'Eröffnung' });
  expect([from, to, facts.barMs]).toEqual(['2024-03-05T00:01:00.000Z', '2024-03-05T00:03:00.000Z', 60_000]);
});

test('dates alone are midnights, and a price beside others that are no bar is a tick', async () => {
  const days = `Day,Other,Top,Floor,Latest\n2024-03-05,9,1.2,1,1.1\n2024-03-06,1,1.2,1,1.1\n`;
  const { from, facts } = await imported(days, { time: 'Day', price: 'Latest' });
  expect([from, facts.barMs]).toEqual(['2024-03-05T00:00:00.000Z', null]);
});

test('an import that is refused leaves no folder behind, and none that was there is removed', async () => {
  const dir = newFolder();
  mkdirSync(path.join(dir, 'kept'));
  for (const out of ['made/inner', 'kept']) {
    const refused = imported(`time,close\n${AT},1\n`, { out: path.join(dir, out), spreadBps: null });
    await expect(refused).rejects.toThrow(/--spread-bps/);
  }
  expect(readdirSync(dir)).toEqual(['kept']);
});

test('a code that is one slip away from a product of the venue may be meant for it; another product of yours may not', () => {
  expect(['eurosd', 'eruusd', 'EURUSX'].map(productLike)).toEqual(['eurusd', 'eurusd', 'eurusd']);
  expect(['eurusd', 'gbpusd', 'audusd', 'btcusdt'].map(productLike)).toEqual([undefined, undefined, undefined, undefined]);
});
