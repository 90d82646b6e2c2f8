import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { headlinesJson } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import { judgedLines } from '#research/sweep/judged-lines.ts';
import { chainLines, foldsSummary, viewOfFolds } from '#research/sweep/search-view.ts';
import { METRICS } from '#research/sweep/sweep-ranking.ts';
import { foldHead, foldRows, OPEN } from '#research/sweep/sweep-table.ts';
import type { WalkForward } from '#research/sweep/walk-forward.ts';
import { printNote, printTable, printText } from './output.ts';
import { printHeadlines } from './sweep-lines.ts';

/** Prints the choice of each training, its result in the test, and the chained tests. `of`: what is counted. */
export function printWalkForward(result: WalkForward, of = 'walk-forward'): void {
  const { by, steps, wanted, finished, outOfSample, headlines, log } = result;
  printText(foldsSummary(result));
  const tests = steps.filter(({ test }) => test !== null).length;
  const parts = outOfSample ? ` (${finished - tests} of trainings, ${tests} of tests)` : '';
  printText(`${finished} of ${counted(wanted, 'trial')}${parts}; parameters chosen by ${METRICS[by.by].label} (${by.why})`);
  printHeadlines(headlines);
  const head = foldHead(result);
  printTable(
    head,
    foldRows(result).map((cells, index) => [isoTime(steps[index]?.fold.test.from ?? 0), ...cells].map(oneLine)),
    {
      spare: head.filter((title) => /^(open|fills)/.test(title)),
      signed: head.filter((title) => /^(in the test|net profit usd|open)/.test(title)),
    },
  );
  if (!outOfSample) return;
  if (steps.every(({ test }) => test === null))
    return printText(`nothing was traded out of sample, and nothing can be judged\nlog: ${log}`);
  printNote(OPEN);
  for (const line of chainLines(outOfSample, steps)) printText(line);
  for (const line of luckLines(result, of)) printText(line);
  printText(`log: ${log}`);
}

/** What stands beside the chained tests, as lines. */
const luckLines = ({ outOfSample }: WalkForward, of: string): readonly string[] => (outOfSample ? judgedLines(outOfSample, of) : []);

/** As JSON, with its sentence. */
export const foldsJson = (result: WalkForward): unknown => ({
  summary: foldsSummary(result),
  ...result,
  ...headlinesJson(result.headlines),
});

/** Writes trainings against tests as one HTML file. Throws USAGE where it cannot be written. */
export async function writeFolds(
  result: WalkForward,
  { file, of, title }: { readonly file: string; readonly of: string; readonly title: string },
): Promise<void> {
  const { foldsPage } = await import('#report/page/search-page.ts');
  const { writePage } = await import('#assembly/reporting.ts');
  writePage(foldsPage(viewOfFolds(result, title, luckLines(result, of))), file);
  printNote(`wrote ${file}`);
}
