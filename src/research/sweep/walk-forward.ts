import { durationText } from '#domain/duration-text.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS, dayEnd, dayOf, dayOfPrices } from '#domain/utc-day.ts';
import { type TimeSpan, tradedMs } from '#report/equity/empty-times.ts';
import { type Headline, headline, inOrder, note } from '#report/headline.ts';
import { compounded, maxDrawdown } from '#report/metrics/returns.ts';
import { notDistinct } from '#report/metrics/significance.ts';
import { counted } from '#report/summary.ts';
import { settingOf, shortHash, type TrialDay, type TrialJob, type TrialResult } from '#research/replay/trial.ts';
import { type Fold, type FoldSpan, foldsOf, type WindowOptions } from '#research/sweep/folds.ts';
import type { SearchPlan } from './rounds.ts';
import { screenHeadlines } from './screened-words.ts';
import { isAdaptive, searchOf } from './search-method.ts';
import type { BatchOptions, SearchOptions, Study } from './study.ts';
import { heldIn, type LimitTally, lossText, noEffectHeadlines, trialsHeadlines } from './sweep-headlines.ts';
import { bestOf, judged, type LuckVerdict, metricsNamed, type Ranking, ranked, unrankedText } from './sweep-ranking.ts';

interface WalkForwardOptions extends SearchOptions, WindowOptions {}

/** One step: the best of the training, and its result on the test. */
interface Step {
  readonly fold: Fold;
  /** The first of the training's ranking; null if no trial was ranked. */
  readonly train: TrialResult | null;
  /** Null where nothing of the training was worth picking, or the test has no quote: it is not traded, and counts as days without a change. */
  readonly test: TrialResult | null;
  /** Why the test is not traded; null where it is. */
  readonly why: string | null;
}

/** The result of a walk-forward, step by step and out of sample. */
export interface WalkForward {
  readonly by: Pick<Ranking, 'by' | 'why'>;
  readonly steps: readonly Step[];
  /** Trials of all trainings and tests; finished less than wanted where the signal came. */
  readonly wanted: number;
  readonly finished: number;
  /** Null where not every step is finished. */
  readonly outOfSample: OutOfSample | null;
  /** Trials of trainings and tests that limits held back. */
  readonly held: LimitTally;
  readonly headlines: readonly Headline[];
  /** Ids of the strategies that every trial plays: figures are of all of them together. */
  readonly strategies: readonly string[];
  readonly log: string;
  readonly remarks: readonly string[];
}

/** All tests, one after the other, as one result: none of its parameters was chosen on quotes that it is made of. */
interface OutOfSample extends LuckVerdict {
  /** Sum of the tests, each of which begins with the whole capital anew, in the account's currency. */
  readonly netProfit: number | null;
  /** The chained return: each test goes on with the equity that the one before left. */
  readonly totalReturn: number;
  /** Of the trainings, by the same rule, each scaled to the length of its test: what the best parameters promised for the same time. */
  readonly promised: number;
  /** Deepest fall of the chained equity, at the ends of days and of tests. */
  readonly drawdown: number;
  /** The chained equity at the end of each day and test, 1 at first. */
  readonly equity: readonly { readonly at: Millis; readonly value: number }[];
  readonly fills: number;
}

/**
 * Chooses parameters on one stretch of the recording and holds them against the next one, over and over. Each window
 * begins flat; signals of a test have seen the quotes before it. Throws USAGE for what cannot be varied or cut.
 */
export async function walkForward(study: Study, options: WalkForwardOptions, playing: BatchOptions): Promise<WalkForward> {
  const folds = foldsOf({ from: study.session.from, to: study.end }, options, study.session.empty);
  const planOf: Folding['planOf'] = ({ train }, seed) => study.plan(options, train, seed);
  const { trainMs, testMs, embargoMs, anchored } = options;
  const mark = [trainMs, testMs, embargoMs, anchored];
  return foldsPlayed(study, options, playing, {
    ...{ folds, mark, planOf, mend: 'a longer --test avoids it', headlines: untested(folds, study.end, testMs) },
  });
}

