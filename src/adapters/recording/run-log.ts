import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { NumberedEvent } from '#domain/event.ts';
import type { Millis, RunId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { dayEnd } from '#domain/utc-day.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import { eventLine, headerLine, quoteLine } from './log-format.ts';
import { partLog } from './parts.ts';
import { removeMark, writeMark } from './writing-mark.ts';

/** Characters that may wait before they are written anyway. */
const FLUSH_AT = 256 * 1024;

/** Bytes of a part after which the next one begins: sealing it takes a process about 300 MB for a few seconds. */
const ROLL_BYTES = 64 * 1024 * 1024;

/** Bytes that may wait while the disk refuses them; past these nothing more is taken. */
const STUCK_AT = 4 * 1024 * 1024;

/** Writes some of the bytes from `offset` on and returns how many; `writeSync` of node:fs. */
type WriteSome = (fd: number, bytes: Uint8Array, offset: number) => number;

/** The log of a run in the folder of recordings: the first part of it. */
export const logPath = (dir: string, run: string): string => join(dir, run, 'inbox.ndjson');

export interface RunLogOptions {
  /** Folder of all recordings; the log is `<dir>/<run>/inbox.ndjson`. */
  readonly dir: string;
  readonly run: RunId;
  readonly book: string;
  /** For tests of short and failing writes. */
  readonly write?: WriteSome;
  /** For tests of parts: bytes after which the next one begins. */
  readonly rollBytes?: number;
}

/**
 * The inbox of a run in append-only files, a line an event, in number order. `append` buffers; `flush` hands the
 * buffer to the operating system, so that a SIGKILL after it loses nothing. The owner flushes once a second at least and
 * before every journal commit. Write errors are thrown as RECORDING_FAULT, and what was not written still waits.
 *
 * The first event of a UTC day, and that which comes when a part is large, begins the next part. All of a part is with
 * the operating system before the next one is there: every part but the last is finished, and can be sealed.
 */
export class RunLog implements InboxLog {
  readonly path: string;
  readonly run: RunId;
  readonly folder: string;
  private readonly book: string;
  private readonly write: WriteSome;
  private readonly rollBytes: number;
  private fd: number;
  private current: string;
  private partNumber = 1;
  /** Events and quotes so far, and of the parts before this one. */
  private count = 0;
  private bytes = 0;
  private dayEnds = Number.POSITIVE_INFINITY;
  /** A part that could not be begun is tried again after the next flush. */
  private mayRoll = true;
  private lines = '';
  private unwritten: Uint8Array = new Uint8Array(0);
  private closed = false;

  private constructor(options: RunLogOptions) {
    const { dir, run, book, write = (fd, bytes, offset) => writeSync(fd, bytes, offset), rollBytes = ROLL_BYTES } = options;
    const folder = join(dir, run);
    this.run = run;
    this.folder = folder;
    this.book = book;
    this.path = logPath(dir, run);
    this.current = this.path;
    this.write = write;
    this.rollBytes = rollBytes;
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

  /** The part that is written now, counted from 1. */
  get part(): number {
    return this.partNumber;
  }

  append(event: NumberedEvent): void {
    if (event.at >= this.dayEnds || this.bytes + this.lines.length >= this.rollBytes) this.roll(event.at);
    if (this.dayEnds === Number.POSITIVE_INFINITY) this.dayEnds = dayEnd(event.at);
    this.add(eventLine(event));
  }

  conflated(at: Millis, quote: Quote): void {
    this.add(quoteLine(null, at, quote));
  }

  flush(): void {
    this.mayRoll = true;
    this.writeOut();
  }

  private writeOut(): void {
    // The number of its file is another file's by now, which may be the journal.
    if (this.closed) return;
    if (this.lines !== '') {
      this.unwritten = joined(this.unwritten, Buffer.from(this.lines));
      this.lines = '';
    }
    while (this.unwritten.length > 0) {
      const written = this.attempt();
      this.bytes += written;
      this.unwritten = this.unwritten.subarray(written);
    }
  }

  /** Writes what waits and closes the file. Idempotent. */
  close(): void {
    if (this.closed) return;
    try {
      this.flush();
    } finally {
      this.closed = true;
      closeSync(this.fd);
      removeMark(this.path);
    }
  }

  /** Goes on in the next part. Where the disk does not let it, the present part goes on. */
  private roll(at: Millis): void {
    if (!this.mayRoll) return;
    this.mayRoll = false;
    const part = this.partNumber + 1;
    const path = partLog(this.path, part);
    let fd: number;
    try {
      this.writeOut();
      fd = openSync(path, 'ax', 0o600);
    } catch {
      // What waits still waits: a disk that is full is told by the flush that follows, and nothing rests on where a part ends.
      return;
    }
    const finished = this.fd;
    this.fd = fd;
    this.current = path;
    this.partNumber = part;
    this.bytes = 0;
    this.dayEnds = dayEnd(at);
    this.lines = headerLine(this.run, this.book, { part, before: this.count });
    this.mayRoll = true;
    closeSync(finished);
  }

  private add(line: string): void {
    if (this.unwritten.length > STUCK_AT) throw this.fault('the disk refuses writes');
    this.lines += line;
    this.count += 1;
    if (this.lines.length >= FLUSH_AT) this.writeOut();
  }

  private attempt(): number {
    try {
      return this.write(this.fd, this.unwritten, 0);
    } catch (error) {
      throw this.fault(messageOf(error), error);
    }
  }

  private fault(why: string, cause?: unknown): KairosError {
    return new KairosError('RECORDING_FAULT', `recording ${this.current} could not be written (${why}): check the disk, then start again`, {
      cause,
    });
  }
}

/** Keeps nothing: for runs with `recording.enabled: false`. */
export class NullLog implements InboxLog {
  readonly part = 0;

  append(): void {}
  conflated(): void {}
  flush(): void {}
  close(): void {}
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.length === 0 ? b : Buffer.concat([a, b]);
}
