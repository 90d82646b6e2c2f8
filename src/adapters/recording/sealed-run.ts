import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { quotesOf } from '#domain/quote-columns.ts';
import { ColumnsCache } from './columns-cache.ts';
import { eventsIn, type PlacedEvent } from './event-file.ts';
import { LOG_FORMAT, type LogEntry, type LogHeader } from './log-format.ts';
import { CHANGED, hashOf, type Manifest, notAsSealed, readManifest, type SealedFile, type SealedQuotes } from './manifest.ts';
import { openQuotes, quotesIn } from './quote-file.ts';
import type { TornLine } from './reader.ts';

/**
 * A sealed part of a recording. `items` gives the same events and quotes in the same order as the log that was sealed. Every reading
 * holds a file against its sum first. Throws RECORDING_DAMAGED or RECORDING_UNREADABLE, naming the file.
 */
export class SealedRun {
  readonly path: string;
  readonly manifest: Manifest;
  readonly header: LogHeader;

  constructor(folder: string) {
    this.path = folder;
    this.manifest = readManifest(folder);
    const { run, book, part, before } = this.manifest;
    this.header = { kairos: 'inbox', format: LOG_FORMAT, run, book, part, before };
  }

  get torn(): TornLine | null {
    return this.manifest.torn;
  }

  /** Bytes of all its files. */
  get bytes(): number {
    const { events, quotes } = this.manifest;
    return quotes.reduce((sum, { bytes }) => sum + bytes, events?.bytes ?? 0);
  }

  /** Everything recorded, in the order it was written, a UTC day in memory at a time. Removed days are passed over. */
  *items(): Generator<LogEntry, void> {
    const { manifest } = this;
    const events = this.events();
    let event = 0;
    let before = manifest.before;
    for (const day of this.days()) {
      const lanes = day.map((file) => this.quotes(file));
      const last = day.reduce((most, { lastLine }) => Math.max(most, lastLine), 0);
      let until = event;
      while (until < events.length && (events[until]?.line ?? 0) <= last) until += 1;
      // Days that were removed leave a hole: only what stands at or behind the first quote is put in order by place.
      const first = lanes.reduce((least, { line }) => Math.min(least, line[0] ?? least), last);
      for (let placed = events[event]; event < until && placed && placed.line < first; placed = events[event]) {
        event += 1;
        yield { kind: 'event', event: placed.event };
      }
      before = Math.max(before, first - 1);
      yield* merged(lanes, events.slice(event, until), { before, last });
      event = until;
      before = last;
    }
    for (const { event: rest } of events.slice(event)) yield { kind: 'event', event: rest };
  }

  /** All that is no quote, in the order it was written. */
  events(): readonly PlacedEvent[] {
    const { events } = this.manifest;
    return events === null ? [] : this.read(events, (bytes) => eventsIn(bytes, events.rows));
  }

  quotes(file: SealedQuotes): QuoteColumns {
    return this.read(file, (bytes) => quotesIn(bytes, file.rows));
  }

  /** Writes the quotes of one file into columns of as many rows, from the cache of raw columns where it has them. */
  fill(file: SealedQuotes, target: QuoteColumns): ReadonlyMap<number, string> {
    const cache = new ColumnsCache(this.path, file);
    if (cache.read(target)) return new Map();
    const oddIds = this.read(file, (bytes) => openQuotes(bytes, file.rows).fill(target));
    if (oddIds.size === 0) cache.write(target);
    return oddIds;
  }

  /** The newest quotes of each lane: one file a lane. */
  newest(): readonly SealedQuotes[] {
    const lanes = new Map<string, SealedQuotes>();
    for (const file of this.manifest.quotes) lanes.set(`${file.product} ${file.lane}`, file);
    return [...lanes.values()];
  }

  /** Why a file is not what was sealed; undefined where it is. */
  fault(file: SealedFile): string | undefined {
    try {
      this.bytesOf(file);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  private days(): readonly (readonly SealedQuotes[])[] {
    const days = new Map<string, SealedQuotes[]>();
    for (const file of this.manifest.quotes) days.set(file.day, [...(days.get(file.day) ?? []), file]);
    return [...days.keys()].sort().map((day) => days.get(day) ?? []);
  }

  private read<T>(file: SealedFile, decode: (bytes: Uint8Array<ArrayBuffer>) => T): T {
    const bytes = this.bytesOf(file);
    try {
      return decode(bytes);
    } catch (error) {
      const path = join(this.path, file.file);
      throw new KairosError('RECORDING_UNREADABLE', `${path}: ${messageOf(error)}; restore the folder from a copy`, { cause: error });
    }
  }

  /** What was sealed. A sum costs a tenth of what decoding does, so that nothing is remembered of earlier readings. */
  private bytesOf({ file, bytes, sha256 }: SealedFile): Uint8Array<ArrayBuffer> {
    const path = join(this.path, file);
    let content: Uint8Array<ArrayBuffer>;
    try {
      content = readFileSync(path);
    } catch (error) {
      throw notAsSealed(path, `cannot be read (${messageOf(error)})`);
    }
    if (content.length !== bytes) throw notAsSealed(path, `has ${content.length} of ${bytes} bytes`);
    if (hashOf(content) !== sha256) throw notAsSealed(path, CHANGED);
    return content;
  }
}

/** Quotes and events of one day by their place; places count every line of the recording, so that no search is needed. */
function* merged(
  lanes: readonly QuoteColumns[],
  events: readonly PlacedEvent[],
  { before, last }: { readonly before: number; readonly last: number },
): Generator<LogEntry, void> {
  /** Which lane has the line, counted from 1. */
  const owner = new Int32Array(Math.max(0, last - before) + 1);
  for (const [index, { line }] of lanes.entries()) for (const place of line) owner[place - before] = index + 1;
  const readers = lanes.map((lane) => ({ lane, next: 0, quote: quotesOf(lane) }));
  let event = 0;
  for (let place = before + 1; place <= last; place += 1) {
    const reader = readers[codeAt(owner, place - before) - 1];
    if (reader) {
      const { lane, next } = reader;
      reader.next += 1;
      const quote = reader.quote(next);
      const n = figureAt(lane.n, next);
      const at = figureAt(lane.at, next);
      yield Number.isNaN(n) ? { kind: 'conflated', at, quote } : { kind: 'event', event: { n, at, event: { kind: 'quote', quote } } };
      continue;
    }
    const placed = events[event];
    if (placed?.line !== place) continue;
    event += 1;
    yield { kind: 'event', event: placed.event };
  }
}