/** That tests have no quote, as those of a weekend: nothing can trade in them. */
function unquotedTests(study: Study, { folds, mend }: Pick<Folding, 'folds' | 'mend'>): readonly Headline[] {
  const without = folds.filter(({ test }) => !study.isQuoted(test));
  const [first] = without;
  if (!first) return [];
  const text = `${without.length} of ${counted(folds.length, 'test')} ${without.length === 1 ? 'has' : 'have'} no quote and cannot trade, from ${isoTime(first.test.from)}${without.length > 1 ? ' on' : ''}: ${mend}`;
  return [{ ...note(text), at: first.test.from }];
}

/** Folds and how each is searched. */
interface Folding {
  readonly folds: readonly Fold[];
  /** How the recording was cut: with the trials it names a walk-forward, which stays the same while the recording grows. */
  readonly mark: readonly unknown[];
  /** The length of a test over that of its training, by which what a training promised is scaled; that of their windows without it. */
  readonly perTest?: number;
  /** What avoids tests without a quote. */
  readonly mend: string;
  /** What is to be said of how the recording was cut. */
  readonly headlines?: readonly Headline[];
  readonly planOf: (fold: Fold, seed: string) => SearchPlan;
}

/** Chooses on each training, plays what was chosen on its test, and chains the tests. Throws USAGE for what cannot be searched so. */
export async function foldsPlayed(
  study: Study,
  options: SearchOptions,
  playing: BatchOptions,
  { folds, mark, perTest, planOf, mend, headlines = [] }: Folding,
): Promise<WalkForward> {
  const { session, log } = study;
  const [by, ...others] = metricsNamed(options.by);
  if (others.length > 0) throw new KairosError('USAGE', `--by ${options.by}: each training picks one trial, by one figure; name one`);
  // Searches that draw do so for each training anew; the first one is that of a sweep.
  const plans = folds.map((fold, n) => planOf(fold, isAdaptive(searchOf(options)) ? `${options.seed}/${n}` : options.seed));
  const idle = unquotedTests(study, { folds, mend });
  for (const { text } of idle) playing.onNote?.(text);
  const description = study.description(options);
  log.begin({ ...description, isWalk: true });
  const training = folds.reduce((sum, { train }, n) => sum + (plans[n]?.searcher.budget ?? 0) * (train.to - train.from), 0);
  const testing = folds.reduce((sum, { test }) => sum + test.to - test.from, 0);
  const share = (before: number, of: number) => (done: number) => playing.onShare((before + done * of) / (training + testing));
  const searched = await study.search(plans, { ...playing, onShare: share(0, training) });
  const tried = searched.reduce((sum, one) => sum + one.wanted, 0);
  const finished = searched.reduce((sum, { results, pruned }) => sum + results.length + pruned.length, 0);
  const complete = finished === tried;
  const trained = searched.flatMap(({ results }) => results);
  const rankings = complete ? searched.map(({ results }) => ranked(results, by)) : [];
  const picked = rankings.map(bestOf);
  const tests = folds.map((fold, n) => {
    const params = picked[n]?.params;
    return params && study.isQuoted(fold.test) ? study.job(params, testOf(fold)) : undefined;
  });
  const jobs = tests.flatMap((job) => job ?? []);
  const tested = await study.play(jobs, { ...playing, onShare: share(training, testing) });
  const all = [...trained, ...tested.results];
  const results = new Map(tested.results.map((one) => [one.id, one]));
  const steps = rankings.flatMap((ranking, n) => stepOf(ranking, folds[n], tests[n], results));
  const isWhole = complete && steps.length === folds.length;
  const time = { from: folds[0]?.test.from ?? 0, to: folds.at(-1)?.test.to ?? 0 };
  const settings = [...new Set(trained.map(settingOf))].sort();
  const id = shortHash([mark, description.from, description.to, settings, by ?? null, ...study.picking]);
  if (isWhole) log.keepWalk({ id, ...time });
  const swept = study.sweptOn(folds.map(({ test }) => test));
  return {
    by: { by: rankings[0]?.by ?? by ?? 'sharpe', why: rankings[0]?.why ?? 'nothing is finished' },
    steps,
    wanted: tried + (complete ? jobs.length : folds.length),
    finished: finished + tested.results.length,
    outOfSample: isWhole
      ? chainOf(steps, {
          tried: study.walksOn(time),
          swept,
          seed: options.seed,
          empty: session.empty,
          ...(perTest !== undefined && { perTest }),
        })
      : null,
    strategies: study.strategies,
    held: heldIn(all),
    headlines: inOrder([
      ...trialsHeadlines(all, study.headlines),
      ...unpickedHeadlines(steps),
      ...sweptHeadlines(swept),
      ...noEffectHeadlines(trained),
      ...screenHeadlines(study.screenedIn(searched)),
      ...idle,
      ...headlines,
      ...study.headlines,
      ...log.headlines,
    ]),
    log: log.file,
    remarks: session.remarks,
  };
}

