import type { RunReport } from '#assembly/reporting.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, note } from '#report/headline.ts';
import type { TrialStatistics } from '#report/luck.ts';
import { allOf, quotesIn } from '#research/backtest/played-lanes.ts';
import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import type { RankedTrial } from '#research/replay/trial-log.ts';
import type { ScreenedCount } from './confirmation.ts';
import type { PrunedTrial } from './pruning.ts';
import { screenedText, unscreenedHeadlines } from './screened-words.ts';
import { type SearchName, searchOf, spaceOf } from './search-method.ts';
import { judgedSearch, type SearchVerdict, searchLines, triedBeside } from './search-verdict.ts';
import { sweepSummary, viewOfSweep } from './search-view.ts';
import type { BatchOptions, BatchResult, SearchOptions, Study } from './study.ts';
import { sweepHeadlines } from './sweep-headlines.ts';
import { bestOf, metricsNamed, type Ranking, ranked } from './sweep-ranking.ts';
import { trialTable } from './sweep-table.ts';

/** A trial with its comparison against luck. */
interface Best extends SearchVerdict {
  readonly trial: TrialResult;
}

/** The result of a sweep. */
export interface Sweep {
  /** In one sentence. */
  readonly summary: string;
  readonly quotes: number;
  readonly from: Millis;
  /** Ids of the strategies that every trial plays: figures are of all of them together. */
  readonly strategies: readonly string[];
  readonly vary: readonly string[];
  readonly played: Omit<BatchResult, 'results'> & { readonly finished: number; readonly refused: number; readonly pruned: number };
  readonly search: SearchName;
  readonly ranking: Ranking;
  /** What was stopped before the end of the recording, in the order in which it was proposed. */
  readonly pruned: readonly PrunedTrial[];
  /** The first in the ranking; null if none is ranked. */
  readonly first: Best | null;
  /** The same if it has a profit; null if no trial can be named best. */
  readonly best: Best | null;
  /** What was tried beside the first of the trials, itself included; null where no trial is finished. */
  readonly tried: TrialStatistics | null;
  readonly headlines: readonly Headline[];
  /** What the screen played; absent where it was not asked for. */
  readonly screen?: ScreenedCount;
  readonly log: string;
  readonly remarks: readonly string[];
}

/** Tries combinations of parameters and ranks the results. Trials that are finished when the signal comes are ranked as well. */
export async function sweep(study: Study, wanted: SearchOptions, playing: BatchOptions): Promise<Sweep> {
  const { log, session } = study;
  const objectives = metricsNamed(wanted.by);
  const plan = study.plan(wanted);
  log.begin(study.description(wanted));
  const [searched] = await study.search([plan], playing);
  const { results, pruned, known, wanted: asked } = searched ?? { results: [], pruned: [], known: 0, wanted: 0 };
  const ranking = ranked(results, objectives[0], objectives);
  if (results.length + pruned.length === asked)
    log.keepRanking(ranking.trials.map((trial, n) => rankedTrial(trial, n < ranking.ranked ? n + 1 : null)));
  const [leading] = ranking.trials;
  const screened = study.screenedIn(searched ? [searched] : []);
  const beside = leading && study.triedWith(leading);
  const first =
    beside && ranking.ranked > 0
      ? {
          trial: leading,
          ...judgedSearch(leading, {
            ...beside,
            dimensions: spaceOf(study.varied(wanted)).dimensions,
            by: ranking.by,
            seed: `${wanted.seed} sweep`,
          }),
        }
      : null;
  const best = bestOf(ranking) ? first : null;
  return {
    summary: `${sweepSummary({ ranking, pruned, first, best })}${screenedText(screened)}`,
    ...(screened && { screen: screened }),
    quotes: allOf(session.lanes).reduce((sum, columns) => sum + quotesIn(columns, session), 0),
    from: session.from,
    strategies: study.strategies,
    vary: wanted.vary,
    search: searchOf(wanted),
    played: { wanted: asked, known, finished: results.length + pruned.length, refused: plan.searcher.refused, pruned: pruned.length },
    ranking,
    pruned,
    first,
    best,
    tried: beside ? (first ? triedBeside(leading, first, beside) : { count: beside.count, sharpes: [] }) : null,
    headlines: [...sweepHeadlines(ranking, study.headlines), ...(beside ?? log).headlines, ...unscreenedHeadlines(screened)],
    log: log.file,
    remarks: session.remarks,
  };
}

const rankedTrial = ({ id, params, figures }: TrialResult, rank: number | null): RankedTrial => ({
  ...{ id, params, rank },
  objective: figures.objective ?? null,
});

/** The report of the trial that stands first, that knows among how many it was chosen. Null where no trial is finished. */
export async function reportOfSweep(study: Study, of: Sweep): Promise<RunReport | null> {
  const { ranking, pruned, first, best, tried, headlines } = of;
  const [trial] = ranking.trials;
  if (!trial || !tried) return null;
  const place = best ? 'the best' : 'none is best, this one stands first';
  const chosen = note(`chosen among ${tried.count} trials (${place}): ${paramsText(trial.params)}`);
  const luck = first ? [...searchLines(first), `verdict of the search: ${first.verdict.text}`].map((line) => note(line)) : [];
  const ofTrial = new Set(study.headlines.map(({ text }) => text));
  const ofSweep = headlines.filter(({ level, text }) => level !== 'note' && !ofTrial.has(text));
  return study.reportOf(trial, {
    headlines: [...ofSweep, chosen, ...luck],
    tried,
    search: { view: viewOfSweep(of), table: trialTable(ranking, pruned) },
  });
}
