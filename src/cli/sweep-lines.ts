import { writeFileSync } from 'node:fs';
import { KairosError, messageOf } from '../domain/errors.ts';
import { isoTime } from '../domain/names.ts';
import { paramsText, type TrialResult } from '../replay/trial.ts';
import { oneLine } from '../report/decision-words.ts';
import { isKnown } from '../report/metrics/metric.ts';
import type { Sweep } from '../wiring/sweep/sweep.ts';
import { type Judged, METRICS, type MetricName, type Ranking } from '../wiring/sweep/sweep-ranking.ts';
import { figure } from './numbers.ts';
import { printLine, printTable } from './output.ts';

/** Trials that are shown. */
const SHOWN = 20;

/** Figures of which people want to see a share in percent. */
const SHARES: ReadonlySet<MetricName> = new Set(['totalReturn', 'winRate', 'maxDrawdown', 'volatility']);

export function printSweep({ quotes, from, played, ranking, best, log, remarks }: Sweep): void {
  const { wanted, known, finished, refused } = played;
  const left = refused === 0 ? '' : `; combinations that their strategy refuses: ${refused}`;
  const before = known === 0 ? '' : `, ${known} of them known from before`;
  printLine(`${finished} of ${wanted} trials on ${quotes} quotes from ${isoTime(from)}${before}${left}`);
  for (const remark of remarks) printLine(oneLine(`note: ${remark}`));
  if (!best) return printLine('no trial is finished');
  printLine(`ranked by ${METRICS[ranking.by].label} (${ranking.why})`);
  printRanking(ranking);
  printLine(`best: ${paramsText(best.trial.params)}${best.trial.failed === null ? '' : `, which ${oneLine(best.trial.failed)}`}`);
  for (const line of judgedLines(best, 'trials of these quotes')) printLine(line);
  printLine(`log: ${log}`);
}

function printRanking({ by, trials }: Ranking): void {
  const columns: readonly MetricName[] = [...new Set<MetricName>([by, 'netProfit', 'totalReturn', 'maxDrawdown', 'sharpe'])];
  const params = paramNames(trials);
  const rows = trials
    .slice(0, SHOWN)
    .map((trial, place) => [
      String(place + 1),
      ...params.map((name) => paramIn(trial, name)),
      ...columns.map((metric) => metricText(trial, metric)),
      String(trial.figures.trades ?? 0),
      trial.failed ?? (trial.halted === null ? '' : `halted: ${trial.halted}`),
    ]);
  printTable(
    ['', ...params, ...columns.map((metric) => METRICS[metric].label), 'trades', ''],
    rows.map((row) => row.map(oneLine)),
  );
  if (trials.length > SHOWN) printLine(`and ${trials.length - SHOWN} more; --out FILE.csv has all`);
}

/** What stands beside a result that was chosen among others; `tried` says what they were. */
export function judgedLines({ verdict, trials, sharpe, deflated, totalReturn }: Judged, tried: string): readonly string[] {
  const percent = (share: number): string => `${figure(share * 100, 2)} %`;
  const sure = isKnown(deflated) ? percent(deflated) : `n/a (${deflated.why})`;
  const yearly = isKnown(sharpe) ? figure(sharpe, 3) : `n/a (${sharpe.why})`;
  const band = totalReturn ? `${percent(totalReturn.p5)} to ${percent(totalReturn.p95)}` : 'n/a (needs 10 whole days)';
  return [
    `Sharpe ratio ${yearly}; deflated for ${trials} ${tried}: ${sure}`,
    `return of 90 % of paths drawn anew from its days, in blocks: ${band}`,
    `verdict: ${verdict.text}`,
  ];
}

export function metricText({ figures }: Pick<TrialResult, 'figures'>, metric: MetricName): string {
  const value = figures[metric] ?? null;
  if (value === null) return 'n/a';
  return SHARES.has(metric) ? `${(value * 100).toFixed(4)} %` : figure(value, 4);
}

/** Writes all trials, ranked: JSON for a file of that name, else CSV with a column for each parameter and figure. Throws USAGE. */
export function writeTrials({ trials }: Ranking, file: string): void {
  try {
    writeFileSync(file, file.endsWith('.json') ? `${JSON.stringify(trials, null, 2)}\n` : csvOf(trials));
  } catch (error) {
    throw new KairosError('USAGE', `--out ${file} cannot be written (${messageOf(error)}): name a file in a folder that exists`);
  }
}

function csvOf(trials: readonly TrialResult[]): string {
  const params = paramNames(trials);
  const figures = [...new Set(trials.flatMap((trial) => Object.keys(trial.figures)))];
  const head = ['id', 'from', 'to', ...params, ...figures, 'fills', 'exact', 'halted', 'failed'];
  const rows = trials.map((trial) => [
    trial.id,
    isoTime(trial.from),
    trial.to === null ? '' : isoTime(trial.to),
    ...params.map((name) => paramIn(trial, name)),
    ...figures.map((id) => trial.figures[id] ?? ''),
    trial.fills,
    trial.exact,
    trial.halted ?? '',
    trial.failed ?? '',
  ]);
  return `${[head, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

const cell = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

function paramNames(trials: readonly TrialResult[]): readonly string[] {
  return [
    ...new Set(
      trials.flatMap(({ params }) => Object.entries(params).flatMap(([id, values]) => Object.keys(values).map((name) => `${id}.${name}`))),
    ),
  ];
}

function paramIn({ params }: TrialResult, name: string): string {
  const [id = '', param = ''] = name.split('.');
  return String(params[id]?.[param] ?? '');
}
