import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { figuresOf, ROW_BYTES } from '#domain/columns-memory.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { SealedQuotes } from './manifest.ts';

/** Layout of the files below; part of their names, so that another layout is another file. */
const LAYOUT = 1;

/**
 * Raw columns of a sealed file, as they lie in memory, so that a second start only reads. Named by the content they were
 * made of. May be deleted at any time; where it cannot be written there is none.
 */
export class ColumnsCache {
  private readonly path: string;
  private readonly rows: number;

  constructor(folder: string, { sha256, rows }: SealedQuotes) {
    this.path = join(folder, 'cache', `${sha256.slice(0, 32)}.v${LAYOUT}`);
    this.rows = rows;
  }

  /** Reads into columns of as many rows; false where there is no cache, or half of one. */
  read(target: QuoteColumns): boolean {
    let fd: number;
    try {
      fd = openSync(this.path, 'r');
    } catch {
      // Nobody has read these quotes before.
      return false;
    }
    try {
      if (fstatSync(fd).size !== this.rows * ROW_BYTES) return false;
      return piecesOf(target).every((piece) => filled(fd, piece));
    } finally {
      closeSync(fd);
    }
  }

  write(columns: QuoteColumns): void {
    const work = `${this.path}.${process.pid}`;
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      const fd = openSync(work, 'w', 0o600);
      try {
        for (const piece of piecesOf(columns)) for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at);
      } finally {
        closeSync(fd);
      }
      renameSync(work, this.path);
    } catch {
      // A full or read-only disk costs the next start some time, and nothing else.
      rmSync(work, { force: true });
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

function piecesOf(columns: QuoteColumns): readonly Uint8Array[] {
  return [...figuresOf(columns), columns.ids].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}

function filled(fd: number, piece: Uint8Array): boolean {
  for (let at = 0; at < piece.length; ) {
    const read = readSync(fd, piece, at, piece.length - at, null);
    if (read === 0) return false;
    at += read;
  }
  return true;
}
