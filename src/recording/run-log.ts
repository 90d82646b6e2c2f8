import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { KairosError, messageOf } from '../domain/errors.ts';
import type { Numbered } from '../domain/event.ts';
import type { Millis, RunId } from '../domain/names.ts';
import type { Quote } from '../domain/quote.ts';
import type { InboxLog } from '../ports/inbox-log.ts';
import { eventLine, headerLine, quoteLine } from './log-format.ts';
import { removeMark, writeMark } from './writing-mark.ts';

/** Characters that may wait before they are written anyway. */
const FLUSH_AT = 256 * 1024;

/** Bytes that may wait while the disk refuses them; past these nothing more is taken. */
const STUCK_AT = 4 * 1024 * 1024;

/** Writes some of the bytes from `offset` on and returns how many; `writeSync` of node:fs. */
export type WriteSome = (fd: number, bytes: Uint8Array, offset: number) => number;

/** The log of a run in the folder of recordings. */
export const logPath = (dir: string, run: string): string => join(dir, run, 'inbox.ndjson');

export interface RunLogOptions {
  /** Folder of all recordings; the log is `<dir>/<run>/inbox.ndjson`. */
  readonly dir: string;
  readonly run: RunId;
  readonly book: string;
  /** For tests of short and failing writes. */
  readonly write?: WriteSome;
}

/**
 * The inbox of a run as one append-only file, a line an event, in number order. `append` buffers; `flush` hands the
 * buffer to the operating system, so that a SIGKILL after it loses nothing. The owner flushes once a second at least and
 * before every journal commit. Write errors are thrown as RECORDING_FAULT, and what was not written still waits.
 */
export class RunLog implements InboxLog {
  readonly path: string;
  readonly run: RunId;
  readonly folder: string;
  private readonly fd: number;
  private readonly write: WriteSome;
  private lines = '';
  private unwritten: Uint8Array = new Uint8Array(0);
  private closed = false;

  private constructor({ dir, run, book, write = (fd, bytes, offset) => writeSync(fd, bytes, offset) }: RunLogOptions) {
    const folder = join(dir, run);
    this.run = run;
    this.folder = folder;
    this.path = logPath(dir, run);
    this.write = write;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.fd = openSync(this.path, 'ax', 0o600);
      writeMark(this.path);
    } catch (error) {
      throw new KairosError('RECORDING_FAULT', `recording ${this.path} cannot be created (${messageOf(error)}): check recording.dir`, {
        cause: error,
      });
    }
    this.lines = headerLine(run, book);
  }

  /** Creates the log of a run. Throws RECORDING_FAULT when it cannot be, or is there already. */
  static create(options: RunLogOptions): RunLog {
    return new RunLog(options);
  }

  append(event: Numbered): void {
    this.add(eventLine(event));
  }

  conflated(at: Millis, quote: Quote): void {
    this.add(quoteLine(null, at, quote));
  }

  flush(): void {
    if (this.lines !== '') {
      this.unwritten = joined(this.unwritten, Buffer.from(this.lines));
      this.lines = '';
    }
    while (this.unwritten.length > 0) {
      const written = this.attempt();
      this.unwritten = this.unwritten.subarray(written);
    }
  }

  /** Writes what waits and closes the file. Idempotent. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    try {
      this.flush();
    } finally {
      closeSync(this.fd);
      removeMark(this.path);
    }
  }

  private add(line: string): void {
    if (this.unwritten.length > STUCK_AT) throw this.fault('the disk refuses writes');
    this.lines += line;
    if (this.lines.length >= FLUSH_AT) this.flush();
  }

  private attempt(): number {
    try {
      return this.write(this.fd, this.unwritten, 0);
    } catch (error) {
      throw this.fault(messageOf(error), error);
    }
  }

  private fault(why: string, cause?: unknown): KairosError {
    return new KairosError('RECORDING_FAULT', `recording ${this.path} could not be written (${why}): check the disk, then start again`, {
      cause,
    });
  }
}

/** Keeps nothing: for runs with `recording.enabled: false`. */
export class NullLog implements InboxLog {
  append(): void {}
  conflated(): void {}
  flush(): void {}
  close(): void {}
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.length === 0 ? b : Buffer.concat([a, b]);
}
