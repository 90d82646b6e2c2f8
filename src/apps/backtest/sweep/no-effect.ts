import { paramIn, paramNames, type TrialResult } from '#apps/backtest/replay/trial.ts';
import { type Headline, headline } from '#report/headline.ts';
import { unrankedWhy } from './sweep-ranking.ts';

/** Parameters of which every value came to the same, one line for all of them; trials that did not trade say nothing of any. */
export function noEffectHeadlines(trials: readonly TrialResult[]): readonly Headline[] {
  const able = trials.filter((trial) => unrankedWhy(trial) === undefined);
  const names = paramNames(able);
  const idle = names.filter((name) => changesNothing(able, { name, others: names.filter((other) => other !== name) }));
  if (idle.length === 0) return [];
  const what = `trials that differ in ${idle.length === 1 ? 'it' : 'one of them'} alone came out the same; does the strategy use ${idle.length === 1 ? 'it' : 'them'}?`;
  return [headline('NO_EFFECT', `no effect: ${idle.join(', ')}; ${what}`)];
}

/** True where there are trials that differ in the parameter alone, and all of these came to the same. */
function changesNothing(
  trials: readonly TrialResult[],
  { name, others }: { readonly name: string; readonly others: readonly string[] },
): boolean {
  const alike = Map.groupBy(trials, (trial) => JSON.stringify([trial.from, trial.to, ...others.map((other) => paramIn(trial, other))]));
  const compared = [...alike.values()].filter((group) => new Set(group.map((trial) => paramIn(trial, name))).size > 1);
  return compared.length > 0 && compared.every((group) => new Set(group.map(cameTo)).size === 1);
}

const cameTo = ({ figures, days, fills, refusals }: TrialResult): string => JSON.stringify([figures, days, fills, refusals]);
