import { tableText } from './table.ts';

/** Prints a table for people, as wide as the terminal lets it be; of any width where that is none. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  // A terminal that does not know its width says 0.
  const width = process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
  printLine(tableText(head, rows, width));
}

/** Prints a result for scripts: one JSON value, indented. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Prints one line of result on standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a remark that is no part of the result, on standard error. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}
