import { closeSync, openSync, readSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';
import { formatFault, headerOf, LOG_FORMAT, type LogEntry, type LogHeader, recordedOf } from './log-format.ts';

const CHUNK_BYTES = 256 * 1024;
/** How logs are named. */
const LOG_NAME = /inbox[^/\\]*\.ndjson$/;
const NO_LOG = 'it is not the first line of an inbox log';
const NEWLINE = 0x0a;

/** A last line that was cut off, as a power cut may leave it. */
export interface TornLine {
  readonly line: number;
  readonly bytes: number;
}

/**
 * Reads one part of the inbox log of a run from beginning to end, a chunk at a time. A last line that was cut off is left out and
 * reported in `torn`; any other line that cannot be read throws RECORDING_UNREADABLE, naming it.
 */
export class RunLogReader {
  readonly path: string;
  readonly header: LogHeader;
  private tornLine: TornLine | null = null;

  constructor(path: string) {
    this.path = path;
    this.header = this.readHeader();
  }

  /** What was cut off at the end; null before `items` has come to its end, and when nothing was. */
  get torn(): TornLine | null {
    return this.tornLine;
  }

  /** Everything in this part, in the order it was written. */
  *items(): Generator<LogEntry, void> {
    this.tornLine = null;
    for (const { text, line, whole } of this.lines()) {
      if (line === 1) continue;
      let item: LogEntry;
      try {
        item = recordedOf(text);
      } catch (error) {
        if (whole) throw this.unreadable(line, messageOf(error));
        this.tornLine = { line, bytes: Buffer.byteLength(text) };
        return;
      }
      yield item;
    }
  }

  private readHeader(): LogHeader {
    for (const { text } of this.lines()) {
      let header: LogHeader | undefined;
      try {
        header = headerOf(text);
      } catch (error) {
        throw this.noLog({ cause: error });
      }
      if (!header) throw this.noLog({});
      if (header.format !== LOG_FORMAT) {
        throw new KairosError('RECORDING_FORMAT', `${this.path}: ${formatFault(header.format, LOG_FORMAT)}`);
      }
      return header;
    }
    throw this.unreadable(1, 'the file is empty');
  }

  private *lines(): Generator<{ text: string; line: number; whole: boolean }, void> {
    const fd = this.open();
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      /** A line that goes on, in pieces: put together once, however long it is. */
      let rest: Buffer[] = [];
      let line = 0;
      for (;;) {
        const length = readSync(fd, chunk, 0, CHUNK_BYTES, null);
        if (length === 0) break;
        // Copied: a line that goes on in the next chunk must outlive this one.
        rest.push(Buffer.from(chunk.subarray(0, length)));
        if (!rest.at(-1)?.includes(NEWLINE)) continue;
        const bytes = Buffer.concat(rest);
        let from = 0;
        for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
          line += 1;
          yield { text: bytes.toString('utf8', from, to), line, whole: true };
          from = to + 1;
        }
        rest = [bytes.subarray(from)];
      }
      const last = Buffer.concat(rest);
      if (last.length > 0) yield { text: last.toString('utf8'), line: line + 1, whole: false };
    } finally {
      closeSync(fd);
    }
  }

  private open(): number {
    try {
      return openSync(this.path, 'r');
    } catch (error) {
      throw new KairosError('RECORDING_UNREADABLE', `recording ${this.path} cannot be opened (${messageOf(error)})`, { cause: error });
    }
  }

  /** A log is named as Kairos names it; any other file is most likely somebody's prices. */
  private noLog(options: ErrorOptions): KairosError {
    if (LOG_NAME.test(this.path)) return this.unreadable(1, NO_LOG, options);
    const what = 'it is not a recording of Kairos; convert prices of other sources with';
    return new KairosError('RECORDING_UNREADABLE', `${this.path}: ${what} \`kairos data import ${this.path} --product CODE\``, options);
  }

  private unreadable(line: number, why: string, options: ErrorOptions = {}): KairosError {
    return new KairosError('RECORDING_UNREADABLE', `${this.path}:${line}: ${why}; restore the log from a copy`, options);
  }
}
