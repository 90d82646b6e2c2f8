import type { Command } from 'commander';
import { wholeNumber } from './numbers.ts';
import { printNote } from './output.ts';

/** How many rows are printed if nobody says. */
const USUAL = 20;

export interface LinesOptions {
  readonly lines?: number;
  /** A table for spreadsheets has all rows. */
  readonly csv?: boolean;
}

/** Adds `-n` to a command that lists rows. */
export function addLines(command: Command, { withCsv }: { readonly withCsv: boolean }): Command {
  const usual = `default: ${USUAL}${withCsv ? ', with --csv all' : ''}`;
  return command.option('-n, --lines <count>', `how many, the last ones (${usual})`, wholeNumber(1, 1_000_000));
}

/** How many rows to read, one more than are printed by default; -1 for all. */
export const rowsToRead = ({ lines, csv }: LinesOptions): number => lines ?? (csv ? -1 : USUAL + 1);

/** The rows to print, the first of those given. A note says so if nobody asked for so few and there are more. */
export function rowsToPrint<Row>(rows: readonly Row[], { lines, csv }: LinesOptions): readonly Row[] {
  const most = lines ?? (csv ? rows.length : USUAL);
  if (lines === undefined && rows.length > most) {
    printNote(`${most} are printed, and there are more: -n 1000 prints up to 1000 of them`);
  }
  return rows.slice(0, most);
}
