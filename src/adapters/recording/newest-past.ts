import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { KairosError } from '#domain/errors.ts';
import type { NumberedEvent, PastValue } from '#domain/event.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { recordingsIn } from './catalog.ts';
import { recordedOf } from './log-format.ts';
import { linesBack } from './log-tail.ts';
import { isRecorded, openRun } from './open-run.ts';
import { logPath } from './run-log.ts';
import { SealedRun } from './sealed-run.ts';

/** Where what strategies were given is recorded. */
export interface RecordedPlace {
  readonly dir: string;
  readonly book: string;
  /** Hears of broken lines, a line for each file. */
  readonly tell?: (line: string) => void;
}

/** How far back something is wanted: as far as all three say. */
export interface PastRange {
  /** So many values. */
  readonly count: number;
  /** To so long before the newest. */
  readonly spanMs: Millis;
  /** To the last one at or before this; Infinity: to any. */
  readonly since: Millis;
}

/** What strategies were given, and its place in its run. */
export interface PlacedPast {
  readonly n: number;
  readonly value: PastValue;
}

/** After so many recordings in a row without anything that is wanted, none before them is read, nor more of the end of a log than this. */
const FRUITLESS = 5;
const TAIL_BYTES = 32 * 1024 * 1024;
/**
 * No more than this of each is given because of time alone: a recording begins with all that its signals warmed up on, in one line of half a
 * kilobyte a quote.
 */
const MAX_OF_A_SPAN = 50_000;

/**
 * The newest that strategies were given, by the lane or subscription that it came from, oldest first: each as far back as is
 * wanted, over the recordings of one book, since the quotes of another service or of the paper venue are no past of this
 * one. None where there is no folder; recordings that cannot be read are passed over. Throws RECORDING_DAMAGED for a file that is
 * not what was sealed: signals would be warmed up with other quotes than those that came.
 */
export function newestPast(
  { dir, book, tell }: RecordedPlace,
  wanted: ReadonlyMap<string, PastRange>,
): ReadonlyMap<string, readonly PlacedPast[]> {
  const found = new NewestPast(wanted, tell);
  if (!found.isComplete && existsSync(dir)) {
    let fruitless = 0;
    for (const path of recordingsIn(dir).toReversed()) {
      if (found.isComplete || fruitless === FRUITLESS) break;
      const before = found.count;
      if (readBack(path, book, found)) fruitless = found.count > before ? 0 : fruitless + 1;
    }
  }
  return found.oldestFirst();
}

/** Gathers what is wanted of the past, told from the newest on. */
export class NewestPast {
  private readonly wanted: ReadonlyMap<string, PastRange>;
  private readonly newestFirst = new Map<string, PlacedPast[]>();
  private readonly open: Set<string>;
  /** How much of it is found. */
  count = 0;
  readonly tell: (line: string) => void;

  constructor(wanted: ReadonlyMap<string, PastRange>, tell: (line: string) => void = () => {}) {
    this.wanted = wanted;
    this.tell = tell;
    this.open = new Set(wanted.keys());
  }

  /** What is not found as far back as is wanted. */
  get missing(): ReadonlySet<string> {
    return this.open;
  }

  get isComplete(): boolean {
    return this.open.size === 0;
  }

  /** Adds what came before all that was added of the source. */
  add(source: string, n: number, value: PastValue): void {
    const wanted = this.wanted.get(source);
    if (!wanted) return;
    const { count, spanMs, since } = wanted;
    const list = this.newestFirst.get(source) ?? [];
    this.newestFirst.set(source, list);
    list.push({ n, value });
    this.count += 1;
    const until = Math.min(since, (list[0]?.value.at ?? value.at) - spanMs);
    if (list.length >= count && (value.at <= until || list.length >= MAX_OF_A_SPAN)) this.open.delete(source);
  }

  oldestFirst(): ReadonlyMap<string, readonly PlacedPast[]> {
    return new Map([...this.newestFirst].map(([source, list]) => [source, list.toReversed()]));
  }
}

