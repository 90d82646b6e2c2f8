import type { ByteWriter } from 'hyparquet-writer';

/** What stands before the values of a page of ours (Parquet format, PageHeader with DataPageHeaderV2). */
interface PageHeader {
  /** Levels included, both. */
  readonly storedBytes: number;
  readonly unpackedBytes: number;
  readonly rows: number;
  readonly nulls: number;
  /** Bytes of definition levels, which come before the values and are never compressed. */
  readonly levelBytes: number;
  /** True for packed differences, false for plain values. */
  readonly isDelta: boolean;
  readonly isCompressed: boolean;
}

/** Numbers of the Parquet format. */
const DATA_PAGE_V2 = 3;
const PLAIN = 0;
const DELTA_BINARY_PACKED = 5;

/** Types of Thrift's compact protocol. */
const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const I32 = 5;
const STRUCT = 12;

/** A struct: numbers, flags and structs by the id of their field. */
type Fields = Map<number, number | boolean | Fields>;

/** Writes the header of a page; `readPageHeader` reads it back. */
export function writePageHeader(writer: ByteWriter, header: PageHeader): void {
  const { storedBytes, unpackedBytes, rows, nulls, levelBytes, isDelta, isCompressed } = header;
  const page = [rows, nulls, rows, isDelta ? DELTA_BINARY_PACKED : PLAIN, levelBytes, 0];
  const v2: Fields = new Map([...page.entries()].map(([index, value]) => [index + 1, value]));
  // Compressed unless said otherwise.
  if (!isCompressed) v2.set(7, false);
  writeStruct(
    writer,
    new Map<number, number | Fields>([
      [1, DATA_PAGE_V2],
      [2, unpackedBytes],
      [3, storedBytes],
      [8, v2],
    ]),
  );
}

/** Reads the header at the begin of `bytes`; `length` is its own. Throws a RangeError where it is none of ours. */
export function readPageHeader(bytes: Uint8Array): { readonly header: PageHeader; readonly length: number } {
  const reader = new StructReader(bytes);
  const fields = reader.struct();
  const v2 = fields.get(8);
  if (!(v2 instanceof Map)) throw new RangeError('a page of another shape');
  const header = {
    unpackedBytes: numberAt(fields, 2),
    storedBytes: numberAt(fields, 3),
    rows: numberAt(v2, 1),
    nulls: numberAt(v2, 2),
    isDelta: numberAt(v2, 4) === DELTA_BINARY_PACKED,
    levelBytes: numberAt(v2, 5),
    isCompressed: v2.get(7) !== false,
  };
  return { header, length: reader.at };
}

function numberAt(fields: Fields, id: number): number {
  const value = fields.get(id);
  if (typeof value !== 'number') throw new RangeError('a page of another shape');
  return value;
}

/** Fields in the order of their ids, none more than 15 from the one before, numbers not below zero. */
function writeStruct(writer: ByteWriter, fields: Fields): void {
  let last = 0;
  for (const [id, value] of fields) {
    const type = typeof value === 'number' ? I32 : value instanceof Map ? STRUCT : value ? TRUE : FALSE;
    writer.appendUint8(((id - last) << 4) | type);
    last = id;
    if (typeof value === 'number') writer.appendVarInt(value * 2);
    else if (value instanceof Map) writeStruct(writer, value);
  }
  writer.appendUint8(STOP);
}

class StructReader {
  private readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  struct(): Fields {
    const fields: Fields = new Map();
    let id = 0;
    for (let head = this.byte(); head !== STOP; head = this.byte()) {
      id += head >> 4;
      fields.set(id, this.value(head & 15));
    }
    return fields;
  }

  private value(type: number): number | boolean | Fields {
    if (type === I32) return this.number();
    if (type === STRUCT) return this.struct();
    if (type === TRUE || type === FALSE) return type === TRUE;
    throw new RangeError('a page of another shape');
  }

  /** Seven bits a byte, the lowest first; the lowest of all is the sign. */
  private number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RangeError('a page is cut off');
    this.at += 1;
    return byte;
  }
}
