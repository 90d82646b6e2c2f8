import { createRequire } from 'node:module';
import { constants, zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import type * as HyparquetWriter from 'hyparquet-writer';
import type { ByteWriter, KeyValue } from 'hyparquet-writer';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import { packDeltas } from './delta.ts';
import { writePageHeader } from './page-header.ts';

/** How a column is stored. Whole numbers, decimals (8 places) and times are packed differences. */
export type ColumnType = 'whole' | 'decimal' | 'time' | 'double' | 'uuid' | 'text';

/** What makes whole numbers of decimals. */
export const DECIMAL_SCALE = 1e8;

/**
 * A column to be written. `present` says for each row whether it has a value; without it all have. Texts may be given as bytes: those that are
 * present, each behind its length in four bytes, for a group that begins at 0.
 */
export type ColumnData = { readonly name: string; readonly present?: Uint8Array } & (
  | { readonly kind: 'whole' | 'decimal' | 'time' | 'double'; readonly values: Float64Array }
  | { readonly kind: 'uuid'; readonly values: Uint8Array }
  | { readonly kind: 'text'; readonly values: readonly string[] | Uint8Array }
);

/** Rows of a group. */
const GROUP_ROWS = 122_880;

/** Random bytes: compressing them costs time and saves nothing. */
const INCOMPRESSIBLE: ReadonlySet<ColumnType> = new Set(['uuid']);

const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  whole: { type: 'INT64' },
  decimal: { type: 'INT64', converted_type: 'DECIMAL', scale: 8, precision: 18 },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  double: { type: 'DOUBLE' },
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

/** Loaded only where a recording is written. */
const hyparquetWriter = (): typeof HyparquetWriter => createRequire(import.meta.url)('hyparquet-writer');

/** Rows of some columns that are written, compressed and found again together; the end is exclusive. */
export interface RowGroup {
  readonly columns: readonly ColumnData[];
  readonly from: number;
  readonly to: number;
}

/** A Parquet file of some columns, all of `rows` rows. Optional are those columns that say who is present. */
export function parquetOf(rows: number, columns: readonly ColumnData[], metadata: Readonly<Record<string, string>>): Uint8Array {
  const begins = Array.from({ length: Math.max(1, Math.ceil(rows / GROUP_ROWS)) }, (_, group) => group * GROUP_ROWS);
  const groups = begins.map((from): RowGroup => ({ columns, from, to: Math.min(rows, from + GROUP_ROWS) }));
  return fileOf(columns, groups, { metadata, level: constants.ZSTD_CLEVEL_DEFAULT });
}

/** As `parquetOf`, of columns that need not be in memory together, compressed quickly. `shape` has their names and kinds. */
export const parquetOfGroups = (
  shape: readonly ColumnData[],
  groups: Iterable<RowGroup>,
  metadata: Readonly<Record<string, string>>,
): Uint8Array => fileOf(shape, groups, { metadata, level: 1 });

interface WriteOptions {
  readonly metadata: Readonly<Record<string, string>>;
  /** How hard Zstandard tries. */
  readonly level: number;
}

function fileOf(shape: readonly ColumnData[], groups: Iterable<RowGroup>, { metadata, level }: WriteOptions): Uint8Array {
  const { ByteWriter, ParquetWriter } = hyparquetWriter();
  const writer = new ByteWriter(1 << 20);
  const kvMetadata: KeyValue[] = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const schema: SchemaElement[] = [{ name: 'root', num_children: shape.length }, ...shape.map(elementOf)];
  const file = new ParquetWriter({ writer, schema, codec: 'ZSTD', kvMetadata, createdBy: 'kairos' });
  for (const group of groups) {
    const { from, to } = group;
    const start = writer.offset;
    const chunks = group.columns.map((column) => writeChunk(writer, column, { from, to, level }));
    file.num_rows += BigInt(to - from);
    file.row_groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      num_rows: BigInt(to - from),
      total_compressed_size: BigInt(writer.offset - start),
    });
  }
  // A writer into memory is done when this returns.
  void file.finish();
  return writer.getBytes();
}

function elementOf({ name, kind, present }: ColumnData): SchemaElement {
  return { name, repetition_type: present ? 'OPTIONAL' : 'REQUIRED', ...ELEMENTS[kind] };
}

