import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import type { ColumnMap } from '#adapters/recording/import/row.ts';
import { fromZone } from '#core/schedule/local-time.ts';
import { AT, imported, MINUTE } from './imported-bars.ts';

const HOUR = 60 * MINUTE;

describe('an import says in which zone times were read, and why in that', () => {
  const told = async (text: string, map: Partial<ColumnMap> = {}): Promise<readonly string[]> => {
    const { manifest } = await imported(text, { map });
    return manifest.imported ? importLines(manifest.imported).filter((line) => line.startsWith('times: ')) : [];
  };
  const bars = (title: string, times: readonly (string | number)[]): string =>
    `${title},open,high,low,close\n${times.map((time) => `${time},1,1,1,1\n`).join('')}`;
  const HISTDATA = '20240801 000000;1;1;1;1;0\n20240801 000100;1;1;1;1;0\n';
  const DATES = bars('time', ['2024-08-01 00:00:00', '2024-08-01 00:01:00']);
  const berlin = { toUtc: fromZone('Europe/Berlin'), zone: 'Europe/Berlin' };

  test.each([
    ['of HistData', HISTDATA, {}, 'UTC-5, as HistData writes them; --zone of data import sets another'],
    ['of HistData, in another zone', HISTDATA, berlin, 'Europe/Berlin, as --zone says; HistData itself writes UTC-5'],
    ['without a zone', DATES, {}, 'UTC, assumed; --zone of data import sets another'],
    ['without a zone, in one', DATES, berlin, 'Europe/Berlin, as --zone says'],
    ['under a title that names it', DATES.replace('time', 'Gmt time'), {}, "UTC, as their column 'Gmt time' says"],
    [
      'of MetaTrader, whose header is enough to know it',
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2024.08.01\t00:00:00\t1\t1\t1\t1\t5\t0\t2\n2024.08.01\t00:01:00\t1\t1\t1\t1\t5\t0\t2\n',
      {},
      'UTC, assumed; --zone of data import sets another, and most brokers write UTC+2, and UTC+3 while New York has summer time',
    ],
    ['with offsets', bars('time', ['2024-08-01T00:00:00Z', '2024-08-01T02:01:00+02:00']), {}, 'in the zone that each names'],
    ['that are counts', bars('time', [AT, AT + MINUTE]), {}, 'counted since 1970, in UTC'],
    [
      'that are counts, in a zone',
      bars('time', [AT, AT + MINUTE]),
      berlin,
      'counted since 1970, in UTC, so that --zone Europe/Berlin changes nothing',
    ],
  ])('%s', async (_, text, map, line) => {
    expect(await told(text, map)).toEqual([`times: ${line}`]);
  });
});

test.each([
  ['2025-02-28 10:00', '2025-02-29 10:00', {}],
  ['20240229 100000', '20240230 100000', {}],
  ['2026-04-30T23:00:00-05:00', '2026-04-31T23:00:00-05:00', {}],
  ['30/04/2024', '31/04/2024', { dates: 'dmy' }],
  ['30 November 2026', '31 November 2026', {}],
] as const)('%s is a time, and %s is none of the next month', async (last, next, map) => {
  const text = (time: string): string => `time,bid,ask\n${time},1,2\n`;
  expect((await imported(text(last), { map })).played).toHaveLength(1);
  await expect(imported(text(next), { map })).rejects.toThrow(`'${next}' is not a time`);
});

