import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isGzip, MAX_LINE, unreadable } from './csv-head.ts';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
/** Some programs begin a file of UTF-8 with it. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Lines of a file. */
interface CsvChunk {
  readonly text: string;
  /** True for the last line of a file that no newline ends. */
  readonly isOpen: boolean;
  /** Bytes of the file that were read. */
  readonly read: number;
}

/** The lines of a CSV file, gzipped or not, many at a time. Throws DATA_UNREADABLE at a line that is too long. */
export async function* csvChunks(path: string): AsyncGenerator<CsvChunk, void, void> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let read = 0;
  file.on('data', (chunk) => {
    read += chunk.length;
  });
  // A failure of either ends the stream that is read from, where it is seen.
  const stream = isGzip(path) ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : file;
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  for await (const chunk of stream) {
    const joined: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const bytes = isBegun ? joined : joined.subarray(joined.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0);
    isBegun = true;
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    if (whole > 0) yield { text: linesOf(bytes.subarray(0, whole)), isOpen: false, read };
    rest = bytes.subarray(whole);
    if (rest.length > MAX_LINE) throw unreadable(path, `a line is longer than ${MAX_LINE} characters, so it is not a CSV file`);
  }
  if (rest.length > 0) yield { text: linesOf(rest), isOpen: true, read };
}

const linesOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\r\n', '\n');
