import { fixedText, shareText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { isKnown } from '#report/metrics/metric.ts';
import { compounded } from '#report/metrics/returns.ts';
import type { FoldsView, InAndOut, ScatterView, SearchView } from '#report/search-view.ts';
import { capital, changeWords, counted, ENOUGH_TRADES } from '#report/summary.ts';
import { currencyText, moneyOf, paramNames, paramsText, type TrialResult, valueIn } from '#research/replay/trial.ts';
import { judgedLines } from './judged-lines.ts';
import { openText } from './open-profit.ts';
import type { PrunedTrial } from './pruning.ts';
import { type SearchVerdict, searchLines } from './search-verdict.ts';
import { heldIn, heldText } from './sweep-headlines.ts';
import { failedIn, type Ranking, type RankMetric, unrankedText, unrankedWhy } from './sweep-ranking.ts';
import { foldHead, foldRows, labelOf, MONEY, SHARES } from './sweep-table.ts';
import type { WalkForward } from './walk-forward.ts';

/** Shares of the best figure that its neighbours reach: a plateau from the first, a peak below the second. */
const [PLATEAU, PEAK] = [0.7, 0.3];

/** Number of results from which ranks in and out of sample can be compared. */
const ENOUGH_POINTS = 5;

/** Number of days from which two halves are compared. */
const ENOUGH_DAYS = 4;

/** The result of a sweep. */
interface SweepOutcome {
  readonly ranking: Ranking;
  readonly pruned: readonly PrunedTrial[];
  /** The first in the ranking; null if none is ranked. */
  readonly first: FirstTrial | null;
  /** The same if it has a profit. */
  readonly best: FirstTrial | null;
}

interface FirstTrial extends SearchVerdict {
  readonly trial: TrialResult;
}

/** The result of a sweep in one sentence, the same on the terminal, in JSON and on the page. */
export function sweepSummary({ ranking, pruned, first, best }: SweepOutcome): string {
  const all = ranking.trials.length + pruned.length;
  const tried = counted(all, 'trial');
  if (ranking.trials.length === 0) return `No trial is finished: ${tried} stopped early`;
  if (!first) return `None of ${tried} can be ranked: ${unrankedText(ranking)}`;
  const failed = failedIn(ranking);
  const others = failed === 0 ? tried : `the other ${all - failed}`;
  const only = failed === 0 ? 'the only trial' : 'the other trial';
  const among =
    all - failed === 1
      ? { best: only, lost: `${only},` }
      : { best: `the best of ${others}`, lost: lostText(ranking, all - failed, others) };
  return capital(
    `${failed === 0 ? '' : `${failed} of ${tried} failed; `}${firstText(first, among, best !== null)}${heldText(heldIn(ranking.trials))}`,
  );
}

/** That none of so many trials earned; those that never traded or were stopped early have not lost. */
const lostText = ({ ranked }: Ranking, count: number, of: string): string =>
  ranked === count ? `every one of ${of} lost: the least with` : `none of ${of} made a profit: at best`;

function firstText(first: FirstTrial, among: { readonly best: string; readonly lost: string }, isBest: boolean): string {
  const { params, figures, halted } = first.trial;
  const { totalReturn = null, trades = 0 } = figures;
  const made = `${totalReturn === null ? 'has no return' : changeWords(totalReturn)} in ${counted(trades ?? 0, 'trade')}${openText(first.trial)}`;
  const of = `${paramsText(params)} ${made}${halted === null ? '' : `, halted by ${halted}`}`;
  if (!isBest) return `${among.lost} ${of}`;
  if ((trades ?? 0) < ENOUGH_TRADES) return `too few trades to judge: ${among.best}, ${of}`;
  return `${among.best}, ${of}; ${first.verdict.text}`;
}

/** Whether settings near the best one do as well, in one sentence. */
export function plateauText(first: FirstTrial | null): string | null {
  if (!first) return null;
  const { plateau } = first;
  if (!isKnown(plateau)) return `Plateau or peak cannot be said: ${plateau.why}.`;
  const kept = `settings next to the best keep ${fixedText(plateau * 100, 0)} % of its figure`;
  if (plateau >= PLATEAU) return `A plateau: ${kept}.`;
  return plateau < PEAK
    ? `A peak that stands alone: ${kept}, and a small change of the market may be enough to lose it.`
    : `A slope: ${kept}.`;
}

/** The data of a sweep's page. */
export function viewOfSweep(sweep: SweepOutcome): SearchView {
  const { ranking, first } = sweep;
  const names = paramNames(ranking.trials);
  const figures: readonly RankMetric[] = [
    ...new Set<RankMetric>([ranking.by, ...ranking.objectives, 'totalReturn', 'netProfit', 'maxDrawdown', 'sharpe']),
  ].filter((name) => ranking.trials.some((trial) => typeof trial.figures[name] === 'number'));
  return {
    summary: sweepSummary(sweep),
    parameters: names,
    figures: figures.map((name) => ({
      name: labelOf(name, ranking.trials),
      isShare: SHARES.has(name),
      currency: MONEY.has(name) ? currencyText(ranking.trials).trim() : null,
    })),
    points: ranking.trials.map((trial) => ({
      values: names.map((name) => valueIn(trial, name) ?? null),
      figures: figures.map((name) => trial.figures[name] ?? null),
      isRanked: unrankedWhy(trial) === undefined,
    })),
    first: first ? 0 : null,
    plateau: plateauText(first),
    halves: halvesOf(ranking.trials),
    luck: first ? judgedLines(first, 'trial', searchLines(first)) : [],
  };
}

/** Each trial's return on the first half of the days and on the second: the one that was best on the first is what would have been chosen. */
function halvesOf(trials: readonly TrialResult[]): ScatterView | string {
  const able = trials.filter((trial) => unrankedWhy(trial) === undefined);
  // One that was halted has fewer.
  const days = able.reduce((most, trial) => Math.max(most, trial.days.length), 0);
  if (able.length < 3) return `it needs three trials that can be ranked, there ${able.length === 1 ? 'is' : 'are'} ${able.length}`;
  if (days < ENOUGH_DAYS) return `it needs ${ENOUGH_DAYS} days, there are ${days}`;
  const half = Math.floor(days / 2);
  const made = (trial: TrialResult, from: number, to: number): number => compounded(trial.days.slice(from, to).map((day) => day.return));
  const all = able.map((trial) => ({
    label: paramsText(trial.params),
    inSample: made(trial, 0, half),
    outOfSample: made(trial, half, days),
  }));
  const best = all.reduce((a, b) => (b.inSample > a.inSample ? b : a));
  const points = all.map((one): InAndOut => ({ ...one, isChosen: one === best }));
  const below = all.filter(({ outOfSample }) => outOfSample < best.outOfSample).length;
  const place = `better than ${below} of the ${all.length - 1} others there`;
  const told = `Who chose by the first half takes ${best.label}: it ${changeWords(best.inSample)} there and ${changeWords(best.outOfSample)} on the second half, ${place}; ${rankText(points)}.`;
  return { x: 'return on the first half of the days', y: 'return on the second half', points, says: told };
}

/** How well ranks in sample predict ranks out of sample (Spearman's rank correlation), in words. */
function rankText(points: readonly InAndOut[]): string {
  if (points.length < ENOUGH_POINTS) return 'too few to say whether what was good in sample was good out of it';
  const ranks = (values: readonly number[]): readonly number[] => {
    const order = values.toSorted((a, b) => a - b);
    return values.map((one) => (order.indexOf(one) + order.lastIndexOf(one)) / 2);
  };
  const [x, y] = [ranks(points.map(({ inSample }) => inSample)), ranks(points.map(({ outOfSample }) => outOfSample))];
  const losers = points.filter(({ inSample }) => inSample <= 0).length;
  if (losers * 2 > points.length)
    return `${losers} of ${points.length} earned nothing in sample: their order says how much they traded, not what is good`;
  const mean = (points.length - 1) / 2;
  const sum = (of: (n: number) => number): number => points.reduce((all, _, n) => all + of(n), 0);
  const spread = Math.sqrt(sum((n) => ((x[n] ?? 0) - mean) ** 2) * sum((n) => ((y[n] ?? 0) - mean) ** 2));
  if (spread === 0) return 'all made the same on one of them';
  const r = sum((n) => ((x[n] ?? 0) - mean) * ((y[n] ?? 0) - mean)) / spread;
  const words =
    r >= 0.5
      ? 'what was good in sample was mostly good out of it'
      : r <= -0.2
        ? 'what was good in sample was rather bad out of it'
        : 'what was good in sample says little of out of it';
  return `${words} (rank correlation ${fixedText(r, 2)})`;
}

/** The result of a walk-forward or of folds in one sentence. */
export function foldsSummary({ steps, outOfSample, wanted, finished, held }: WalkForward): string {
  if (!outOfSample) return `Not every fold is finished: ${finished} of ${counted(wanted, 'trial')}`;
  const played = steps.filter(({ test }) => test !== null).length;
  if (played === 0) {
    const first = steps.length === 1 ? '' : `in the first of ${steps.length} folds `;
    return `Nothing was traded out of sample: ${first}${steps[0]?.why}${heldText(held)}`;
  }
  const { totalReturn, promised, fills, verdict } = outOfSample;
  const result = `out of sample it ${changeWords(totalReturn)} with ${counted(fills, 'fill')} in ${played} of ${counted(steps.length, 'test')}, where the trainings, scaled to the length of the tests, promised to have ${changeWords(promised)}; ${verdict.text}${heldText(held)}`;
  return capital(`${brokenTests(steps)}${result}`);
}

/** That a strategy failed in tests, or that they could not be played: neither is a result. */
function brokenTests(steps: WalkForward['steps']): string {
  const broken = steps.filter(({ test }) => test !== null && test.failed !== null);
  const [first] = broken;
  if (!first) return '';
  const isPlayed = broken.some(({ test }) => test?.headlines.some(({ level }) => level === 'failed'));
  const what = isPlayed ? 'had a strategy that failed' : 'could not be played';
  return `${broken.length} of ${counted(steps.length, 'test')} ${what}, ${broken.length === 1 ? 'that' : 'the first'} from ${isoTime(first.fold.test.from)}; `;
}

/** What the chained tests made, alike on a terminal and on a page. */
export function chainLines(
  { totalReturn, promised, netProfit, fills, drawdown }: NonNullable<WalkForward['outOfSample']>,
  steps: WalkForward['steps'],
): readonly string[] {
  const tests = steps.map(({ test }) => test);
  const made = netProfit === null ? 'n/a' : `${moneyOf(tests, netProfit)}${currencyText(tests)}`;
  return [
    `out of sample: return ${shareText(totalReturn)}, where each test goes on with what the one before left (the trainings promised ${shareText(promised)} for as long)`,
    `net profit ${made}, the sum of the tests, each of which begins with the capital anew; ${fills} fills, maximum equity drawdown ${shareText(drawdown)} at the ends of days and tests`,
  ];
}

/** A walk-forward or folds as a page draws them; `luck`: the lines that judge it. */
export function viewOfFolds(result: WalkForward, title: string, luck: readonly string[]): FoldsView {
  const { steps, headlines } = result;
  const outOfSample = steps.some(({ test }) => test !== null) ? result.outOfSample : null;
  const points = steps.flatMap(({ fold, train, test }): InAndOut[] => {
    const [inSample, out] = [train?.figures.totalReturn, test?.figures.totalReturn];
    if (!train || typeof inSample !== 'number' || typeof out !== 'number') return [];
    return [
      {
        label: `test from ${isoTime(fold.test.from).slice(0, 16)}, ${paramsText(train.params)}`,
        inSample,
        outOfSample: out,
        isChosen: true,
      },
    ];
  });
  const kept = points.filter(({ outOfSample: out }) => out > 0).length;
  return {
    title,
    summary: foldsSummary(result),
    verdict: outOfSample?.verdict ?? null,
    headlines: headlines.map(({ level, text }) => ({ level, text })),
    scatter:
      points.length < 2
        ? `it needs two tests that were played, there ${points.length === 1 ? 'is' : 'are'} ${points.length}`
        : {
            ...{ x: 'return in the training', y: 'return in the test', points },
            says: `${kept} of ${points.length} tests made a profit with what was best in their training; ${rankText(points)}.`,
          },
    table: {
      head: foldHead(result),
      rows: foldRows(result).map((cells, index) => [
        isoTime(steps[index]?.fold.test.from ?? 0)
          .slice(0, 16)
          .replace('T', ' '),
        ...cells,
      ]),
    },
    equity: outOfSample?.equity ?? [],
    from: steps[0]?.fold.test.from ?? 0,
    to: steps.at(-1)?.fold.test.to ?? 0,
    luck: outOfSample ? [...chainLines(outOfSample, steps), ...luck] : [],
  };
}