describe('digits that begin with a year are a date and a time, and no count', () => {
  const times = ['2024030114', '202403011458', '20240301145830'];
  const at = [Date.UTC(2024, 2, 1, 14), Date.UTC(2024, 2, 1, 14, 58), Date.UTC(2024, 2, 1, 14, 58, 30)];
  const csv = (time: string): string => `time,bid,ask\n${time},1,2\n`;

  test.each(times.map((time, n) => [time, at[n]] as const))('%s', async (time, expected) => {
    const prices = ['bid', 'ask'].map((name, n) => ({ name, data: [n + 1.5] }));
    const parquet = (data: bigint | number, type: 'INT64' | 'DOUBLE'): Uint8Array =>
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'time', data: [data], type }, ...prices] }));
    for (const content of [csv(time), parquet(BigInt(time), 'INT64'), parquet(Number(time), 'DOUBLE')]) {
      expect((await imported(content, { spreadBps: undefined })).played[0]?.[0]).toBe(expected);
      const local = await imported(content, { spreadBps: undefined, map: { toUtc: fromZone('+02:00'), zone: '+02:00' } });
      expect(local.played[0]?.[0]).toBe((expected ?? 0) - 2 * HOUR);
    }
  });

  test.each(['2033070132', '202413011458', '20240230145830', '202403011461'])('%s, which may be neither, is refused', async (time) => {
    await expect(imported(csv(time))).rejects.toThrow(`'${time}' is not a time (--unit says which it is)`);
  });

  test('counts of the time of prices are counts as before, and others where the unit is said', async () => {
    const counts: readonly [string, number, 'auto' | 's' | 'ms'][] = [
      ['1709305080', Date.UTC(2024, 2, 1, 14, 58), 'auto'],
      ['1709305080000', Date.UTC(2024, 2, 1, 14, 58), 'auto'],
      ['2024030114', 2_024_030_114_000, 's'],
      ['202403011458', 202_403_011_458, 'ms'],
    ];
    for (const [text, expected, unit] of counts) expect((await imported(csv(text), { map: { unit } })).played[0]?.[0]).toBe(expected);
  });
});

describe('times of a Parquet file', () => {
  const MS = Date.UTC(2024, 7, 1, 9, 30);
  const dayOf = (at: number): number => at / 86_400_000;
  const file = (time: SchemaElement, data: readonly (number | bigint)[]): Uint8Array => {
    const prices = ['open', 'high', 'low', 'close'];
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 5 },
      time,
      ...prices.map((name) => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }) as const),
    ];
    const columnData = [{ name: 'time', data: [...data] }, ...prices.map((name) => ({ name, data: data.map(() => 1) }))];
    return new Uint8Array(parquetWriteBuffer({ schema, columnData }));
  };
  const column = { name: 'time', type: 'INT64', repetition_type: 'REQUIRED' } as const;
  const instants = (isAdjustedToUTC: boolean, unit: 'MILLIS' | 'MICROS' = 'MICROS'): Uint8Array =>
    file(
      { ...column, logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } },
      [MS, MS + MINUTE].map((at) => BigInt(at) * (unit === 'MICROS' ? 1000n : 1n)),
    );
  const days = file({ ...column, type: 'INT32', converted_type: 'DATE' }, [Date.UTC(2024, 7, 1), Date.UTC(2024, 7, 2)].map(dayOf));
  const newYork = { toUtc: fromZone('America/New_York'), zone: 'America/New_York' };

  test.each([
    ['of clocks, in a zone', instants(false), newYork, MS + 4 * HOUR, 'America/New_York, as --zone says'],
    ['of clocks, in milliseconds', instants(false, 'MILLIS'), newYork, MS + 4 * HOUR, 'America/New_York, as --zone says'],
    ['of clocks, without a zone', instants(false), {}, MS, 'UTC, assumed; --zone of data import sets another'],
    [
      'that are instants, in a zone',
      instants(true),
      newYork,
      MS,
      'counted since 1970, in UTC, so that --zone America/New_York changes nothing',
    ],
    ['that are days, in a zone', days, newYork, Date.UTC(2024, 7, 1, 4), 'America/New_York, as --zone says'],
  ])('%s', async (_, content, map, begin, line) => {
    const { played, manifest, result } = await imported(content, { map });
    expect(played.map(([at]) => at - (result.facts.barMs ?? 0))[0]).toBe(begin);
    expect(manifest.imported && importLines(manifest.imported)).toContain(`times: ${line}`);
  });
});

test('a month may have its name, in whatever order it stands', async () => {
  const days = ['27 Nov 2026', '28-Nov-26', 'Nov 29, 2026', 'November 30, 2026 09:30', '1-December-2026 9:30 PM', '02-SEP-2027'];
  const { played } = await imported(`time,bid,ask\n${days.map((day) => `"${day}",1,2\n`).join('')}`);
  expect(played.map(([at]) => new Date(at).toISOString().slice(0, 16))).toEqual([
    '2026-11-27T00:00',
    '2026-11-28T00:00',
    '2026-11-29T00:00',
    '2026-11-30T09:30',
    '2026-12-01T21:30',
    '2027-09-02T00:00',
  ]);
  await expect(imported('time,bid,ask\n27 Nox 2026,1,2\n')).rejects.toThrow("'27 Nox 2026' is not a time");
});
