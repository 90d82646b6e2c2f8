import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { KairosError, messageOf } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { DAY_MS, dayOf } from '#domain/utc-day.ts';
import { renameDurably, syncFolder, writeDurably } from './durable.ts';
import { eventFile, type PlacedEvent } from './event-file.ts';
import { LaneColumns } from './log-columns.ts';
import { lineOf } from './log-format.ts';
import {
  EVENTS_FILE,
  hashOf,
  isSealed,
  type Manifest,
  readManifest,
  SEALED_FORMAT,
  type SealedFile,
  type SealedQuotes,
  sealedFolder,
  writeManifest,
} from './manifest.ts';
import { partsOf } from './parts.ts';
import { quoteFile } from './quote-file.ts';
import { RunLogReader } from './reader.ts';
import { SealedRun } from './sealed-run.ts';
import { isBeingWritten, removeLeft, removeMark } from './writing-mark.ts';

interface SealResult {
  readonly run: string;
  readonly part: number;
  readonly lines: number;
  /** Bytes of the log, and of what it became. */
  readonly from: number;
  readonly to: number;
}

/** Told before each step that a power cut could fall on; for tests. */
type OnStep = (step: string) => void;

/**
 * Seals the parts of the recording whose first log is at `path`, all but the one that is still being written, telling of
 * each. Throws as `sealLog`; the parts after it stay as they are then.
 */
export function* sealRun(path: string, now: Millis, onStep?: OnStep): Generator<SealResult, void> {
  const isOpen = isBeingWritten(path, now);
  // Listed after that: a part that is not the last one of these is finished, whoever writes.
  const places = partsOf(path);
  for (const { log } of isOpen ? places.slice(0, -1) : places) {
    const sealed = sealLog(log, onStep);
    if (sealed) yield sealed;
  }
  if (!isOpen) removeMark(path);
}

/**
 * Seals the log of one part at `path` into Parquet beside it and removes the log, once what was written has been read back and found
 * equal. Whatever it is interrupted at, log or sealed form is whole, and the next call goes on. Undefined where nothing
 * was left to do. Throws RECORDING_UNREADABLE for a log that cannot be read, RECORDING_FAULT where the disk refuses; the
 * log stays then.
 */
export function sealLog(path: string, onStep: OnStep = () => {}): SealResult | undefined {
  const folder = sealedFolder(path);
  if (!existsSync(path)) return undefined;
  const { size } = statSync(path);
  try {
    if (!isSealed(folder) || readManifest(folder).sourceBytes !== size) seal(path, size, onStep);
    onStep('remove the log');
    rmSync(path);
    syncFolder(dirname(path));
    const sealed = new SealedRun(folder);
    const { run, part, lines } = sealed.manifest;
    return { run, part, lines, from: size, to: sealed.bytes };
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('RECORDING_FAULT', `recording ${path} could not be sealed (${messageOf(error)}): check the disk`, {
      cause: error,
    });
  }
}

