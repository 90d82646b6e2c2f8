import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import { Cadence } from '#domain/freshness.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { columnsOf } from './log-columns.ts';
import { isRecorded, openRun, type RecordedRun, type RunPart } from './open-run.ts';
import { logPath } from './run-log.ts';
import { SealedRun } from './sealed-run.ts';

/** What is recorded of one lane. */
export interface LaneRecording {
  readonly run: string;
  readonly product: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
  readonly quotes: number;
  /** Bytes of sealed quotes; null while some are in a log. */
  readonly bytes: number | null;
  /** True for prices that were imported. */
  readonly imported: boolean;
  /** Width of the bars whose ends its quotes are; 0 for none. */
  readonly barMs: Millis;
}

/**
 * Paths of the first logs, also sealed ones, in a folder of recordings, by name: runs sort by their start. The folder of one
 * recording may be named as well. What cannot be looked into, as `lost+found` of a disk, is told and passed over. Throws
 * RECORDING_UNREADABLE where there is no folder.
 */
export function recordingsIn(dir: string, tell: (line: string) => void = () => {}): readonly string[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new KairosError(
      'RECORDING_UNREADABLE',
      `${dir} is not a folder of recordings: name one by --data or recording.dir (kairos run, record and data import make one)`,
    );
  }
  try {
    const own = logPath(dir, '.');
    if (isRecorded(own)) return [own];
    return readdirSync(dir)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => logPath(dir, name))
      .filter((log) => {
        try {
          return isRecorded(log);
        } catch (error) {
          tell(`left out: ${dirname(log)} cannot be read (${messageOf(error)})`);
          return false;
        }
      });
  } catch (error) {
    throw new KairosError('RECORDING_UNREADABLE', `${dir} cannot be read (${messageOf(error)})`, { cause: error });
  }
}

/** The recordings of a folder that this Kairos reads. */
interface Readable {
  /** As of `recordingsIn`. */
  readonly logs: readonly string[];
  /** What cannot be looked into, those of another format, and copies, a line each. */
  readonly leftOut: readonly string[];
}

/**
 * As `recordingsIn`, each run once, without those of another format, which an earlier Kairos has left beside the others. Throws
 * RECORDING_FORMAT where there are no others, and RECORDING_UNREADABLE.
 */
export function readableIn(dir: string): Readable {
  const closed: string[] = [];
  const faults = recordingsIn(dir, (line) => closed.push(line)).map((log) => ({ log, fault: formatFaultOf(log) }));
  const readable = faults.filter(({ fault }) => fault === undefined).map(({ log }) => log);
  const others = faults.flatMap(({ fault }) => fault ?? []);
  const [first] = others;
  if (first && readable.length === 0) throw first;
  const copies = copiesAmong(readable);
  const told = [...copies].map(([copy, of]) => `${dirname(copy)} is a copy of ${dirname(of)}: remove one of them`);
  return {
    logs: readable.filter((log) => !copies.has(log)),
    leftOut: [...closed, ...[...others.map(({ message }) => message), ...told].map((line) => `left out: ${line}`)],
  };
}

/** Of recordings of one run: each other one, and the one in the folder of its name, else the first. */
function copiesAmong(logs: readonly string[]): ReadonlyMap<string, string> {
  const runs = Map.groupBy(logs, (log) => openRun(log).header.run);
  return new Map(
    [...runs].flatMap(([run, same]) => {
      const own = same.find((log) => basename(dirname(log)) === run) ?? same[0] ?? '';
      return same.filter((log) => log !== own).map((log) => [log, own] as const);
    }),
  );
}

function formatFaultOf(path: string): KairosError | undefined {
  try {
    openRun(path).parts();
    return undefined;
  } catch (error) {
    if (error instanceof KairosError && error.code === 'RECORDING_FORMAT') return error;
    throw error;
  }
}

/** Lanes of a recording, in the order in which they were first heard. Throws RECORDING_UNREADABLE. */
export function lanesIn(path: string): readonly LaneRecording[] {
  const run = openRun(path);
  const lanes = new Map<string, LaneRecording>();
  for (const { product, lane, rows, from, to, bytes, imported, barMs } of run.parts().flatMap(stretchesOf)) {
    const key = JSON.stringify([product, lane]);
    const before = lanes.get(key);
    lanes.set(key, {
      run: run.header.run,
      product,
      lane,
      from: before?.from ?? isoTime(from),
      to: isoTime(to),
      quotes: (before?.quotes ?? 0) + rows,
      bytes: bytes === null || before?.bytes === null ? null : (before?.bytes ?? 0) + bytes,
      imported,
      barMs,
    });
  }
  return [...lanes.values()];
}

/** Some quotes of a lane, one after the other. */
interface Stretch {
  readonly product: string;
  readonly lane: string;
  readonly rows: number;
  readonly from: Millis;
  readonly to: Millis;
  readonly bytes: number | null;
  readonly imported: boolean;
  readonly barMs: Millis;
}

function stretchesOf(part: RunPart): readonly Stretch[] {
  if (part instanceof SealedRun) {
    const { quotes, imported } = part.manifest;
    return quotes.map((file) => ({ ...file, imported: imported !== undefined, barMs: imported?.barMs ?? 0 }));
  }
  return columnsOf(part.items()).map(({ product, lane, at, length }) => {
    return { product, lane, rows: length, from: at[0] ?? 0, to: at[length - 1] ?? 0, bytes: null, imported: false, barMs: 0 };
  });
}

/** A time without quotes of a lane while the recording went on, or between recordings. */
export interface Gap {
  readonly run: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/** Default length of a silence that is shown, in milliseconds, unless quotes come less often. */
const GAP_MS = 10_000;

/**
 * Silences between two quotes of a lane that are longer than `overMs`; unless it is given, than ten seconds and than what is usual on the
 * lane. Throws RECORDING_UNREADABLE.
 */
export function gapsIn(path: string, overMs: Millis | undefined): readonly Gap[] {
  const run = openRun(path);
  const usual = overMs === undefined ? cadencesOf(run) : undefined;
  const name = run.header.run;
  const last = new Map<string, Millis>();
  const gaps: Gap[] = [];
  for (const { lane, at } of quoteTimes(run)) {
    const leastMs = overMs ?? Math.max(GAP_MS, usual?.get(lane)?.rareMs ?? 0);
    for (const time of at) {
      const before = last.get(lane);
      if (before !== undefined && time - before > leastMs) {
        gaps.push({ run: name, lane, from: isoTime(before), to: isoTime(time), seconds: (time - before) / 1000 });
      }
      last.set(lane, time);
    }
  }
  return gaps;
}

function cadencesOf(run: RecordedRun): ReadonlyMap<string, Cadence> {
  const cadences = new Map<string, Cadence>();
  const last = new Map<string, Millis>();
  for (const { lane, at } of quoteTimes(run)) {
    const cadence = cadences.get(lane) ?? new Cadence();
    cadences.set(lane, cadence);
    for (const time of at) {
      cadence.add(time - (last.get(lane) ?? time));
      last.set(lane, time);
    }
  }
  return cadences;
}

function* quoteTimes(run: RecordedRun): Generator<Pick<QuoteColumns, 'lane' | 'at'>> {
  for (const part of run.parts()) {
    if (part instanceof SealedRun) for (const file of part.manifest.quotes) yield part.quotes(file);
    else yield* columnsOf(part.items());
  }
}
