import { writeFileSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { csvText } from '#report/csv.ts';
import type { Headline } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import { paramIn, paramNames, paramsText, playOf, type TrialResult } from '#research/replay/trial.ts';
import { judgedLines } from '#research/sweep/judged-lines.ts';
import type { PrunedTrial } from '#research/sweep/pruning.ts';
import { searchLines } from '#research/sweep/search-verdict.ts';
import type { Sweep } from '#research/sweep/sweep.ts';
import { remarkOf } from '#research/sweep/sweep-headlines.ts';
import { METRICS } from '#research/sweep/sweep-ranking.ts';
import { trialTable } from '#research/sweep/sweep-table.ts';
import { printNote, printTable, printText } from './output.ts';

/** Number of trials that are shown. */
const SHOWN = 20;

/** Prints a sweep: its extent, headlines, best trials and log file. */
export function printSweep({ summary, quotes, from, played, ranking, pruned, first, best, headlines, log }: Sweep): void {
  printText(summary);
  const { wanted, known, finished, refused, pruned: stopped } = played;
  const early = stopped === 0 ? '' : `, ${stopped} of them stopped early`;
  const left = refused === 0 ? '' : `; combinations that their strategy refuses: ${refused}`;
  const before = known === 0 ? '' : `, ${known} of them known from before`;
  printText(`${finished} of ${counted(wanted, 'trial')} on ${quotes} quotes from ${isoTime(from)}${before}${early}${left}`);
  printHeadlines(headlines);
  if (ranking.trials.length === 0) return printText('no trial is finished');
  const { above, head, rows, below } = trialTable(ranking, pruned);
  printText(above);
  if (ranking.front !== null && ranking.front > 0) {
    const names = ranking.objectives.map((one) => METRICS[one].label).join(' and ');
    printText(
      `*: ${ranking.front} of ${ranking.ranked} trials that none betters by ${names} at once (Pareto front); on it by ${METRICS[ranking.by].label}`,
    );
  }
  printTable(
    head,
    rows.slice(0, SHOWN).map((row) => row.map(oneLine)),
    // A trial is one line where the terminal has room for what it is ranked by.
    {
      spare: head.filter((title) => /^(open|Sharpe|return|equity drawdown)/.test(title)),
      signed: head.filter((title) => /^(net profit|open|return)/.test(title)),
    },
  );
  if (rows.length > SHOWN) printText(`and ${rows.length - SHOWN} more; --out FILE.csv has all`);
  printNote(below);
  if (first) {
    printText(best ? `best: ${paramsText(best.trial.params)}` : `best: none; the least loss is that of ${paramsText(first.trial.params)}`);
    for (const line of judgedLines(first, 'trial', searchLines(first))) printText(line);
  }
  printText(`log: ${log}`);
}

/** Headlines of a study: notes are marked as such. */
export function printHeadlines(lines: readonly Headline[]): void {
  for (const { level, text } of lines) printText(level === 'note' ? `note: ${text}` : text);
}

/** Writes all trials, ranked: JSON if the file ends in `.json`, else CSV with a column for each parameter and figure. Throws USAGE. */
export function writeTrials({ ranking: { trials }, pruned }: Pick<Sweep, 'ranking' | 'pruned'>, file: string): void {
  try {
    writeFileSync(
      file,
      file.endsWith('.json')
        ? `${JSON.stringify([...trials, ...pruned.map(({ on, why }) => ({ ...on, pruned: why }))], null, 2)}\n`
        : csvOf(trials, pruned),
    );
  } catch (error) {
    throw new KairosError('USAGE', `--out ${file} cannot be written (${messageOf(error)}): name a file in a folder that exists`);
  }
}

function csvOf(ranked: readonly TrialResult[], pruned: readonly PrunedTrial[]): string {
  const trials = [...ranked, ...pruned.map(({ on }) => on)];
  const whys = new Map(pruned.map(({ on, why }) => [on.id, why]));
  const params = paramNames(trials);
  const figures = [...new Set(trials.flatMap((trial) => Object.keys(trial.figures)))];
  const head = ['id', 'from', 'to', ...params, ...figures, 'currency', 'fills', 'exact', 'played', 'refused', 'halted', 'failed', 'remark'];
  const rows = trials.map((trial) => [
    trial.id,
    isoTime(trial.from),
    trial.to === null ? '' : isoTime(trial.to),
    ...params.map((name) => paramIn(trial, name)),
    ...figures.map((id) => trial.figures[id] ?? ''),
    trial.currency ?? '',
    trial.fills,
    trial.exact,
    playOf(trial),
    trial.refusals.map(({ reason, count }) => `${count} ${reason}`).join('; '),
    trial.halted ?? '',
    trial.failed ?? '',
    whys.get(trial.id) ?? remarkOf(trial),
  ]);
  return csvText(head, rows);
}
