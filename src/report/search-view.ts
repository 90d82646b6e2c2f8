import type { Millis } from '#domain/names.ts';
import type { Significance } from './metrics/significance.ts';

/** A trial as a page draws it: what it varies, and what came of it. Null for what it does not have. */
interface TrialPoint {
  /** Values in the order of the parameters. */
  readonly values: readonly (number | string | boolean | null)[];
  /** Values in the order of the figures. */
  readonly figures: readonly (number | null)[];
  /** False where it failed or never traded. */
  readonly isRanked: boolean;
}

/** What was chosen on one time, and what it came to on another: shares. */
export interface InAndOut {
  readonly label: string;
  readonly inSample: number;
  readonly outOfSample: number;
  readonly isChosen: boolean;
}

/** What a page shows of a search besides the report of its best trial. */
export interface SearchView {
  readonly summary: string;
  readonly parameters: readonly string[];
  /** What trials are ranked by first, then the usual ones: name, and whether it is a share. */
  readonly figures: readonly { readonly name: string; readonly isShare: boolean; readonly currency: string | null }[];
  readonly points: readonly TrialPoint[];
  /** Place of the trial that stands first; null where none is ranked. */
  readonly first: number | null;
  /** Plateau or peak, in a sentence; null for a walk-forward. */
  readonly plateau: string | null;
  readonly halves: ScatterView | string;
  /** What is said of luck, one line each. */
  readonly luck: readonly string[];
}

/** A scatter of results in sample against those out of it. */
export interface ScatterView {
  readonly x: string;
  readonly y: string;
  readonly points: readonly InAndOut[];
  /** What it says, in a sentence. */
  readonly says: string;
}

/** The chained tests of a walk-forward or of folds, and what is drawn beside them. */
export interface FoldsView {
  readonly title: string;
  readonly summary: string;
  /** Of the chained tests; null where none was played. */
  readonly verdict: Significance | null;
  readonly headlines: readonly { readonly level: string; readonly text: string }[];
  readonly scatter: ScatterView | string;
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** 1 at first, at the end of each day and test. */
  readonly equity: readonly { readonly at: Millis; readonly value: number }[];
  readonly from: Millis;
  readonly to: Millis;
  readonly luck: readonly string[];
}
