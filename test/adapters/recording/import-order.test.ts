import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { writerHere } from '#adapters/recording/import/import-writer.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { AT, imported } from './imported-bars.ts';

type Row = readonly [at: number, bid: number];

const HOUR = 3_600_000;
/** A row an hour for three days, each of another price. */
const ROWS: readonly Row[] = Array.from({ length: 72 }, (_, n) => [AT + n * HOUR, 100 + n]);
const csv = (rows: readonly Row[]): string => `time,bid,ask\n${rows.map(([at, bid]) => `${at},${bid},${bid + 1}\n`).join('')}`;
const parquet = (rows: readonly Row[]): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'time', data: rows.map(([at]) => BigInt(at)), type: 'INT64' },
        { name: 'bid', data: rows.map(([, bid]) => bid), type: 'DOUBLE' },
        { name: 'ask', data: rows.map(([, bid]) => bid + 1), type: 'DOUBLE' },
      ],
    }),
  );
const played = async (content: string | Uint8Array): Promise<readonly Row[]> =>
  (await imported(content, { spreadBps: undefined })).played.map(([at, bid]) => [at, bid]);

describe('ticks are played in the order of time, whatever the order of their file', () => {
  const late = ROWS.toSpliced(24, 2, [AT + 24 * HOUR + 1, 125], [AT + 24 * HOUR - 1, 124]);
  test.each<[string, readonly Row[]]>([
    ['newest first', ROWS.toReversed()],
    ['two files joined, the later one first', [...ROWS.slice(40), ...ROWS.slice(0, 40)]],
    ['a row that is a moment late, over midnight', late],
    ['rows of one day in any order', ROWS.slice(0, 24).toSorted(([, a], [, b]) => Math.sin(a) - Math.sin(b))],
  ])('%s', async (_, rows) => {
    const expected = rows.toSorted(([a], [b]) => a - b);
    expect(await played(csv(rows))).toEqual(expected);
    expect(await played(parquet(rows))).toEqual(expected);
  });

  test('a mistyped date moves its own row alone', async () => {
    const later: Row = [AT + 365 * DAY_MS, 130];
    expect(await played(csv(ROWS.with(30, later)))).toEqual([...ROWS.toSpliced(30, 1), later]);
  });

  test('rows of equal time keep their order, which newest first is the other way round', async () => {
    const alike: readonly Row[] = ROWS.map(([, bid], n) => [AT + Math.floor(n / 3) * HOUR, bid]);
    expect(await played(csv(alike))).toEqual(alike);
    expect(await played(csv(alike.toReversed()))).toEqual(alike);
    expect(await played(csv([...alike.slice(36), ...alike.slice(0, 36)]))).toEqual(alike);
  });

  test('what overlaps in joined files is told as repeated, and the pace of quotes is that of sorted rows', async () => {
    const { result } = await imported(csv([...ROWS.slice(30), ...ROWS.slice(0, 40)]));
    expect(result).toMatchObject({ rows: 82, quotes: 82, unordered: 1, repeated: 10 });
    expect(result.facts.staleMs).toBe((await imported(csv(ROWS))).result.facts.staleMs);
  });
});

test('a large file whose rows are late by an hour at most is written as it is read, day by day', async () => {
  const STEP = 5_000;
  const rows: readonly Row[] = Array.from({ length: 100_000 }, (_, n) => [AT + (n - (n % 7 === 6 ? 700 : 0)) * STEP, 100 + (n % 9)]);
  let writers = 0;
  const days: number[] = [];
  const { result, played: found } = await imported(csv(rows), {
    elsewhere: {
      fromBytes: 0,
      writer: (folder, quotes) => {
        writers += 1;
        const writer = writerHere(folder, quotes);
        let written = 0;
        const write: typeof writer.write = (day) => {
          written += 1;
          writer.write(day);
        };
        return { ...writer, write, room: async () => void days.push(written) };
      },
    },
  });
  expect(writers).toBe(1);
  expect(days[0]).toBeGreaterThan(0);
  expect(result.unordered).toBeGreaterThan(10_000);
  expect(found.map(([at]) => at)).toEqual(rows.map(([at]) => at).sort((a, b) => a - b));
});
