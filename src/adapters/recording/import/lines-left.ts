/** Rows that were left out: those that could not be read, with what was wrong with the first, and bars that are not over. */
export interface LinesLeft {
  readonly bad: number;
  readonly firstBad: string | null;
  readonly unfinished: number;
}
