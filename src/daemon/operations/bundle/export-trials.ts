import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Bundle } from '#adapters/export/bundle.ts';
import type { BundleRow } from '#adapters/export/schema.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { playOf, type TrialResult } from '#research/replay/trial.ts';
import { KeptTrials, type RankedTrial } from '#research/replay/trial-log.ts';
import { trialLogs } from '#research/sweep/sweep-config.ts';
import { aboutRows, type ExportResult } from './export-run.ts';
import { parameterRows } from './run-rows.ts';

/** The log that a name or a path means; undefined for what may name something else. Throws NOT_FOUND for a log that is not there. */
export function trialLogNamed(settings: Pick<Settings, 'journal'>, name: string): string | undefined {
  if (name.endsWith('.jsonl') && existsSync(name)) return name;
  const kept = path.join(trialLogs(settings), `${path.basename(name, '.jsonl')}.jsonl`);
  if (existsSync(kept)) return kept;
  if (!name.endsWith('.jsonl')) return undefined;
  throw new KairosError('NOT_FOUND', `there is no ${name}: sweeps are kept in ${trialLogs(settings)}`);
}

/**
 * Writes the trials of the last sweep, or of the last one in a log; of all on its quotes and strategies where that is not finished, and for a
 * walk-forward. Throws NOT_FOUND where there is none, EXPORT_FAILED.
 */
export function exportTrials(
  settings: Pick<Settings, 'journal'>,
  { dir, log }: { readonly dir: string; readonly log?: string },
): ExportResult {
  const last = log === undefined ? lastLog(settings) : KeptTrials.read(log, () => true);
  const sweep = last?.last;
  if (!last || !sweep) {
    const why = log === undefined ? `no sweep is in ${trialLogs(settings)}` : `${log} is no log of a sweep`;
    throw new KairosError('NOT_FOUND', `${why}: \`kairos sweep --vary\` plays one`);
  }
  const bundle = new Bundle(dir);
  try {
    bundle.insert('about', aboutRows({ log: last.file, vary: sweep.vary.join(' '), data: sweep.data, config: sweep.config }));
    const { ranking } = last;
    const trials = ranking?.flatMap((one) => exportedTrial(last.known(one.id), one)) ?? last.all;
    bundle.insert('trials', trials.map(trialRow));
    bundle.insert('parameters', trials.flatMap(parametersOf));
    const all = 'its last sweep is not finished, or was a walk-forward: these are the trials of all sweeps on its quotes and strategies';
    return { rows: bundle.finish(), notes: [...(ranking ? [] : [all]), ...last.headlines.map(({ text }) => text)] };
  } catch (error) {
    bundle.abandon();
    throw error;
  }
}

/** The log that was written to last. */
function lastLog(settings: Pick<Settings, 'journal'>): KeptTrials | undefined {
  const logs = KeptTrials.readAll(trialLogs(settings), () => true);
  return logs.toSorted((a, b) => statSync(b.file).mtimeMs - statSync(a.file).mtimeMs)[0];
}

type ExportedTrial = TrialResult & Partial<Pick<RankedTrial, 'rank' | 'objective'>>;

const exportedTrial = (trial: TrialResult | undefined, ranked: RankedTrial): readonly ExportedTrial[] =>
  trial ? [{ ...trial, ...ranked }] : [];

function trialRow(exported: ExportedTrial): BundleRow<'trials'> {
  const { id, from, to, fills, figures, currency, halted, failed, rank, objective } = exported;
  const figure = (name: string): number | null => figures[name] ?? null;
  return {
    trial: id,
    rank: rank ?? null,
    from_at: isoTime(from),
    to_at: to === null ? null : isoTime(to),
    played: playOf(exported),
    fills,
    trades: figure('trades'),
    net_profit: figure('netProfit'),
    total_return: figure('totalReturn'),
    max_drawdown: figure('maxDrawdown'),
    sharpe: figure('sharpe'),
    sortino: figure('sortino'),
    calmar: figure('calmar'),
    omega: figure('omega'),
    profit_factor: figure('profitFactor'),
    win_rate: figure('winRate'),
    expectancy: figure('expectancy'),
    sqn: figure('sqn'),
    volatility: figure('volatility'),
    profit_over_drawdown: figure('profitOverDrawdown'),
    objective: objective ?? null,
    currency: currency ?? null,
    halted,
    failed,
  };
}

const parametersOf = ({ id: trial, params }: TrialResult): readonly BundleRow<'parameters'>[] =>
  Object.entries(params).flatMap(([id, values]) => parameterRows({ id, params: values }, trial));