/** True where a folder of another name than its run stands beside that of the run. */
const isCopy = (log: string, run: string): boolean => basename(dirname(log)) !== run && isRecorded(logPath(dirname(dirname(log)), run));

/** False where the recording is of another book, or a copy of one beside it. */
function readBack(path: string, book: string, found: NewestPast): boolean {
  try {
    const run = openRun(path);
    if (run.header.book !== book || isCopy(path, run.header.run)) return false;
    for (const part of [...run.parts()].reverse()) {
      if (found.isComplete) break;
      if (part instanceof SealedRun) readSealed(part, found);
      else readLog(part.path, found);
    }
  } catch (error) {
    // A recording that cannot be read must not keep a run from starting: the signals wait instead.
    if (!(error instanceof KairosError) || error.code === 'RECORDING_DAMAGED') throw error;
  }
  return true;
}

function readLog(path: string, found: NewestPast): void {
  const marks = [...found.missing].map((source) => {
    const name = JSON.stringify(source);
    return { source, quote: `,${name},`, shown: `"event":{"kind":"shown","source":${name},` };
  });
  let isEnd = true;
  let broken = 0;
  for (const line of linesBack(path, TAIL_BYTES)) {
    if (found.isComplete) break;
    const isQuote = line.startsWith('["q",');
    const source = marks.find(({ quote, shown }) => line.includes(isQuote ? quote : shown))?.source;
    try {
      if (source !== undefined && found.missing.has(source)) addEvent(found, source, eventIn(line));
      else if (!isEnd && !looksWhole(line)) broken += 1;
    } catch {
      // The line at the very end may be half written, as a kill leaves it.
      if (!isEnd) broken += 1;
    }
    isEnd = false;
  }
  if (broken > 0) found.tell(`${path}: broken lines (${broken}), on which no signal warms up: see \`kairos data verify\``);
}

const looksWhole = (line: string): boolean => /^[[{]/.test(line) && /[\]}]$/.test(line.slice(-1));

function eventIn(line: string): NumberedEvent | undefined {
  const item = recordedOf(line);
  return item.kind === 'event' ? item.event : undefined;
}

function addEvent(found: NewestPast, source: string, numbered: NumberedEvent | undefined): void {
  if (!numbered) return;
  const { n, at, event } = numbered;
  if (event.kind === 'quote') found.add(source, n, { at, quote: event.quote });
  if (event.kind === 'shown') found.add(source, n, { at, source: event.source, shown: event.shown });
}

function readSealed(run: SealedRun, found: NewestPast): void {
  const lanes = new Set<string>();
  for (const file of run.manifest.quotes.toReversed()) {
    lanes.add(file.lane);
    if (!found.missing.has(file.lane)) continue;
    const columns = run.quotes(file);
    for (let row = columns.length - 1; row >= 0 && found.missing.has(file.lane); row -= 1) {
      const n = figureAt(columns.n, row);
      if (!Number.isNaN(n)) found.add(file.lane, n, { at: figureAt(columns.at, row), quote: quoteAt(columns, row) });
    }
  }
  if ([...found.missing].every((source) => lanes.has(source))) return;
  for (const { event } of run.events().toReversed()) {
    if (event.event.kind === 'shown' && found.missing.has(event.event.source)) addEvent(found, event.event.source, event);
  }
}

/** A quote that strategies were given, and when. */
interface PastQuote {
  readonly at: Millis;
  readonly quote: Quote;
}

/** The newest recorded quotes of lanes that strategies were given, oldest first: of each lane up to as many as are wanted. */
export function newestQuotes(
  where: { readonly dir: string; readonly book: string },
  wanted: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly PastQuote[]> {
  const counts = [...wanted].map(([lane, count]) => [lane, { count, spanMs: 0, since: Number.POSITIVE_INFINITY }] as const);
  const found = newestPast(where, new Map(counts));
  return new Map([...found].map(([lane, list]) => [lane, list.flatMap(({ value }) => ('quote' in value ? [value] : []))]));
}
