import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Whole lines of a log's end, at most so many bytes of it; a line that this cuts is left out. */
export function logTail(path: string, tailBytes: number): readonly string[] {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - from);
    const length = readSync(fd, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return from === 0 ? lines : lines.slice(1);
  } finally {
    closeSync(fd);
  }
}
