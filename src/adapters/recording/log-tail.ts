import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Whole lines of a log from its end on, in at most so many bytes of it; a line that this cuts is left out. */
export function* linesBack(path: string, tailBytes: number): Generator<string, void> {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const least = Math.max(0, size - tailBytes);
    let end = size;
    /** The end of a line that begins before what was read. */
    let rest = Buffer.alloc(0);
    while (end > least) {
      // As much as is there already, so that a long line is not put together from its end each time.
      const from = Math.max(least, end - Math.max(CHUNK_BYTES, rest.length));
      const read = Buffer.alloc(end - from);
      const bytes = Buffer.concat([read.subarray(0, readSync(fd, read, 0, read.length, from)), rest]);
      const begin = bytes.indexOf(NEWLINE) + 1;
      rest = begin === 0 ? bytes : bytes.subarray(0, begin - 1);
      if (begin > 0) yield* bytes.toString('utf8', begin).split('\n').reverse();
      end = from;
    }
    if (least === 0) yield rest.toString('utf8');
  } finally {
    closeSync(fd);
  }
}
