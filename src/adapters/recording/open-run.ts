import { existsSync, statSync } from 'node:fs';
import { KairosError } from '#domain/errors.ts';
import type { NumberedEvent } from '#domain/event.ts';
import type { LogEntry, LogHeader } from './log-format.ts';
import { isSealed, readManifest } from './manifest.ts';
import { type PartPlace, partsOf } from './parts.ts';
import { RunLogReader, type TornLine } from './reader.ts';
import { SealedRun } from './sealed-run.ts';

/** What a quote takes in a log, on average. */
const LOG_BYTES_AN_ITEM = 240;
const TELL_EACH = 5_000;

/** A part of a recording, as its log or sealed. */
export type RunPart = RunLogReader | SealedRun;

/** The recording of a run, in logs or sealed: the same items either way. */
export interface RunReader {
  readonly path: string;
  readonly header: LogHeader;
  /** What was cut off at the end of a part; of a log known once `items` has come to its end. */
  readonly torn: TornLine | null;
  items(): Generator<LogEntry, void>;
}

/** A recording with all its parts, read as one in their order. Parts may be sealed while it is read. */
export class RecordedRun implements RunReader {
  readonly path: string;
  readonly header: LogHeader;
  private readonly places: readonly PartPlace[];
  private tornLine: TornLine | null = null;

  constructor(path: string) {
    this.path = path;
    this.places = partsOf(path);
    const [first] = this.places;
    this.header = (first ? openPart(first) : new RunLogReader(path)).header;
  }

  get torn(): TornLine | null {
    return this.tornLine;
  }

  /** The parts, each as it lies there now. */
  parts(): readonly RunPart[] {
    return this.places.map(openPart);
  }

  /** About how many items there are: exact where all is sealed, by the size of the logs where not. */
  get expected(): number {
    const counts = this.places.map(({ log, folder, isInLog }) =>
      isInLog ? statSync(log).size / LOG_BYTES_AN_ITEM : readManifest(folder).lines,
    );
    return Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  /** As `items`, telling now and then which share was read. */
  *itemsTold(onShare: (share: number) => void, onPart?: (part: RunPart) => void): Generator<LogEntry, void> {
    const { expected } = this;
    let read = 0;
    for (const item of this.items(onPart)) {
      read += 1;
      if (read % TELL_EACH === 0) onShare(Math.min(1, read / expected));
      yield item;
    }
  }

  /** All that is no quote, in its order: of what is sealed no quotes are read. */
  *events(): Generator<NumberedEvent, void> {
    for (const part of this.parts()) {
      if (part instanceof SealedRun) for (const { event } of part.events()) yield event;
      else for (const item of part.items()) if (item.kind === 'event' && item.event.event.kind !== 'quote') yield item.event;
    }
  }

  /** `onPart` is told each part before its items. */
  *items(onPart: (part: RunPart) => void = () => {}): Generator<LogEntry, void> {
    this.tornLine = null;
    for (const place of this.places) {
      const part = openPart(place);
      onPart(part);
      yield* part.items();
      this.tornLine ??= part.torn;
    }
  }
}

/** Opens the recording whose first log is, or was, at `path`. Throws RECORDING_UNREADABLE. */
export function openRun(path: string): RecordedRun {
  return new RecordedRun(path);
}

/** Whether there is a recording whose first log is, or was, at `path`. */
export function isRecorded(path: string): boolean {
  return partsOf(path).length > 0;
}

/** Bytes that the logs of a recording have, or had before they were sealed. Throws RECORDING_UNREADABLE. */
export function logBytes(path: string): number {
  const sizes = partsOf(path).map(({ log, folder, isInLog }) => (isInLog ? statSync(log).size : readManifest(folder).sourceBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The log is the whole truth as long as it is there; it goes only once its sealed form is in place. */
function openPart({ log, folder }: PartPlace): RunPart {
  if (existsSync(log)) {
    try {
      return new RunLogReader(log);
    } catch (error) {
      if (!(error instanceof KairosError) || existsSync(log) || !isSealed(folder)) throw error;
    }
  }
  return isSealed(folder) ? new SealedRun(folder) : new RunLogReader(log);
}
