import { KairosError } from '#domain/errors.ts';
import type { LogEntry } from './log-format.ts';
import { openRun, type RunPart } from './open-run.ts';
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
    if (removedBefore !== '') faults.push(`quotes before ${removedBefore} were removed by recording.keepDays`);
    const order = new Order();
    for (const item of run.itemsTold(onShare, (part) => faults.push(...order.begin(part)))) {
      lines += 1;
      faults.push(...order.take(item));
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

/**
 * Whether each item follows on the one before. By their numbers; where days were removed, whose numbers nobody knows, by the counts that
 * each part has of itself and of those before it.
 */
class Order {
  /** Number of the next event; undefined before the first, and where removed quotes leave a hole. */
  private expected: number | undefined;
  /** How many events and quotes there are up to here. */
  private place = 0;
  private part: RunPart | undefined;
  private hasBegun = false;

  private get isHoled(): boolean {
    return this.part instanceof SealedRun && this.part.manifest.removedBefore !== null;
  }

  begin(part: RunPart): readonly string[] {
    const { place, part: last } = this;
    const { before, part: number } = part.header;
    this.part = part;
    this.place = before + (part instanceof SealedRun ? part.manifest.lines : 0);
    if (this.isHoled) this.expected = undefined;
    if (!last || this.expected !== undefined || place === before) return [];
    return [`part ${number} begins behind ${before} events and quotes, and the part before it ends behind ${place}`];
  }

  take(item: LogEntry): readonly string[] {
    if (!(this.part instanceof SealedRun)) this.place += 1;
    if (item.kind === 'conflated') return [];
    const { n, event } = item.event;
    const { expected, hasBegun } = this;
    this.hasBegun = true;
    this.expected = this.isHoled ? undefined : n + 1;
    // The events of the first part stay as long as the recording does.
    if (!hasBegun && !BEGINS.has(event.kind)) return [`it begins with event ${n}, not with its start`];
    return expected === undefined || expected === n ? [] : [gap(expected, n)];
  }
}

function sealedFaults(run: SealedRun): readonly string[] {
  const { events, quotes } = run.manifest;
  return [...(events ? [events] : []), ...quotes].flatMap((file) => run.fault(file) ?? []);
}

function gap(expected: number, n: number): string {
  if (n < expected) return `event ${n} is in the place of event ${expected}`;
  return n === expected + 1 ? `event ${expected} is missing` : `events ${expected} to ${n - 1} are missing`;
}