/** A step whose test is played, or is not to be; none while it is left. */
function stepOf(
  ranking: Ranking,
  fold: Fold | undefined,
  job: TrialJob | undefined,
  results: ReadonlyMap<string, TrialResult>,
): readonly Step[] {
  const test = job && results.get(job.id);
  if (!fold || (job && !test)) return [];
  const train = ranking.ranked > 0 ? (ranking.trials[0] ?? null) : null;
  return [{ fold, train, test: test ?? null, why: job ? null : bestOf(ranking) ? UNQUOTED : whyNone(ranking) }];
}

/** A test of what was trained before it: signals go on from the quotes before, positions do not. */
const testOf = ({ test }: Fold): FoldSpan & { readonly isWarm: true } => ({ ...test, isWarm: true });

/** Why what a training picked is not tested: the one reason that lies in the test. */
const UNQUOTED = 'the test has no quote';

/** Shares of a test below which an end that is in none goes without saying. */
const SAID_FROM = 0.01;

/** What is left at the end of a recording for no whole test. */
function untested(folds: readonly Fold[], end: Millis, testMs: Millis): readonly Headline[] {
  const last = folds.at(-1)?.test.to ?? end;
  if (end - last < testMs * SAID_FROM) return [];
  const text = `the last ${durationText(end - last)} are in no test, from ${isoTime(last)} on: they are too short for another --test of ${durationText(testMs)}`;
  return [{ ...note(text), at: last }];
}

/** Why no trial of a training is tested. */
const whyNone = (ranking: Ranking): string =>
  ranking.ranked === 0 ? `no trial can be ranked: ${unrankedText(ranking)}` : lossText(ranking);

/** That folds have no test, since nothing of their trainings was worth one: how many, which, and why. */
export function unpickedHeadlines(steps: readonly Step[]): readonly Headline[] {
  const without = steps.filter(({ why }) => why !== null && why !== UNQUOTED);
  const [first] = without;
  if (!first) return [];
  const { from } = first.fold.test;
  const none = `${without.length} of ${counted(steps.length, 'fold')} had no trial worth picking, and`;
  const text =
    without.length === 1
      ? `${none} its test, from ${isoTime(from)}, was not traded: ${first.why}`
      : `${none} their tests were not traded, from ${begins(without)}; in the training of the first of them ${first.why}`;
  return [headline('NO_FOLD_CHOSEN', text, { at: from })];
}

/** Folds that a headline names one by one; the table has a row for each. */
const NAMED = 6;

/** When the tests of folds begin, as the table has it. */
function begins(steps: readonly Step[]): string {
  const named = steps.slice(0, NAMED).map(({ fold }) => isoTime(fold.test.from));
  const more = steps.length - named.length;
  return more === 0 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : `${named.join(', ')} and ${more} more`;
}

/** That what was varied may have been found on the days of the tests. */
const sweptHeadlines = (swept: number): readonly Headline[] =>
  swept === 0 ? [] : [headline('SWEPT_BEFORE', `${sweptText(swept)}; the range may come from them`)];

const sweptText = (swept: number): string =>
  `${counted(swept, 'setting')} ${swept === 1 ? 'was' : 'were'} tried on these test days by sweeps before`;

