import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type * as Zod from 'zod';
import type { ClockChange } from '#domain/clock-change.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
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
  /** What imported prices were made of; absent in recordings of runs, and in imports of earlier versions. */
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
  /** In imports of earlier versions: bars whose last price is outside of their range, which was widened. Today they cannot be read. */
  readonly misshapen?: number;
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
  /** Highest ask of all other bars, in quote currency; absent in imports of earlier versions. */
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
  /** Absent in imports of earlier versions. */
  readonly times?: ImportTimes;
  /** Rows whose times come twice; absent where order tells them all, and in imports of earlier versions. */
  readonly repeatedHours?: ImportRepeatedHours;
  /** Which one the only price was; null where there were bid and ask. */
  readonly priceIs: 'mid' | 'bid' | 'ask' | null;
  /** The distance between bid and ask that was assumed, in hundredths of a percent; null where none was. */
  readonly spreadBps: number | null;
  /** The spreads of the file, where they were used; absent in imports of earlier versions. */
  readonly spread?: ImportSpread;
  /** So long after a quote no order uses the lane. */
  readonly staleMs: Millis;
  readonly validMs: Millis;
  readonly feePct: number;
  /** True where nobody said that fee; absent in imports of earlier versions. */
  readonly feeAssumed?: boolean;
  /** The size of its quotes in base currency where nobody said it; absent where somebody did, and in imports of earlier versions. */
  readonly sizeAssumed?: number;
  /** Where more than ten bars in a row are missing; absent where they are nowhere, and in imports of earlier versions. */
  readonly gaps?: ImportGaps;
  /** Bars with a price far from both neighbours; absent where there are none, for ticks, and in imports of earlier versions. */
  readonly spikes?: ImportSpikes;
  /** Highest ask, apart from bars with a price far from both neighbours; absent in imports of earlier versions. */
  readonly highest?: number;
  /** What became of rows whose ask is below their bid. */
  readonly crossedRows: 'drop' | 'keep' | 'fail';
  readonly counts: ImportCounts;
}

/** Book of data that no run recorded. */
export const IMPORTED = 'imported';

const MANIFEST = 'manifest.json';

/** The sealed form of the log of a part at `path`, in a folder beside it. */
export function sealedFolder(path: string): string {
  const [, suffix = ''] = /^inbox(-\d+)\.ndjson$/.exec(basename(path)) ?? [];
  return join(dirname(path), `sealed${suffix}`);
}

export const manifestPath = (folder: string): string => join(folder, MANIFEST);

export const isSealed = (folder: string): boolean => existsSync(manifestPath(folder));

/** What is read of a manifest, whoever wrote it. zod is loaded only where a recording is sealed. */
function shapeOfManifest() {
  const { z }: typeof Zod = createRequire(import.meta.url)('zod');
  const fileShape = z.looseObject({ file: z.string(), rows: z.number(), bytes: z.number(), sha256: z.string() });

  return z.looseObject({
    run: z.string(),
    book: z.string(),
    part: z.number(),
    before: z.number(),
    lines: z.number(),
    events: fileShape.nullable(),
    quotes: z.array(
      fileShape.extend({ lane: z.string(), product: z.string(), day: z.string(), lastLine: z.number(), from: z.number(), to: z.number() }),
    ),
    torn: z.looseObject({}).nullable(),
    removedBefore: z.string().nullable(),
  });
}

let manifestShape: ReturnType<typeof shapeOfManifest> | undefined;

/** Reads what a sealed recording consists of. Throws RECORDING_UNREADABLE or RECORDING_FORMAT. */
export function readManifest(folder: string): Manifest {
  const path = manifestPath(folder);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new KairosError('RECORDING_UNREADABLE', `${path}: ${messageOf(error)}; restore the folder from a copy`, { cause: error });
  }
  if (manifest.kairos !== 'recording') {
    throw new KairosError('RECORDING_UNREADABLE', `${path}: it is not the manifest of a recording; restore the folder from a copy`);
  }
  if (manifest.format !== SEALED_FORMAT) {
    throw new KairosError('RECORDING_FORMAT', `${path}: ${formatFault(manifest.format, SEALED_FORMAT)}`);
  }
  manifestShape ??= shapeOfManifest();
  const { success, error } = manifestShape.safeParse(manifest);
  if (!success) {
    const [{ path: at, message } = { path: [], message: '' }] = error.issues;
    throw new KairosError('RECORDING_UNREADABLE', `${path}: ${at.join('.')}: ${message}; restore the folder from a copy`);
  }
  return manifest;
}
