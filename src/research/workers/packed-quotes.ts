import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { blobHash } from '#adapters/shared-jobs/blob-server.ts';
import { type ColumnNames, columnsOver, copyColumns, filledColumns, ROW_BYTES, slicedColumns, windowOf } from '#domain/columns-memory.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** Some quotes of a lane, one after the other. */
interface PackedPart {
  readonly rows: number;
  /** The blob of them, packed, and its bytes. */
  readonly blob: string;
  readonly bytes: number;
  /** SHA-256 of them as they lie in memory. */
  readonly plain: string;
  readonly oddIds: readonly (readonly [number, string])[];
}

interface PackedLane {
  readonly names: ColumnNames;
  readonly parts: readonly PackedPart[];
}

/** A recording's quotes, lane by lane, as blobs that any machine can have. */
export type PackedQuotes = readonly PackedLane[];

/** Rows of a part, of 200 bytes each before they are packed. */
const PART_ROWS = 100_000;

/** Packs quotes into blobs, each handed to `add` which names it. */
export function packQuotes(columns: readonly QuoteColumns[], add: (bytes: Uint8Array) => string): PackedQuotes {
  return columns.map((lane) => {
    const parts: PackedPart[] = [];
    for (const { rows, plain, oddIds } of partsOf(lane)) {
      const packed = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
      parts.push({ rows, blob: add(packed), bytes: packed.length, plain: blobHash(plain), oddIds });
    }
    return { names: namesOf(lane), parts };
  });
}

/** The quotes in memory that threads can share. Throws BLOB_UNAVAILABLE where they are not those that were packed. */
export async function unpackQuotes(packed: PackedQuotes, blobOf: (hash: string) => Promise<Uint8Array>): Promise<readonly QuoteColumns[]> {
  const lanes: QuoteColumns[] = [];
  for (const { names, parts } of packed) {
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const whole = filledColumns(names, [{ rows, fill: () => new Map() }]);
    const oddIds = new Map<number, string>();
    let before = 0;
    for (const part of parts) {
      const plain = plainOf(await blobOf(part.blob), part);
      copyColumns(columnsOver(plain, part.rows, { names, oddIds: new Map() }), windowOf(whole, before, before + part.rows));
      for (const [index, id] of part.oddIds) oddIds.set(before + index, id);
      before += part.rows;
    }
    lanes.push({ ...whole, oddIds });
  }
  return lanes;
}

/** True where quotes that were read elsewhere are the same to the last bit. */
export function areQuotes(columns: readonly QuoteColumns[], packed: PackedQuotes): boolean {
  return columns.length === packed.length && columns.every((lane, n) => isLane(lane, packed[n]));
}

function isLane(lane: QuoteColumns, packed: PackedLane | undefined): boolean {
  if (!packed || JSON.stringify(namesOf(lane)) !== JSON.stringify(packed.names)) return false;
  let n = 0;
  for (const { rows, plain, oddIds } of partsOf(lane)) {
    const part = packed.parts[n];
    n += 1;
    if (part?.rows !== rows || part.plain !== blobHash(plain) || JSON.stringify(part.oddIds) !== JSON.stringify(oddIds)) return false;
  }
  return n === packed.parts.length;
}

function plainOf(packed: Uint8Array, { rows, plain: hash, blob }: PackedPart): ArrayBufferLike {
  let why = 'other bytes';
  try {
    const plain = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, rows * ROW_BYTES) });
    if (plain.length === rows * ROW_BYTES && blobHash(plain) === hash) {
      return plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length);
    }
  } catch (error) {
    why = messageOf(error);
  }
  const what = `${blob.slice(0, 12)} does not hold the quotes that were signed (${why})`;
  throw new KairosError('BLOB_UNAVAILABLE', `${what}: start the coordinator again`);
}

/** The quotes of a lane as they lie in memory, some at a time. */
function* partsOf(lane: QuoteColumns): Generator<{ readonly rows: number; readonly plain: Buffer; readonly oddIds: PackedPart['oddIds'] }> {
  for (let from = 0; from < lane.length; from += PART_ROWS) {
    const part = slicedColumns(lane, from, Math.min(lane.length, from + PART_ROWS));
    yield { rows: part.length, plain: Buffer.from(part.ids.buffer), oddIds: [...part.oddIds].sort(([a], [b]) => a - b) };
  }
}

const namesOf = ({ lane, product, baseCcy, quoteCcy, barMs }: QuoteColumns): ColumnNames => ({
  ...{ lane, product, baseCcy, quoteCcy },
  ...(barMs !== undefined && { barMs }),
});
