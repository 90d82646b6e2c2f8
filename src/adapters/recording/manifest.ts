import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type * as Zod from 'zod';
import type { ClockChange } from '#domain/clock-change.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { renameDurably, writeDurably } from './durable.ts';
import { formatFault } from './log-format.ts';
import type { TornLine } from './reader.ts';

/** Version of the sealed form; readers refuse others. */
export const SEALED_FORMAT = 2;

/** A file of a sealed recording. */
export interface SealedFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Quotes of one lane on one UTC day. */
export interface SealedQuotes extends SealedFile {
  readonly lane: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Place in the recording of its last quote. */
  readonly lastLine: number;
  readonly from: Millis;
  readonly to: Millis;
}

/** What a sealed part of a recording consists of: written last, so that what has one is whole. */
export interface Manifest {
  readonly kairos: 'recording';
  readonly format: number;
  readonly run: string;
  readonly book: string;
  /** Which part of the recording it is, from 1. */
  readonly part: number;
  /** Events and quotes of the parts before it, all together. */
  readonly before: number;
  /** Events and quotes of this part, all together. */
  readonly lines: number;
  /** Everything that is no quote; null where there is none, as in imported data. */
  readonly events: SealedFile | null;
  readonly quotes: readonly SealedQuotes[];
  /** What was cut off at the end of the log; null when nothing was. */
  readonly torn: TornLine | null;
  /** Bytes of the log that was sealed; 0 for imported data. */
  readonly sourceBytes: number;
  /** Quotes of days before this one were removed by `recording.keepDays`; null when none were. */
  readonly removedBefore: string | null;
  /** What imported prices were made of; absent in recordings of runs. */
  readonly imported?: ImportFacts;
}

/** What an import found in its files. */
export interface ImportCounts {
  /** Rows of all files, also those that were dropped. */
  readonly rows: number;
  readonly quotes: number;
  /** Ask below bid. */
  readonly crossed: number;
  /** Ask equal to bid. */
  readonly locked: number;
  /** Time before that of the row before: ticks arrive with it, bars are put in order. */
  readonly unordered: number;
  /** Equal in everything to another row: ticks are kept, of bars one. */
  readonly repeated: number;
  /** Ticks of the same time as the row before, and not equal to it. */
  readonly equalTime: number;
  /** Rows that could not be read, and were dropped. */
  readonly bad: number;
  /** Bars that were not over. */
  readonly unfinished: number;
  /** Bars behind which another one of the same begin stands, which counts. */
  readonly replaced: number;
  /** Bars that one of two files alone has. */
  readonly unpaired: number;
}

/** Times at which a file has no bars. */
export interface ImportGaps {
  readonly count: number;
  /** The longest: when it begins, and how long it is. */
  readonly fromAt: Millis;
  readonly ms: Millis;
}

/** What speaks for bars that are wider than somebody said: the next ones begin later. */
export interface ImportNarrow {
  /** Bars that may be wider. */
  readonly rows: number;
  /** Bars behind which another one begins. */
  readonly of: number;
  /** The least time from the begin of a bar to that of the next. */
  readonly nearestMs: Millis;
  /** The width that the begins tell, of bars without one the longest. */
  readonly wideMs: Millis;
}

/** Bars with a price far from both neighbours, while these are near each other. They are kept. */
export interface ImportSpikes {
  readonly count: number;
  /** Of the furthest, the begin of its bar as the file has it. */
  readonly at: Millis;
  readonly what: 'last price' | 'high' | 'low';
  /** In quote currency. */
  readonly price: number;
  /** Last price of the bar before, in quote currency. */
  readonly before: number;
  /** Last price of the bar behind, in quote currency. */
  readonly after: number;
  /** Highest ask of all other bars, in quote currency. */
  readonly highest?: number;
}

