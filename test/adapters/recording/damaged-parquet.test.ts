import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { openParquet } from '#adapters/recording/import/parquet.ts';
import { rowsOf } from '#adapters/recording/import/rows-of.ts';
import { folder } from '../../config/support.ts';

const ROWS = 40;

/** A file of prices whose first page begins at the fourth byte with its header. */
function prices(change: (bytes: Buffer) => void): string {
  const data = (first: number, step: number) => Array.from({ length: ROWS }, (_, row) => first + row * step);
  const columnData = [
    { name: 'time', type: 'DOUBLE' as const, data: data(1.39e12, 1000) },
    { name: 'bid', type: 'DOUBLE' as const, data: data(1.25, 0.5) },
    { name: 'ask', type: 'DOUBLE' as const, data: data(1.5, 0.5) },
  ];
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
  change(bytes);
  const file = path.join(folder(), 'prices.parquet');
  writeFileSync(file, bytes);
  return file;
}

/** How many rows came, each with a price above zero, from a reader that may take so long for a block of them. */
async function read(file: string, patienceMs = 100_000): Promise<number> {
  const { read: rows } = await openParquet(file, { unit: 'auto' }, patienceMs);
  let count = 0;
  await rows(
    ({ bid }) => {
      expect(bid).toBe(1.25 + count * 0.5);
      count += 1;
      return undefined;
    },
    async () => {},
  );
  return count;
}

test('a file whose pages are whole comes row by row', async () => {
  expect(await read(prices(() => {}))).toBe(ROWS);
});

test.each([1, ROWS - 1, ROWS + 1, 60])(
  'B19 F51: a file that says it has %i rows, and has another number, is no file of prices',
  async (said) => {
    const file = prices((bytes) => {
      // Each count of rows and values in the footer, as a 64-bit number of Thrift.
      for (let at = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8); at < bytes.length - 8; at += 1)
        if (bytes[at] === 0x16 && bytes[at + 1] === ROWS * 2) bytes[at + 1] = said * 2;
    });
    await expect(read(file)).rejects.toMatchObject({
      code: 'DATA_UNREADABLE',
      message: expect.stringContaining(`its header says rows 1 to ${said}, and 'time' has them to ${ROWS}`),
    });
  },
);

test.each([
  ['the values of a page begin with a run without an end', 14, 0x80],
  ['a page has less rows than none', 16, 0xff],
  ['a page is longer than its file, backwards', 18, 0x80],
])('F51 %s: the import ends with one line that says which rows, and does not go round for ever', async (_, at, byte) => {
  const file = prices((bytes) => {
    bytes[at] = byte;
  });
  const reading = read(file, 1_000);
  await expect(reading).rejects.toMatchObject({
    code: 'DATA_UNREADABLE',
    message: expect.stringMatching(
      /^.+prices\.parquet: rows from 1 on cannot be read \(their reader gave no rows for 1 s, so a page is damaged\)$/,
    ),
  });
});

test('B19 F51: signals whose header says more rows than come end in one line, and are not read for ever', async () => {
  const data = Array.from({ length: ROWS }, (_, row) => 1.39e12 + row);
  const columnData = ['at', 'made', 'value'].map((name) => ({ name, type: 'DOUBLE' as const, data }));
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
  const footer = bytes.readUInt32LE(bytes.length - 8);
  // The count of all rows, which comes before those of groups and columns.
  const at = bytes.indexOf(Buffer.from([0x16, ROWS * 2]), bytes.length - 8 - footer);
  const count = Buffer.from([0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40]);
  const swollen = Buffer.concat([bytes.subarray(0, at), count, bytes.subarray(at + 2)]);
  swollen.writeUInt32LE(footer + count.length - 2, swollen.length - 8);
  const file = path.join(folder(), 'signals.parquet');
  writeFileSync(file, swollen);
  await expect(rowsOf(file)).rejects.toMatchObject({
    code: 'DATA_UNREADABLE',
    message: expect.stringMatching(/signals\.parquet: its header says 1\d{12} rows, and it ends after 40$/),
  });
});

test.each([
  ['prices', 6e6, ['time', 'bid', 'ask'], read],
  // So many that the process is aborted in the midst of growing one array.
  ['signals', 50e6, ['at', 'made', 'value'], rowsOf],
])(
  'F51 a small file of %s whose pages stand for %d rows ends in one line, and takes no memory for them',
  async (_, count, names, reading) => {
    const file = path.join(folder(), 'prices.parquet');
    writeFileSync(file, swollen(names, count));
    await expect(reading(file)).rejects.toMatchObject({
      code: 'DATA_UNREADABLE',
      message: expect.stringMatching(
        / \(they take more than the 192 MB that a file of its size is given: write it anew with smaller row groups\)$/,
      ),
    });
  },
);

/** To write millions of rows takes seconds, so each count of rows and values is raised to as many. */
function swollen(names: readonly string[], count: number): Buffer {
  const rows = 1_100_000;
  const data = new Array<number>(rows).fill(1.25);
  const columnData = names.map((name) => ({ name, type: 'DOUBLE' as const, data, encoding: 'RLE_DICTIONARY' as const }));
  const options = { codec: 'UNCOMPRESSED' as const, rowGroupSize: rows, pageSize: 1e12, statistics: false };
  const written = Buffer.from(parquetWriteBuffer({ columnData, ...options })).toString('latin1');
  return Buffer.from(written.replaceAll(countOf(rows), countOf(count)), 'latin1');
}

/** Twice a count in 28 bits, as Thrift writes a number and a page the length of a run. */
const countOf = (count: number): string =>
  String.fromCharCode(...[0, 7, 14, 21].map((shift) => (((count * 2) >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0)));