function seal(path: string, size: number, onStep: OnStep): void {
  const folder = sealedFolder(path);
  const work = workFolder(dirname(path));
  onStep('begin');
  mkdirSync(work, { mode: 0o700 });
  const log = new RunLogReader(path);
  const { run, book, part, before } = log.header;
  const writer = new SealWriter(work, { onStep, before });
  for (const item of log.items()) {
    const at = item.kind === 'conflated' ? item.at : item.event.at;
    writer.place(at);
    if (!writer.lanes.add(writer.line, item) && item.kind === 'event') writer.events.push({ line: writer.line, event: item.event });
  }
  writer.finish({ run, book, part, torn: log.torn, sourceBytes: size });
  compare(log, new SealedRun(work));
  onStep('take its place');
  if (isSealed(folder) && readManifest(folder).sourceBytes === size) {
    // Somebody else has sealed it meanwhile.
    rmSync(work, { recursive: true });
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  renameDurably(work, folder);
}

/** A name that no other process or thread seals into; what dead ones have left is removed. */
function workFolder(dir: string): string {
  const own = `sealing-${process.pid}-${threadId}`;
  removeLeft(dir, { own, named: /^sealing-(\d+)-\d+$/ });
  return join(dir, own);
}

/** Writes a sealed part of a recording into a folder, a UTC day at a time. */
export class SealWriter {
  lanes = new LaneColumns();
  readonly events: PlacedEvent[] = [];
  private readonly folder: string;
  private readonly onStep: OnStep;
  private readonly written: SealedQuotes[] = [];
  private readonly before: number;
  private count: number;
  private day = -1;

  /** `before` is how many events and quotes the parts before this one have. */
  constructor(folder: string, { onStep = () => {}, before = 0 }: { readonly onStep?: OnStep; readonly before?: number } = {}) {
    this.folder = folder;
    this.onStep = onStep;
    this.before = before;
    this.count = before;
  }

  /** Place of the item that is taken now. */
  get line(): number {
    return this.count;
  }

  /** Goes on to the next item, which came at `at`; days never go back. */
  place(at: Millis): void {
    const day = dayOf(at);
    if (day > this.day) {
      this.flush();
      this.day = day;
    }
    this.count += 1;
  }

  /** Files of quotes so far. */
  get quotes(): readonly SealedQuotes[] {
    return this.written;
  }

  /** Writes columns of a day, whose derived figures all follow, in place of going on item by item. */
  writeAll(columns: QuoteColumns, day: string): void {
    this.count += columns.length;
    this.write(columns, day, quoteFile(columns, 'follows'));
  }

  private write(columns: QuoteColumns, day: string, bytes: Uint8Array): void {
    const name = `${columns.lane}-${day}`
      .replace(/[^A-Za-z0-9.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 100);
    const taken = new Set(this.written.map(({ file }) => file));
    let file = `quotes-${name}.parquet`;
    for (let other = 2; taken.has(file); other += 1) file = `quotes-${name}-${other}.parquet`;
    const last = columns.length - 1;
    const { line, at, lane, product, baseCcy, quoteCcy, length } = columns;
    this.written.push({
      ...this.store(file, bytes, length),
      lane,
      product,
      baseCcy,
      quoteCcy,
      day,
      lastLine: figureAt(line, last),
      from: at[0] ?? 0,
      to: figureAt(at, last),
    });
  }

  /** Writes what waits, and what there is at last. */
  finish(from: Pick<Manifest, 'run' | 'book' | 'part' | 'torn' | 'sourceBytes' | 'imported'>): void {
    this.flush();
    const { events, written: quotes, count, before } = this;
    const manifest: Manifest = {
      kairos: 'recording',
      format: SEALED_FORMAT,
      ...from,
      before,
      lines: count - before,
      events: events.length === 0 ? null : this.store(EVENTS_FILE, eventFile(events), events.length),
      quotes,
      removedBefore: null,
    };
    this.onStep('manifest');
    writeManifest(this.folder, manifest);
  }

  private flush(): void {
    const day = isoTime(Math.max(0, this.day) * DAY_MS).slice(0, 10);
    for (const columns of this.lanes.columns()) this.write(columns, day, quoteFile(columns, 'compared'));
    this.lanes = new LaneColumns();
  }

  private store(file: string, bytes: Uint8Array, rows: number): SealedFile {
    this.onStep(file);
    writeDurably(join(this.folder, file), bytes);
    return { file, rows, bytes: bytes.length, sha256: hashOf(bytes) };
  }
}

/** Throws RECORDING_FAULT unless both recordings hold the same. */
function compare(log: RunLogReader, sealed: SealedRun): void {
  const back = sealed.items();
  let line = 1;
  for (const item of log.items()) {
    line += 1;
    const next = back.next();
    if (next.done || lineOf(item) !== lineOf(next.value)) throw unequal(log.path, line);
  }
  if (!back.next().done) throw unequal(log.path, line + 1);
}

function unequal(path: string, line: number): KairosError {
  return new KairosError('RECORDING_FAULT', `${path}:${line}: the sealed files do not read back equal; the log is kept`);
}
