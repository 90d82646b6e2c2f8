import { KairosError } from '#domain/errors.ts';
import { openRun } from './open-run.ts';
import { SealedRun } from './sealed-run.ts';

/** What is wrong with a recording; `faults` empty where nothing is. */
interface RunVerdict {
  readonly run: string;
  readonly path: string;
  /** All of it. */
  readonly sealed: boolean;
  /** Events and quotes that were read. */
  readonly lines: number;
  readonly faults: readonly string[];
}

/** Kinds of a recording's first event: a run's start, or a list of products if nothing was traded. */
const BEGINS: ReadonlySet<string> = new Set(['start', 'products']);

/** Maximum number of faults of one recording that are listed. */
const MAX_FAULTS = 20;

/** Reads a recording from end to end: hashes, numbers that are missing, a tail that was cut off, days that were removed. Tells the share that was read. */
export function verifyRun(path: string, onShare: (share: number) => void = () => {}): RunVerdict {
  const faults: string[] = [];
  let lines = 0;
  let name = '';
  let sealed = false;
  try {
    const run = openRun(path);
    name = run.header.run;
    const parts = run.parts();
    const sealedParts = parts.filter((part) => part instanceof SealedRun);
    sealed = sealedParts.length === parts.length;
    faults.push(...sealedParts.flatMap(sealedFaults));
    const removedBefore = sealedParts.map(({ manifest }) => manifest.removedBefore ?? '').reduce((a, b) => (a > b ? a : b), '');
    const removed = removedBefore !== '';
    if (removed) faults.push(`quotes before ${removedBefore} were removed by recording.keepDays`);
    let expected: number | undefined;
    for (const item of run.itemsTold(onShare)) {
      lines += 1;
      if (item.kind === 'conflated') continue;
      const { n, event } = item.event;
      if (expected === undefined && !BEGINS.has(event.kind) && !removed) faults.push(`it begins with event ${n}, not with its start`);
      if (expected !== undefined && n !== expected && !removed) faults.push(gap(expected, n));
      expected = n + 1;
    }
    if (run.torn) faults.push(`its last line, ${run.torn.line}, was cut off after ${run.torn.bytes} bytes`);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    // The sums have said so already.
    if (!faults.includes(error.message)) faults.push(error.message);
  }
  const more = faults.length - MAX_FAULTS;
  return { run: name, path, sealed, lines, faults: more > 0 ? [...faults.slice(0, MAX_FAULTS), `and ${more} faults more`] : faults };
}

function sealedFaults(run: SealedRun): readonly string[] {
  const { events, quotes } = run.manifest;
  return [...(events ? [events] : []), ...quotes].flatMap((file) => run.fault(file) ?? []);
}

function gap(expected: number, n: number): string {
  if (n < expected) return `event ${n} is in the place of event ${expected}`;
  return n === expected + 1 ? `event ${expected} is missing` : `events ${expected} to ${n - 1} are missing`;
}
