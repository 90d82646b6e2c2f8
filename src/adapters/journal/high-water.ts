import { existsSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';
import { readSmall, replaceFile } from './files.ts';
import { CHAIN_START, type ChainEnd } from './records.ts';

/**
 * The high-water mark: the last row seen, in a second file. A journal that ends before its mark has lost rows, which
 * SQLite itself cannot see (an unlinked write-ahead log, an old copy put back: F50).
 */
export class HighWater {
  private readonly file: string;
  private written: ChainEnd;

  constructor(file: string) {
    this.file = file;
    this.written = readMark(file) ?? CHAIN_START;
  }

  /** Writes the mark when it has moved; synced before it returns. */
  note(end: ChainEnd): void {
    if (end.seq === this.written.seq && end.hash === this.written.hash) return;
    replaceFile(this.file, `${JSON.stringify(end)}\n`);
    this.written = end;
  }
}

/** The mark that was written last; null when there is none. Throws JOURNAL_BROKEN when it cannot be read. */
export function readMark(file: string): ChainEnd | null {
  if (!existsSync(file)) return null;
  try {
    const mark: unknown = JSON.parse(readSmall(file));
    if (isEnd(mark)) return { seq: mark.seq, hash: mark.hash };
  } catch (error) {
    throw unreadable(file, messageOf(error));
  }
  throw unreadable(file, 'it has no seq and hash');
}

function isEnd(value: unknown): value is ChainEnd {
  if (typeof value !== 'object' || value === null) return false;
  return 'seq' in value && typeof value.seq === 'number' && 'hash' in value && typeof value.hash === 'string';
}

function unreadable(file: string, why: string): KairosError {
  return new KairosError(
    'JOURNAL_BROKEN',
    `the journal's high-water mark ${file} cannot be read (${why}): remove it, then run kairos journal verify`,
  );
}
