import { isLimitReason } from '#domain/limits.ts';
import { type Headline, headline, inOrder } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import { percentText } from '#report/text.ts';
import { currencyText, cutDaysOf, moneyOf, paramIn, paramNames, paramsText, type TrialResult } from '#research/replay/trial.ts';
import { bestOf, isRuined, type Ranking, unrankedText, unrankedWhy, unvaluedText } from './sweep-ranking.ts';

/** Round trips below which a result says nothing, as for the paths that a report draws anew. */
const ENOUGH_TRADES = 10;

/** The headlines of a sweep: events in its trials, and whether one of them can be named best. */
export function sweepHeadlines(ranking: Ranking, own: readonly Headline[]): readonly Headline[] {
  return inOrder([...trialsHeadlines(ranking.trials, own), ...verdictOf(ranking), ...noEffectHeadlines(ranking.trials), ...own]);
}

/**
 * What happened in trials, one line for each kind of it and strategy: in how many, and the first of them. `own`: what the study says of
 * itself, which is not said again of its trials.
 */
export function trialsHeadlines(trials: readonly TrialResult[], own: readonly Headline[]): readonly Headline[] {
  const said = new Set(own.map(kindOf));
  const kinds = new Map<string, { readonly first: Headline; readonly of: TrialResult; count: number }>();
  for (const trial of trials) {
    const lines = trial.headlines.filter((line) => !said.has(kindOf(line)));
    for (const [kind, [first]] of Map.groupBy(lines, kindOf)) {
      const known = kinds.get(kind);
      if (known) known.count += 1;
      else if (first) kinds.set(kind, { first, of: trial, count: 1 });
    }
  }
  return [...kinds.values()].map(({ first, of, count }) => ({
    ...first,
    text: `${count} of ${trials.length} ${trials.length === 1 ? 'trial' : 'trials'}: ${first.text}${inText(of)}`,
  }));
}

const kindOf = ({ code, strategy }: Headline): string => `${code} ${strategy ?? ''}`;

const inText = ({ params }: TrialResult): string => (Object.keys(params).length === 0 ? '' : ` (${paramsText(params)})`);

function verdictOf(ranking: Ranking): readonly Headline[] {
  const { trials, ranked } = ranking;
  if (trials.length === 0) return [];
  if (ranked === 0) return [headline('NO_RANKED_TRIAL', `no trial can be ranked: ${unrankedText(ranking)}`)];
  const best = bestOf(ranking);
  if (!best) return [headline('ALL_LOST', lossText(ranking))];
  const trades = best.figures.trades ?? 0;
  const closes = trades === 1 ? '1 round trip' : `${trades} round trips`;
  const few = `too few trades: the best trial closed ${closes}, and below ${ENOUGH_TRADES} a result says nothing`;
  return trades < ENOUGH_TRADES ? [headline('FEW_TRADES', few)] : [];
}

/** The line that every trial that can be ranked lost, and how much. */
export function lossText({ trials, ranked }: Pick<Ranking, 'trials' | 'ranked'>): string {
  const able = trials.slice(0, ranked);
  const profits = able.flatMap(({ figures: { netProfit } }) => netProfit ?? []).sort((a, b) => a - b);
  const [lowest, highest] = [profits[0], profits.at(-1)];
  if (lowest === undefined || highest === undefined) return 'no trial earned: none has a net profit';
  const [most, least] = moneyOf(able, lowest, highest);
  const what = ranked === trials.length ? 'trial lost' : `trial that can be ranked (${ranked} of ${trials.length}) lost`;
  const lost = ranked === 1 ? `the only ${what}: net profit ${most}` : `every ${what}: net profit from ${most} to ${least}`;
  const ruined = able.filter(isRuined).length;
  return `${lost}${currencyText(able)}${ruined > 0 ? ` (${ruined} lost all the capital on the way)` : ''}, so that none is named best`;
}

/** Reasons of refusals that come of a limit or budget, beside the codes of limits. */
const HELD_TOO: ReadonlySet<string> = new Set(['BUDGET', 'REDUCING']);

/** Number of trials in which limits kept orders back, and of those in which each limit did, the most frequent first. */
export interface LimitTally {
  readonly trials: number;
  readonly of: number;
  readonly limits: readonly { readonly reason: string; readonly trials: number }[];
}

