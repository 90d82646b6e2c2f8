import { existsSync } from 'node:fs';
import { KairosError } from '../domain/errors.ts';
import type { Millis } from '../domain/names.ts';
import type { Quote } from '../domain/quote.ts';
import { quoteAt } from '../domain/quote-columns.ts';
import { recordingsIn } from './catalog.ts';
import { recordedOf } from './log-format.ts';
import { logTail } from './log-tail.ts';
import { openRun, type RunPart } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';

/** A quote that strategies were given, and when. */
export interface PastQuote {
  readonly at: Millis;
  readonly quote: Quote;
}

/** How many recordings are looked into, newest first, and how much of the end of each log. */
const RECORDINGS = 5;
const TAIL_BYTES = 32 * 1024 * 1024;

/**
 * The newest recorded quotes of lanes that strategies were given, oldest first: of each lane up to as many as are wanted,
 * over the last recordings of one book, since the quotes of another service or of the paper venue are no past of this one.
 * None where there is no folder; recordings that cannot be read are passed over.
 */
export function newestQuotes(
  { dir, book }: { readonly dir: string; readonly book: string },
  wanted: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly PastQuote[]> {
  const found = new Map<string, readonly PastQuote[]>();
  if (wanted.size === 0 || !existsSync(dir)) return found;
  for (const path of recordingsIn(dir).slice(-RECORDINGS).reverse()) {
    const missing = new Map([...wanted].filter(([lane, count]) => (found.get(lane)?.length ?? 0) < count));
    if (missing.size === 0) break;
    addOlder(found, inRecording(path, book, missing), wanted);
  }
  return found;
}

/** Puts older quotes before those that were found; false once there are as many of every lane as are wanted. */
function addOlder(
  found: Map<string, readonly PastQuote[]>,
  older: ReadonlyMap<string, readonly PastQuote[]>,
  wanted: ReadonlyMap<string, number>,
): boolean {
  for (const [lane, quotes] of older) found.set(lane, [...quotes, ...(found.get(lane) ?? [])].slice(-(wanted.get(lane) ?? 0)));
  return [...wanted].some(([lane, count]) => (found.get(lane)?.length ?? 0) < count);
}

const inPart = (part: RunPart, wanted: ReadonlyMap<string, number>): ReadonlyMap<string, readonly PastQuote[]> =>
  part instanceof SealedRun ? inSealed(part, wanted) : inLog(part.path, wanted);

function inRecording(path: string, book: string, wanted: ReadonlyMap<string, number>): ReadonlyMap<string, readonly PastQuote[]> {
  try {
    const run = openRun(path);
    if (run.header.book !== book) return new Map();
    const found = new Map<string, readonly PastQuote[]>();
    for (const part of [...run.parts()].reverse()) if (!addOlder(found, inPart(part, wanted), wanted)) break;
    return found;
  } catch (error) {
    // A recording that cannot be read must not keep a run from starting: the signals wait instead.
    if (error instanceof KairosError) return new Map();
    throw error;
  }
}

function inLog(path: string, wanted: ReadonlyMap<string, number>): ReadonlyMap<string, readonly PastQuote[]> {
  const marks = [...wanted.keys()].map((lane) => [lane, `,${JSON.stringify(lane)},`] as const);
  const found = new Map<string, PastQuote[]>();
  const lines = logTail(path, TAIL_BYTES);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const lane = line.startsWith('["q",') ? marks.find(([, mark]) => line.includes(mark))?.[0] : undefined;
    const before = lane === undefined ? undefined : (found.get(lane) ?? []);
    if (lane === undefined || !before || before.length >= (wanted.get(lane) ?? 0)) continue;
    const past = pastIn(line);
    if (past) found.set(lane, [...before, past]);
  }
  return new Map([...found].map(([lane, newestFirst]) => [lane, newestFirst.reverse()]));
}

function pastIn(line: string): PastQuote | undefined {
  try {
    const item = recordedOf(line);
    return item.kind === 'event' && item.event.event.kind === 'quote' ? { at: item.event.at, quote: item.event.event.quote } : undefined;
  } catch {
    // The line at the very end may be half written, as a kill leaves it; those before it are whole.
    return undefined;
  }
}

function inSealed(run: SealedRun, wanted: ReadonlyMap<string, number>): ReadonlyMap<string, readonly PastQuote[]> {
  const found = new Map<string, readonly PastQuote[]>();
  for (const file of run.newest()) {
    const count = wanted.get(file.lane);
    if (count === undefined) continue;
    const columns = run.quotes(file);
    const quotes: PastQuote[] = [];
    for (let at = columns.length - 1; at >= 0 && quotes.length < count; at -= 1) {
      if (!Number.isNaN(columns.n[at])) quotes.push({ at: columns.at[at] ?? 0, quote: quoteAt(columns, at) });
    }
    found.set(file.lane, quotes.reverse());
  }
  return found;
}
