import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Quote } from '../domain/quote.ts';
import { quoteAt } from '../domain/quote-columns.ts';
import { recordedOf } from './log-format.ts';
import { sealedFolder } from './manifest.ts';
import { isRecorded } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';

/** How much of a log's end is looked at. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** The newest quote of each lane near the end of a log, also while it grows or sealed; none where there is no recording. */
export function lastQuotes(path: string): readonly Quote[] {
  if (!existsSync(path)) return isRecorded(path) ? lastSealed(new SealedRun(sealedFolder(path))) : [];
  const newest = new Map<string, Quote>();
  for (const line of lastLines(path)) {
    const quote = quoteIn(line);
    if (quote) newest.set(quote.lane, quote);
  }
  return [...newest.values()];
}

function lastSealed(run: SealedRun): readonly Quote[] {
  return run.newest().map((file) => {
    const columns = run.quotes(file);
    return quoteAt(columns, columns.length - 1);
  });
}

function quoteIn(line: string): Quote | undefined {
  if (!line.startsWith('["q",')) return undefined;
  try {
    const item = recordedOf(line);
    if (item.kind === 'conflated') return item.quote;
    return item.event.event.kind === 'quote' ? item.event.event.quote : undefined;
  } catch {
    // The line at the very end may be half written; an older one of the lane does as well.
    return undefined;
  }
}

/** Whole lines of a file's end; the one that the window cuts is left out. */
function lastLines(path: string): readonly string[] {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - from);
    const length = readSync(fd, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return from === 0 ? lines : lines.slice(1);
  } finally {
    closeSync(fd);
  }
}
