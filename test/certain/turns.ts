/** One run of a command of tests: which, whether beside a loop that never ends, and what came of it. */
export interface Turn {
  readonly commit: string;
  readonly command: string;
  readonly beside: boolean;
  readonly seconds: number;
  readonly code: number | null;
  readonly passed: number;
  readonly failed: number;
}

/** What is asked for of one command, quiet and beside the loop. */
export interface Row {
  readonly command: string;
  readonly beside: boolean;
  readonly times: number;
}

/** The turns of a log that are of this commit. */
export const turnsOf = (log: string, commit: string): readonly Turn[] =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Turn => JSON.parse(line))
    .filter((turn) => turn.commit === commit);

const of = ({ command, beside }: Row, turns: readonly Turn[]): readonly Turn[] =>
  turns.filter((turn) => turn.command === command && turn.beside === beside);

/** The row whose turn is next; undefined when there is none left. */
export const nextOf = (rows: readonly Row[], turns: readonly Turn[]): Row | undefined =>
  rows.find((row) => of(row, turns).length < row.times);

/**
 * How many checks passed and failed, from what a command printed: the last line `12 passed, 0 failed`, or vitest's `Tests  1 failed | 11 passed (12)`.
 * None for a command that broke off before it.
 */
export function countsIn(text: string): { readonly passed: number; readonly failed: number } {
  const line = text.split('\n').findLast((one) => /^\d+ passed, \d+ failed$|^ *Tests .*\(\d+\)/.test(one)) ?? '';
  const count = (of: string): number => Number(new RegExp(`(\\d+) ${of}`).exec(line)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed') };
}

/** Whether all turns that are asked for were run, passed, and passed the same number of checks. */
export function isCertain(rows: readonly Row[], turns: readonly Turn[]): boolean {
  const alike = (command: string): boolean =>
    new Set(turns.filter((turn) => turn.command === command).map(({ passed }) => passed)).size <= 1;
  return (
    nextOf(rows, turns) === undefined &&
    turns.every(({ code, failed, passed }) => code === 0 && failed === 0 && passed > 0) &&
    rows.every(({ command }) => alike(command))
  );
}

/** One line for each row: times, and what came of them. */
export function tableOf(rows: readonly Row[], turns: readonly Turn[]): string {
  const head = ['command', 'beside', 'runs', 'green', 'checks', 'seconds'];
  const lines = rows.map((row) => {
    const run = of(row, turns);
    const seconds = run.map((turn) => turn.seconds).sort((a, b) => a - b);
    const green = run.filter(({ code }) => code === 0).length;
    const checks = [...new Set(run.map(({ passed, failed }) => (failed === 0 ? String(passed) : `${passed}, ${failed} failed`)))];
    return [
      row.command,
      row.beside ? 'an endless loop' : 'nothing',
      `${run.length} of ${row.times}`,
      String(green),
      checks.join('; '),
      seconds.length === 0 ? '' : `${seconds[0]} - ${seconds.at(-1)}`,
    ];
  });
  const widths = head.map((title, at) => Math.max(...[head, ...lines].map((line) => (line[at] ?? title).length)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