/** The spreads that a file has beside its only price. */
export interface ImportSpread {
  /** The title of their column. */
  readonly column: string;
  /** What one unit of it is worth in price. */
  readonly point: string;
  /** Of the rows that became quotes, in hundredths of a percent. */
  readonly medianBps: number;
  readonly lowBps: number;
  readonly highBps: number;
}

/** Rows of hours that come twice, because the clocks of a zone went back: taken for the first where their order does not tell. */
export interface ImportRepeatedHours {
  readonly rows: number;
  /** Changes of the clocks that have such rows. */
  readonly changes: number;
  /** The first of them. */
  readonly change: ClockChange;
}

/** In which zone the times of a file were read, and why in that one. */
export interface ImportTimes {
  readonly zone: string;
  /**
   * `count`: they count since 1970; `file`: each names its zone; `title`: their column does; `format`: its maker writes so; `said`: a person
   * named it; `assumed`: nobody did.
   */
  readonly from: 'count' | 'file' | 'title' | 'format' | 'said' | 'assumed';
  /** The title of their column, where that names the zone. */
  readonly title?: string;
  /** The maker of the format, where it writes a zone of its own. */
  readonly maker?: string;
  /** The zone that this maker writes. */
  readonly makerZone?: string;
  /** The zone that a person named, where no time needed it. */
  readonly unused?: string;
}

/** What imported prices are, for readers of results that rest on them. */
export interface ImportFacts {
  /** Names of the files, without their folders. */
  readonly files: readonly string[];
  /** `ticks`, or the kind of bars. */
  readonly format: string;
  /** Width of the bars; null for ticks. */
  readonly barMs: Millis | null;
  /** What is played of each bar, at its end; null for ticks. */
  readonly barPath: 'close' | 'worst' | null;
  /** Where the times of the file are the ends of its bars. */
  readonly stamp?: 'end';
  readonly times: ImportTimes;
  /** Rows whose times come twice; absent where order tells them all. */
  readonly repeatedHours?: ImportRepeatedHours;
  /** Which one the only price was; null where there were bid and ask. */
  readonly priceIs: 'mid' | 'bid' | 'ask' | null;
  /** The distance between bid and ask that was assumed, in hundredths of a percent; null where none was. */
  readonly spreadBps: number | null;
  /** The spreads of the file, where they were used. */
  readonly spread?: ImportSpread;
  /** So long after a quote no order uses the lane. */
  readonly staleMs: Millis;
  readonly validMs: Millis;
  readonly feePct: number;
  /** True where nobody said that fee. */
  readonly feeAssumed?: boolean;
  /** The size of its quotes in base currency where nobody said it; absent where somebody did. */
  readonly sizeAssumed?: number;
  /** Where more than ten bars in a row are missing; absent where they are nowhere. */
  readonly gaps?: ImportGaps;
  /** Bars that may be wider than somebody said; absent where nothing speaks for that. */
  readonly narrow?: ImportNarrow;
  /** Bars with a price far from both neighbours; absent where there are none, and for ticks. */
  readonly spikes?: ImportSpikes;
  /** Highest ask, apart from bars with a price far from both neighbours. */
  readonly highest: number;
  /** Columns of sizes, which are not used: each quote has the size of its lane. Absent where there are none. */
  readonly sizes?: readonly string[];
  /** What became of rows whose ask is below their bid. */
  readonly crossedRows: 'drop' | 'keep' | 'fail';
  readonly counts: ImportCounts;
}

/** Book of data that no run recorded. */
export const IMPORTED = 'imported';

const MANIFEST = 'manifest.json';

/** The file of a part's events, and how those of its quotes are named. Whatever a manifest says, no other file is read or removed. */
export const EVENTS_FILE = 'events.parquet';
const QUOTES_FILE = /^quotes-[A-Za-z0-9.-]{0,120}\.parquet$/;

/** Whether Kairos gives files of a sealed folder this name. */
export const isOwnName = (name: string): boolean =>
  name === EVENTS_FILE || name === MANIFEST || name === `${MANIFEST}.new` || QUOTES_FILE.test(name);

