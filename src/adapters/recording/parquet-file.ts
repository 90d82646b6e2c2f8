import { createRequire } from 'node:module';
import { zstdDecompressSync } from 'node:zlib';
import type * as Hyparquet from 'hyparquet';
import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import { unpackDeltas } from './delta.ts';
import { readPageHeader } from './page-header.ts';

/** Loaded only where a recording is sealed: what a daemon still writes is read without. */
const hyparquet = (): typeof Hyparquet => createRequire(import.meta.url)('hyparquet');

/** Bytes of a row in a page, at most; what a page says of its size is believed up to there. */
const ROW_BYTES = 20;
const TEXT_BYTES = 512 * 1024 * 1024;

/**
 * A Parquet file of `parquetOf` in memory, read at once and without promises. Throws a RangeError or an Error of the
 * library where it is none, or none of so many rows.
 */
export class ParquetFile {
  readonly rows: number;
  private readonly bytes: Uint8Array;
  private readonly metadata: FileMetaData;

  constructor(bytes: Uint8Array<ArrayBuffer>, rows: number) {
    const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    // Small files are read into a part of memory that others use as well.
    const own = isWhole ? bytes : new Uint8Array(bytes);
    this.bytes = own;
    this.metadata = hyparquet().parquetMetadata(own.buffer);
    this.rows = rows;
    const grouped = this.metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
    if (grouped !== rows) throw new RangeError(`it has ${grouped} of ${rows} rows`);
  }

  /** What the file says of itself under a key. */
  said(key: string): string | undefined {
    return this.metadata.key_value_metadata?.find((pair) => pair.key === key)?.value;
  }

  has(name: string): boolean {
    return this.metadata.schema.some((element) => element.name === name);
  }

  /** Numbers of a column into `out`, decimals as such; rows without a value become NaN. Returns how many had one. */
  numbers(name: string, out: Float64Array): number {
    const element = this.metadata.schema.find((one) => one.name === name);
    const isDecimal = element?.converted_type === 'DECIMAL';
    let from = 0;
    let had = 0;
    for (const { column, rows } of this.chunks(name)) {
      const target = out.subarray(from, from + rows);
      const { levels, page, nulls, isDelta } = this.pageOf(column, rows);
      const count = rows - nulls;
      const values = nulls === 0 ? target : new Float64Array(count);
      if (isDelta) unpackDeltas(page, values);
      else values.set(new Float64Array(new Uint8Array(page.subarray(0, count * 8)).buffer));
      if (isDecimal) for (let i = 0; i < count; i += 1) values[i] = figureAt(values, i) / 1e8;
      if (nulls > 0) spread(values, presentIn(levels, rows), target);
      from += rows;
      had += count;
    }
    return had;
  }

  /** How many rows have no value in a column, known without reading it. */
  nulls(name: string): number {
    return this.chunks(name).reduce((sum, { column }) => sum + Number(column.statistics?.null_count ?? 0n), 0);
  }

  /** 16 bytes a row; zeros where there is no value. */
  uuids(name: string, out: Uint8Array): void {
    let from = 0;
    for (const { column, rows } of this.chunks(name)) {
      const { levels, page, nulls } = this.pageOf(column, rows);
      if (nulls === 0) out.set(page.subarray(0, rows * 16), from * 16);
      else {
        const present = presentIn(levels, rows);
        let at = 0;
        for (let row = 0; row < rows; row += 1) {
          if (present[row] !== 1) continue;
          out.set(page.subarray(at, at + 16), (from + row) * 16);
          at += 16;
        }
      }
      from += rows;
    }
  }

  /** Texts of a column, undefined where there is none. */
  texts(name: string): readonly (string | undefined)[] {
    const texts: (string | undefined)[] = [];
    for (const { column, rows } of this.chunks(name)) {
      const { levels, page, nulls } = this.pageOf(column, rows);
      const present = nulls === 0 ? undefined : presentIn(levels, rows);
      const buffer = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
      let at = 0;
      for (let row = 0; row < rows; row += 1) {
        if (present && present[row] !== 1) {
          texts.push(undefined);
          continue;
        }
        const length = buffer.readUInt32LE(at);
        texts.push(buffer.toString('utf8', at + 4, at + 4 + length));
        at += 4 + length;
      }
    }
    return texts;
  }

  private chunks(name: string): readonly { column: ColumnMetaData; rows: number }[] {
    return this.metadata.row_groups.map((group) => {
      const column = group.columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data;
      if (!column) throw new RangeError(`no column ${name}`);
      return { column, rows: Number(group.num_rows) };
    });
  }

  /** The one page of a chunk. */
  private pageOf(column: ColumnMetaData, rows: number): { levels: Uint8Array; page: Uint8Array; nulls: number; isDelta: boolean } {
    const start = Number(column.data_page_offset);
    const length = Number(column.total_compressed_size);
    const chunk = this.bytes.subarray(start, start + length);
    const { header, length: begin } = readPageHeader(chunk);
    const { nulls, isDelta } = header;
    if (header.rows !== rows) throw new RangeError('a page of another shape');
    const levels = chunk.subarray(begin, begin + header.levelBytes);
    const stored = chunk.subarray(begin + levels.length, begin + header.storedBytes);
    const unpacked = header.unpackedBytes - levels.length;
    const most = column.type === 'BYTE_ARRAY' ? TEXT_BYTES : 4096 + rows * ROW_BYTES;
    if (unpacked > most) throw new RangeError('a page is larger than its rows');
    const page = header.isCompressed ? zstdDecompressSync(stored, { maxOutputLength: Math.max(1, unpacked) }) : stored;
    if (page.length !== unpacked) throw new RangeError('a page of another length');
    return { levels, page, nulls, isDelta };
  }
}

/** One byte a row: 1 where a value is present. */
function presentIn(levels: Uint8Array, rows: number): Uint8Array {
  const present = new Uint8Array(rows);
  let head = 0;
  let at = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = codeAt(levels, at);
    at += 1;
    head += (byte & 127) * scale;
    if (byte < 128) break;
  }
  if (head % 2 === 0) return present.fill(codeAt(levels, at));
  for (let row = 0; row < rows; row += 1) present[row] = (codeAt(levels, at + (row >> 3)) >> (row & 7)) & 1;
  return present;
}

function spread(values: Float64Array, present: Uint8Array, target: Float64Array): void {
  let at = 0;
  for (let row = 0; row < target.length; row += 1) {
    if (present[row] === 1) {
      target[row] = figureAt(values, at);
      at += 1;
    } else target[row] = Number.NaN;
  }
}