/** In how many trials limits kept orders back, and which. */
export function heldIn(trials: readonly TrialResult[]): LimitTally {
  const held = trials.map(({ refusals, headlines }) => [
    ...refusals.flatMap(({ reason }) => (isLimitReason(reason) || HELD_TOO.has(reason) ? reason : [])),
    ...(headlines.some(({ code, level }) => code === 'STRATEGY_DISABLED' && level === 'stopped') ? ['RUNAWAY'] : []),
  ]);
  const limits = [...Map.groupBy(held.flat(), (reason) => reason)].map(([reason, { length }]) => ({ reason, trials: length }));
  return {
    trials: held.filter((reasons) => reasons.length > 0).length,
    of: trials.length,
    limits: limits.sort((a, b) => b.trials - a.trials),
  };
}

/** The same as the end of a sentence; empty where no limit held. */
export const heldText = ({ trials, of, limits }: LimitTally): string =>
  trials === 0
    ? ''
    : `; limits held back ${trials} of ${counted(of, 'trial')}: ${limits.map((one) => `${one.reason} ${one.trials}`).join(', ')}`;

/** What a table says beside a trial: why it is not ranked, what stopped it, or what was refused most. */
export function remarkOf(trial: TrialResult): string {
  const { failed, headlines, refusals, figures, fills, isThin } = trial;
  if (failed !== null) return failed;
  const [refused] = refusals;
  const never =
    headlines.find(({ code }) => code === 'NEVER_TRADED') ??
    headlines.find(({ code, strategy }) => code === 'NOT_RECORDED' && strategy !== null);
  if (fills === 0) return never ? never.text : 'no trade';
  const parts = [
    ...(unrankedWhy(trial) === 'no value' ? [unvaluedText(trial)] : []),
    ...headlines.filter(({ level }) => level === 'stopped').map(({ text }) => text),
    ...(isThin ? ['fewer trades than --min-trades'] : []),
    ...(!isThin && (figures.trades ?? 0) < ENOUGH_TRADES ? ['too few trades'] : []),
    ...(isBySharpeAlone(trial) ? [`its Sharpe ratio leaves out ${percentText(cutDaysOf(trial))} of days cut by begin, end or a hole`] : []),
    ...(refused
      ? [
          `refused ${refused.count} ${refused.reason}${refusals.length > 1 ? ` and for ${counted(refusals.length - 1, 'other reason')}` : ''}`,
        ]
      : []),
  ];
  return parts.join('; ');
}

/** Whole days say profit and all days loss, or the other way round. */
function isBySharpeAlone({ figures: { sharpe, netProfit } }: TrialResult): boolean {
  return typeof sharpe === 'number' && typeof netProfit === 'number' && sharpe * netProfit < 0;
}

/**
 * Parameters of which every value came to the same, one line for all of them. A value at which a trial failed or never traded, while another one
 * traded, is an effect; where none traded nothing is said of any.
 */
export function noEffectHeadlines(trials: readonly TrialResult[]): readonly Headline[] {
  const names = paramNames(trials);
  const idle = names.filter((name) => changesNothing(trials, { name, others: names.filter((other) => other !== name) }));
  if (idle.length === 0) return [];
  const what = `trials that differ in ${idle.length === 1 ? 'it' : 'one of them'} alone came out the same; does the strategy use ${idle.length === 1 ? 'it' : 'them'}?`;
  return [headline('NO_EFFECT', `no effect: ${idle.join(', ')}; ${what}`)];
}

/** True where there are trials that differ in the parameter alone, of which one can be ranked, and all of these came to the same. */
function changesNothing(
  trials: readonly TrialResult[],
  { name, others }: { readonly name: string; readonly others: readonly string[] },
): boolean {
  const alike = Map.groupBy(trials, (trial) => JSON.stringify([trial.from, trial.to, ...others.map((other) => paramIn(trial, other))]));
  const compared = [...alike.values()].filter(
    (group) => new Set(group.map((trial) => paramIn(trial, name))).size > 1 && group.some((trial) => unrankedWhy(trial) === undefined),
  );
  return compared.length > 0 && compared.every((group) => new Set(group.map(cameTo)).size === 1);
}

const cameTo = (trial: TrialResult): string =>
  JSON.stringify([unrankedWhy(trial) ?? null, trial.figures, trial.days, trial.fills, trial.refusals]);