function writeChunk(
  writer: ByteWriter,
  column: ColumnData,
  { from, to, level }: Pick<RowGroup, 'from' | 'to'> & Pick<WriteOptions, 'level'>,
): ColumnChunk {
  const rows = to - from;
  const present = column.present?.subarray(from, to);
  const levels = present ? levelsOf(present) : new Uint8Array(0);
  const nulls = present ? rows - ones(present) : 0;
  const { bytes, statistics } = pageOf(column, from, to);
  const codec = INCOMPRESSIBLE.has(column.kind) ? 'UNCOMPRESSED' : 'ZSTD';
  const stored = codec === 'ZSTD' ? zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }) : bytes;
  const encoding = isPacked(column.kind) ? 'DELTA_BINARY_PACKED' : 'PLAIN';
  const start = writer.offset;
  writePageHeader(writer, {
    unpackedBytes: levels.length + bytes.length,
    storedBytes: levels.length + stored.length,
    rows,
    nulls,
    levelBytes: levels.length,
    isDelta: isPacked(column.kind),
    isCompressed: codec === 'ZSTD',
  });
  const header = writer.offset - start;
  writer.appendBytes(levels);
  writer.appendBytes(stored);
  return {
    meta_data: {
      type: ELEMENTS[column.kind].type ?? 'INT64',
      encodings: ['RLE', encoding],
      path_in_schema: [column.name],
      codec,
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(header + levels.length + bytes.length),
      data_page_offset: BigInt(start),
      statistics: { null_count: BigInt(nulls), ...statistics },
    },
    file_offset: BigInt(start),
  };
}

const isPacked = (kind: ColumnType): boolean => kind === 'whole' || kind === 'decimal' || kind === 'time';

/** The values that are present, encoded, and what a reader may know of them without decoding. */
function pageOf(column: ColumnData, from: number, to: number): { bytes: Uint8Array; statistics: object } {
  const { present } = column;
  const has = (row: number): boolean => present === undefined || present[row] === 1;
  switch (column.kind) {
    case 'text': {
      if (column.values instanceof Uint8Array) return { bytes: column.values, statistics: {} };
      const texts = column.values.slice(from, to);
      return { bytes: textsPage(present ? texts.filter((_, index) => has(from + index)) : texts), statistics: {} };
    }
    case 'uuid': {
      const bytes = new Uint8Array((to - from) * 16);
      let length = 0;
      for (let row = from; row < to; row += 1) {
        if (!has(row)) continue;
        bytes.set(column.values.subarray(row * 16, row * 16 + 16), length);
        length += 16;
      }
      return { bytes: bytes.subarray(0, length), statistics: {} };
    }
    case 'double': {
      const values = numbers(column.values, present, from, to);
      return { bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength), statistics: {} };
    }
    default: {
      const values = numbers(column.values, present, from, to);
      return { bytes: packDeltas(values), statistics: column.kind === 'time' ? bounds(values) : {} };
    }
  }
}

function numbers(values: Float64Array, present: Uint8Array | undefined, from: number, to: number): Float64Array {
  const part = values.subarray(from, to);
  if (!present) return part;
  const had = new Float64Array(part.length);
  let count = 0;
  for (let row = from; row < to; row += 1) {
    if (present[row] !== 1) continue;
    had[count] = figureAt(values, row);
    count += 1;
  }
  return had.subarray(0, count);
}

function bounds(values: Float64Array): object {
  if (values.length === 0) return {};
  let least = values[0] ?? 0;
  let most = least;
  // An index, not an iterator, which takes three times as long.
  for (let i = 1; i < values.length; i += 1) {
    const value = figureAt(values, i);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { min_value: BigInt(least), max_value: BigInt(most) };
}

function ones(present: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < present.length; row += 1) count += codeAt(present, row);
  return count;
}

/** Each text behind its length. They are encoded together, which takes a fraction of the time; gaps leave room for the lengths. */
function textsPage(texts: readonly string[]): Uint8Array {
  const gap = '\0\0\0\0';
  const whole = texts.length === 0 ? '' : gap + texts.join(gap);
  const page = Buffer.from(whole);
  const isAscii = page.length === whole.length;
  let at = 0;
  for (const text of texts) {
    const length = isAscii ? text.length : Buffer.byteLength(text);
    page.writeUInt32LE(length, at);
    at += gap.length + length;
  }
  return page;
}

/** Who is present, in Parquet's hybrid of runs and bits: one run where all are alike, else one bit a row. */
function levelsOf(present: Uint8Array): Uint8Array {
  const first = codeAt(present, 0);
  if (ones(present) === first * present.length) return Uint8Array.from([...varint(present.length * 2), first]);
  const groups = Math.ceil(present.length / 8);
  const bits = new Uint8Array(groups);
  for (const [row, one] of present.entries()) if (one === 1) bits[row >> 3] = codeAt(bits, row >> 3) | (1 << (row & 7));
  return Uint8Array.from([...varint(groups * 2 + 1), ...bits]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