/** The tests as one result. */
export function chainOf(
  steps: readonly Step[],
  {
    tried,
    swept = 0,
    seed,
    perTest,
    empty = [],
  }: {
    readonly tried: number;
    /** Settings that sweeps tried on days of the tests. */
    readonly swept?: number;
    readonly seed: string;
    readonly perTest?: number;
    readonly empty?: readonly TimeSpan[];
  },
): OutOfSample {
  const days = steps.flatMap(({ test, fold }): readonly TrialDay[] => test?.days ?? idleDays(fold.test, empty));
  const whole = dailyOf(
    days,
    steps.map(({ fold }) => fold.test),
    empty,
  );
  let value = 1;
  const equity = days.map((day) => {
    value *= 1 + day.return;
    return { at: day.at, value };
  });
  const profits = steps.flatMap(({ test }) => test?.figures.netProfit ?? []);
  // How many walk-forwards were made is what luck can choose from here; the trials inside are none of it.
  const luck = judged(whole, { tried: Math.max(1, tried), others: [whole], seed: `${seed} walk-forward`, stopped: stoppedIn(steps) });
  return {
    ...luck,
    ...(swept > 0 && luck.verdict.significant && { verdict: notDistinct(sweptText(swept)) }),
    netProfit: profits.length === 0 ? null : profits.reduce((sum, one) => sum + one, 0),
    totalReturn: compounded(days.map((day) => day.return)),
    promised: compounded(
      steps.flatMap(({ train, test, fold }) => {
        const promised = train?.figures.totalReturn;
        if (!test || typeof promised !== 'number') return [];
        return (1 + promised) ** (perTest ?? tradedMs(fold.test, empty) / tradedMs(fold.train, empty)) - 1;
      }),
    ),
    drawdown: maxDrawdown(days.map((day) => day.return)),
    equity,
    fills: steps.reduce((sum, { test }) => sum + (test?.fills ?? 0), 0),
  };
}

/** That tests were cut short, and why the first of them was; undefined where none was. */
function stoppedIn(steps: readonly Step[]): string | undefined {
  const whys = steps.flatMap(({ test }) => test?.stopped ?? test?.failed ?? []);
  return whys.length === 0
    ? undefined
    : `${whys.length} of ${counted(steps.length, 'test')} cut short, ${whys.length === 1 ? '' : 'the first '}as ${whys[0]}`;
}

/** The days of a time in which nothing was traded: none changed anything. Those without any quote are none. */
function idleDays(span: FoldSpan, empty: readonly TimeSpan[]): readonly TrialDay[] {
  return daysIn(span).flatMap((day) => {
    const length = tradedMs(day, empty);
    return length > 0 ? [{ at: day.to, return: 0, whole: length === DAY_MS }] : [];
  });
}

/** A time cut at each midnight (UTC). */
function daysIn({ from, to }: FoldSpan): readonly FoldSpan[] {
  const days: FoldSpan[] = [];
  for (let begin = from; begin < to; ) {
    const end = Math.min(to, dayEnd(begin));
    days.push({ from: begin, to: end });
    begin = end;
  }
  return days;
}

/**
 * Returns of the days (UTC) that are whole in tests, put together where one ended and the next one began in one. Tests begin flat, so a day
 * without a quote has won and lost nothing, as in one backtest over all of them; those of a hole in the data are left out.
 */
export function dailyOf(parts: readonly TrialDay[], tests: readonly FoldSpan[], empty: readonly TimeSpan[] = []): readonly number[] {
  const growth = new Map<number, number>();
  for (const part of parts) {
    const day = dayOfPrices(part.at);
    growth.set(day, (growth.get(day) ?? 1) * (1 + part.return));
  }
  const tested = new Map<number, number>();
  for (const part of tests.flatMap(daysIn)) {
    const day = dayOf(part.from);
    tested.set(day, (tested.get(day) ?? 0) + tradedMs(part, empty));
  }
  return [...tested].flatMap(([day, ms]) => (ms === DAY_MS ? (growth.get(day) ?? 1) - 1 : []));
}
