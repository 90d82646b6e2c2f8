import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { figuresOf, ROW_BYTES } from '#domain/columns-memory.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { SealedQuotes } from './manifest.ts';

/** How files of a cache are named, also those that are being written. */
export const CACHE_NAME = /^[0-9a-f]{32}\.v\d+(?:\.\d+)?$/;

/** Layout of the files below; part of their names, so that another layout is another file. */
const LAYOUT = 1;

const SUM_BYTES = 4;

/**
 * Raw columns of a sealed file, as they lie in memory, so that a second start only reads. Named by the content they were
 * made of; their sum ends them, and begins with size, time and inode of the sealed file, which was held against its own sum when
 * they were made. May be deleted at any time; where it cannot be written there is none.
 */
export class ColumnsCache {
  private readonly path: string;
  private readonly sealed: string;
  private readonly rows: number;

  constructor(folder: string, { file, sha256, rows }: SealedQuotes) {
    this.path = join(folder, 'cache', `${sha256.slice(0, 32)}.v${LAYOUT}`);
    this.sealed = join(folder, file);
    this.rows = rows;
  }

  /** Reads into columns of as many rows; false where there is no cache, or half or another of one. */
  read(target: QuoteColumns): boolean {
    let fd: number;
    try {
      fd = openSync(this.path, 'r');
    } catch {
      // Nobody has read these quotes before.
      return false;
    }
    try {
      const sum = Buffer.alloc(SUM_BYTES);
      return (
        fstatSync(fd).size === this.rows * ROW_BYTES + SUM_BYTES &&
        [...piecesOf(target), sum].every((piece) => filled(fd, piece)) &&
        sum.readUInt32LE() === this.sumOf(target)
      );
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
        const sum = Buffer.alloc(SUM_BYTES);
        sum.writeUInt32LE(this.sumOf(columns));
        for (const piece of [...piecesOf(columns), sum]) for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at);
      } finally {
        closeSync(fd);
      }
      renameSync(work, this.path);
    } catch {
      // A full or read-only disk costs the next start some time, and nothing else.
      rmSync(work, { force: true });
    }
  }

  private sumOf(columns: QuoteColumns): number {
    const of = statSync(this.sealed, { bigint: true, throwIfNoEntry: false });
    const begin = crc32(of ? `${of.size} ${of.mtimeNs} ${of.ino}` : '');
    return piecesOf(columns).reduce((sum, piece) => crc32(piece, sum), begin);
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