export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Quotes that a day of a lane may have: one each millisecond. So much memory a manifest may ask for. */
const MAX_ROWS = 86_400_000;

/** The last instant that has a date. */
const LAST_MS = 8.64e15;

/** Said of a file whose sum differs. */
export const CHANGED = 'was changed after it was sealed';

/** What a file says when its sum differs, and what to do. */
export const notAsSealed = (path: string, why: string): KairosError =>
  new KairosError('RECORDING_DAMAGED', `${path} ${why}; restore it from a copy, or move the recording elsewhere`);

/** The sealed form of the log of a part at `path`, in a folder beside it. */
export function sealedFolder(path: string): string {
  const [, suffix = ''] = /^inbox(-\d+)\.ndjson$/.exec(basename(path)) ?? [];
  return join(dirname(path), `sealed${suffix}`);
}

const manifestPath = (folder: string): string => join(folder, MANIFEST);

export const isSealed = (folder: string): boolean => existsSync(manifestPath(folder));

/** What is read of a manifest, whoever wrote it. zod is loaded only where a recording is sealed. */
function shapeOfManifest() {
  const { z }: typeof Zod = createRequire(import.meta.url)('zod');
  const count = z.int().min(0);
  const fileOf = (file: Zod.ZodType<string>) =>
    z.looseObject({
      file,
      rows: count.max(MAX_ROWS),
      bytes: count,
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'it is no hexadecimal sum'),
    });
  const day = z.iso.date();
  const time = z.number().min(-LAST_MS).max(LAST_MS);
  const quotes = z.string().regex(QUOTES_FILE, 'it is no name of a sealed file');

  return z.looseObject({
    run: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'it is no name of a run'),
    book: z.string(),
    part: z.int().min(1),
    before: count,
    lines: count,
    events: fileOf(z.literal(EVENTS_FILE)).nullable(),
    quotes: z
      .array(fileOf(quotes).extend({ lane: z.string(), product: z.string(), day, lastLine: z.int(), from: time, to: time }))
      .refine((files) => new Set(files.map(({ file }) => file)).size === files.length, 'it names a file twice'),
    torn: z.looseObject({}).nullable(),
    sourceBytes: count,
    removedBefore: day.nullable(),
  });
}

let manifestShape: ReturnType<typeof shapeOfManifest> | undefined;

/** Writes what a sealed recording consists of, with a sum of its own, in place of what stood there. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const path = manifestPath(folder);
  writeDurably(`${path}.new`, Buffer.from(`${textOf({ ...manifest, sum: hashOf(textOf(manifest)) })}\n`));
  renameDurably(`${path}.new`, path);
}

const textOf = (manifest: object): string => JSON.stringify(manifest, null, 1);

/** Reads what a sealed recording consists of. Throws RECORDING_UNREADABLE, RECORDING_DAMAGED or RECORDING_FORMAT. */
export function readManifest(folder: string): Manifest {
  const path = manifestPath(folder);
  const unreadable = (why: string, cause?: unknown): KairosError =>
    new KairosError('RECORDING_UNREADABLE', `${path}: ${why}; restore the folder from a copy`, { cause });
  let read: Manifest & { readonly sum?: string };
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(messageOf(error), error);
  }
  const { sum, ...manifest } = { ...read };
  if (manifest.kairos !== 'recording') throw unreadable('it is not the manifest of a recording');
  if (manifest.format !== SEALED_FORMAT) {
    throw new KairosError('RECORDING_FORMAT', `${path}: ${formatFault(manifest.format, SEALED_FORMAT)}`);
  }
  if (sum !== hashOf(textOf(manifest))) throw notAsSealed(path, CHANGED);
  manifestShape ??= shapeOfManifest();
  const { success, error } = manifestShape.safeParse(manifest);
  if (!success) {
    const [{ path: at, message } = { path: [], message: '' }] = error.issues;
    throw unreadable(`${at.join('.')}: ${message}`);
  }
  return manifest;
}
