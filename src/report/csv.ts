import { shown } from '#domain/one-line.ts';

export type CsvCell = string | number | null;

/** A table for spreadsheets and scripts as CSV (RFC 4180): a line of names, then one for each row. */
export function csvText(names: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  return [names, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A cell of CSV, in quotes where it needs them. Text that a spreadsheet would read as a formula has an apostrophe before it. */
function csvCell(value: CsvCell): string {
  const text = value === null ? '' : shown(String(value));
  const plain = typeof value === 'string' && /^[=+@\t\r]|^-(?!\d+(\.\d+)?(e-?\d+)?$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
