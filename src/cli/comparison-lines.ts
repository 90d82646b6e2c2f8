import { oneLine } from '#domain/one-line.ts';
import { BEST, type Comparison, comparedText, differenceText, differsShown, isBetter } from '#report/comparison/comparison.ts';
import { capital } from '#report/summary.ts';
import { resultPainted } from './meaning.ts';
import { printLine, printTable, printText, widthOf } from './output.ts';
import { datedTime, wrapped } from './terminal-text.ts';

/** Prints results side by side: what came of each, the settings and the figures that differ, and which figures are equal. */
export function printComparison(comparison: Comparison): void {
  const { summary, caveats, runs, settings, assumed } = comparison;
  printText(summary);
  for (const caveat of caveats) printText(caveat);
  printTold(comparison);
  if (settings.length > 0) {
    printLine('');
    printTable(
      ['setting', ...runs.map(({ letter }) => letter)],
      settings.map(({ setting, values }) => [setting, ...values.map((one) => oneLine(one ?? '-'))]),
    );
  }
  for (const { letter, text } of assumed) printText(`${letter} alone assumes  ${text}`);
  printLine('');
  printFigures(comparison);
}

/** What is said of each result, and once what is said of all of them. */
function printTold({ runs, played, came }: Comparison): void {
  const room = Math.max(...runs.map(({ name }) => name.length));
  for (const [n, { letter, name }] of runs.entries()) {
    const told = [...(played.own[n] ?? []), (came.own[n] ?? []).join('; ')].filter((one) => one !== '');
    printText(`${letter}  ${name.padEnd(room)}  ${told.join('. ')}`.trimEnd(), resultPainted);
  }
  const all = [...played.shared, capital(came.shared.join('; '))].filter((one) => one !== '');
  if (all.length > 0) printText(`all  ${all.join('. ')}`);
}

type Row = Comparison['figures'][number];

/** Room of a figure's name, below which it is not broken. */
const MIN_LABEL = 20;

/** Figures that differ, a row each, and the names of the others. */
function printFigures({ runs, figures }: Comparison): void {
  const isTwo = runs.length === 2;
  const rows = figures.filter(differsShown);
  const hasBest = rows.some(({ best }) => best !== null);
  const width = widthOf(process.stdout);
  const textOf = (row: Row, n: number): string => {
    const text = comparedText(row, n);
    return row.unit === 'time' && width !== undefined ? datedTime(text, Date.now()) : text;
  };
  const marks = (isBest: boolean): string => (isBest ? ' *' : hasBest ? '  ' : '');
  const columns = [
    ...runs.map(({ letter }, n) => [letter + marks(false), ...rows.map((row) => textOf(row, n) + marks(row.best === n))]),
    ...(isTwo ? [['B \u2212 A', ...rows.map(differenceText)]] : []),
  ].map((column) => rightOf(column));
  const taken = columns.reduce((sum, [title = '']) => sum + 2 + title.length, 0);
  const room = Math.max(MIN_LABEL, (width ?? Number.POSITIVE_INFINITY) - taken);
  if (rows.length > 0)
    printTable(
      ['figure', ...columns.map(([title = '']) => title)],
      rows.map((row, n) => [wrapped(row.label, room, '  '), ...columns.map((column) => column[n + 1] ?? '')]),
      { colourOf: (row, column) => (isTwo && column === columns.length ? colourOf(rows[row]) : undefined) },
    );
  const alike = figures.filter((row) => !rows.includes(row)).map(({ label }) => label);
  if (alike.length > 0) printText(`equal: ${alike.join(', ')}`);
  if (hasBest) printText(`* ${BEST}`);
}

/** A column whose cells end under each other. */
function rightOf(cells: readonly string[]): readonly string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padStart(width));
}

function colourOf(row: Row | undefined): 'green' | 'red' | undefined {
  const better = row === undefined ? null : isBetter(row);
  return better === null ? undefined : better ? 'green' : 'red';
}
