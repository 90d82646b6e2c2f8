import Table from 'cli-table3';

/** Prints a table for people: a light frame, no colour of its own, numbers as they are given. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = new Table({
    head: [...head],
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  const ruled = [head.map((title, column) => '-'.repeat(widthOf(title, column, rows))), ...rows.map((row) => [...row])];
  table.push(...ruled);
  const lines = table.toString().split('\n');
  printLine(lines.map((line) => line.trimEnd()).join('\n'));
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

function widthOf(title: string, column: number, rows: readonly (readonly string[])[]): number {
  const cells = rows.flatMap((row) => (row[column] ?? '').split('\n'));
  return cells.reduce((widest, cell) => Math.max(widest, cell.length), title.length);
}
