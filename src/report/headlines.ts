import { modeFactsNamed } from '#domain/mode.ts';
import { amountText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { REASONS } from '#domain/reasons.ts';
import { emptyHeadlines, partlyHeadlines, unrecordedHeadlines } from './equity/empty-headlines.ts';
import { type Equity, MIN_REVALUATION } from './equity/equity-value.ts';
import { firstRateNotes } from './equity/first-rates.ts';
import { type Headline, headline, inOrder, note } from './headline.ts';
import type { DecisionSummary, Halt } from './order-history.ts';
import type { FillQuality } from './quality.ts';
import type { RunStrategy } from './record.ts';
import { type RefusedRun, ranked } from './refused-words.ts';
import type { StrategyStory } from './strategy-stories.ts';
import { untradedWords } from './untraded.ts';

const NO_IMPACT = 'no market impact is assumed';

/** Input of headlines, the same for a backtest in memory and a run in its journal. */
export interface HeadlineFacts {
  readonly mode: string;
  /** A text: why the share of exact fills is not known. */
  readonly quality: FillQuality | string;
  readonly seen: Pick<DecisionSummary, 'halts' | 'reducings' | 'stories' | 'shared' | 'refusedSides' | 'orders'>;
  readonly strategies: readonly RunStrategy[];
  /** Its equity, or a text on why that is unknown. */
  readonly equity:
    | Pick<Equity, 'ruinedAt' | 'revaluation' | 'currency' | 'from' | 'to' | 'empty' | 'unrecorded' | 'partly' | 'firstRates'>
    | string;
  /** That values are in another currency than the account's; undefined where they are in that one. */
  readonly valuedIn?: string | undefined;
  /** How often each strategy was asked to decide; absent if unknown, as for a run in its journal. */
  readonly asked?: Readonly<Record<string, number>>;
  /** What a halt did to the rest of a backtest; undefined for any other run. */
  readonly onHalt?: 'end' | 'continue';
  /** Further headlines on data, settings and assumptions. */
  readonly more: readonly Headline[];
}

/** The headlines: mode and quality of the fills, then faults, then assumptions. They are made here only. */
export function headlines({ mode, quality, seen, strategies, equity, valuedIn, asked, onHalt, more }: HeadlineFacts): readonly Headline[] {
  const unknown = seen.orders.filter(({ outcome }) => outcome === 'unknown' || outcome === 'open').length;
  const then = onHalt === undefined ? '' : onHalt === 'end' ? '; the backtest ended there' : '; it went on without orders';
  const strategiesBy = (wanted: Headline['code']) =>
    new Set(more.flatMap(({ code, strategy }) => (code === wanted ? (strategy ?? []) : [])));
  const [unrecorded, beyond, tooLarge] = [strategiesBy('NOT_RECORDED'), strategiesBy('BEYOND_RECORDED'), strategiesBy('AMOUNT_TOO_LARGE')];
  const told = strategies
    .filter(({ enabled }) => enabled)
    .flatMap(({ id }) =>
      storyHeadlines(seen.stories.of(id), {
        ...{ isPlayed: onHalt !== undefined, asked: asked?.[id] },
        ...{ unrecorded: unrecorded.has(id), isBeyond: beyond.has(id) },
      }),
    );
  return inOrder([
    headline('FILLS', `${mode.toUpperCase()}  ${fillsText(quality)}`, { level: 'note' }),
    // A sweep says of all its trials what its report would say of one of them.
    ...told.filter((line) => !more.some(({ code, text }) => code === line.code && text.includes(line.text))),
    ...seen.shared.headlines(onHalt !== undefined),
    // That an amount can never pass says it all.
    ...seen.refusedSides
      .headlines({ isPlayed: onHalt !== undefined, isBeyond: (strategy) => beyond.has(strategy) })
      .filter(({ strategy }) => strategy === null || !tooLarge.has(strategy)),
    ...seen.halts.map((halt) => headline('HALTED', `HALTED at ${spell(halt)}${then}`, { level: 'stopped', at: halt.from })),
    ...seen.reducings.map((one) => headline('REDUCING', `REDUCING, only exits pass, at ${spell(one)}`, { level: 'stopped', at: one.from })),
    ...(unknown === 0
      ? []
      : [
          headline(
            'UNKNOWN_ORDERS',
            `${unknown} ${unknown === 1 ? 'order' : 'orders'} of unknown outcome: the figures leave out what they may have bought or sold`,
          ),
        ]),
    ...(typeof equity === 'string'
      ? []
      : [...timeHeadlines(equity, more), ...capitalHeadlines(equity), ...firstRateNotes(equity.firstRates, equity.currency)]),
    ...(valuedIn === undefined ? [] : [headline('VALUED_IN', valuedIn, { level: 'note' })]),
    ...(modeFactsNamed(mode)?.isRealMoney ? [] : [note(impactText(quality))]),
    ...more.filter(({ code, text }) => !more.some((other) => other.code === code && other.text !== text && other.text.includes(text))),
  ]);
}

/** Of times without quotes; a backtest says itself where its data has none. */
function timeHeadlines(equity: Exclude<HeadlineFacts['equity'], string>, more: readonly Headline[]): readonly Headline[] {
  const isSaid = more.some(({ code }) => code === 'EMPTY_TIME');
  return [
    ...(isSaid ? [] : emptyHeadlines(equity.empty)),
    ...unrecordedHeadlines(equity.unrecorded),
    ...partlyHeadlines(equity.partly, equity),
  ];
}

function capitalHeadlines({ ruinedAt, revaluation, currency }: Exclude<HeadlineFacts['equity'], string>): readonly Headline[] {
  const ruined = ruinedAt === null ? [] : [headline('RUINED', `the capital was lost at ${isoTime(ruinedAt)}`, { at: ruinedAt })];
  if (Math.abs(revaluation) < MIN_REVALUATION) return ruined;
  const what = `held currencies were revalued by ${amountText(revaluation, currency)}`;
  return [...ruined, headline('REVALUATION', `${what}: not a result of trading, and in none of its figures`, { level: 'note' })];
}

function fillsText(quality: FillQuality | string): string {
  if (typeof quality === 'string') return `share of exact fills n/a: ${quality}`;
  const { fills, exact } = quality;
  return fills === 0 ? 'nothing was executed' : `${((exact / fills) * 100).toFixed(1)} % exact fills (${exact} of ${fills})`;
}

function impactText(quality: FillQuality | string): string {
  if (typeof quality === 'string' || quality.crowded === 0) return NO_IMPACT;
  return `${NO_IMPACT}: ${quality.crowded} of ${quality.fills} fills came within one validity of an earlier fill in the product`;
}

/** From when to when, why, and by which rule. */
function spell({ from, to, why, reason }: Halt): string {
  const rule = reason === null || reason === 'BY_PERSON' ? '' : ` (${reason})`;
  return `${isoTime(from)}${to === null ? ' to the end' : ` until ${isoTime(to)}`}: ${why}${rule}`;
}

/** The run that a story is of; `asked`: how often `decide` was called, where that is known. */
interface StoryRun extends RefusedRun {
  readonly asked: number | undefined;
  /** True where the data has no quotes of its product, which another headline says. */
  readonly unrecorded: boolean;
}

/** Headlines of a strategy: that it failed, was disabled, had signals that are not numbers, or never traded. */
function storyHeadlines(story: StrategyStory, run: StoryRun): readonly Headline[] {
  const { asked, unrecorded } = run;
  const { strategy, first, failures, restarts, disabled, nan, fills } = story;
  const about = { strategy };
  const lines: Headline[] = [];
  if (first) {
    const times = failures === 1 ? 'once' : `${failures} times, first`;
    const anew = restarts > 1 ? '; its signals began anew after each' : '';
    const then = disabled ? `; disabled at ${isoTime(disabled.at)}` : anew;
    const text = `FAILED  strategy ${strategy}: ${first.error} (${times} at ${isoTime(first.at)}${then})`;
    lines.push(headline('STRATEGY_FAILED', text, { ...about, level: 'failed', at: first.at }));
  } else if (disabled) {
    const text = `DISABLED  strategy ${strategy}: ${disabled.why} (at ${isoTime(disabled.at)}, by ${disabled.who})`;
    // A limit that disables is no failure of the strategy.
    const level = disabled.reason === 'RUNAWAY' ? 'stopped' : disabled.who === 'kairos' ? 'failed' : 'warning';
    lines.push(headline('STRATEGY_DISABLED', text, { ...about, level, at: disabled.at }));
  }
  if (story.legsFailed) lines.push(legsHeadline(strategy, story.legsFailed));
  if (nan) {
    const times = nan.count === 1 ? 'once' : `${nan.count} times`;
    lines.push(
      headline('NAN_SIGNALS', `strategy ${strategy}: ${nan.why}, ${times}, first at ${isoTime(nan.at)}`, { ...about, at: nan.at }),
    );
  }
  const isTold = first !== null || disabled !== null || (unrecorded && (asked ?? 0) === 0);
  if (fills === 0 && !(isTold && saysNothing(story)))
    lines.push(
      headline(
        'NEVER_TRADED',
        `strategy ${strategy} never traded: ${untradedWords([story], { who: 'it', asked })}${story.refused.topWords(run)}`,
        about,
      ),
    );
  return lines;
}

const POLICIES: Readonly<Record<string, string>> = { unwind: 'undone (unwind)', keep: 'left as they were (keep)' };

/** How often a plan was left half done, why most often, and what became of the legs before. */
function legsHeadline(strategy: string, { at, lasts, policies }: NonNullable<StrategyStory['legsFailed']>): Headline {
  const count = [...policies.values()].reduce((sum, one) => sum + one, 0);
  const [[top, often] = ['', 0]] = ranked(lasts);
  const means = MEANINGS[top] === undefined ? '' : `: ${MEANINGS[top]}`;
  const most = `${lasts.size === 1 ? (count === 1 ? 'by' : 'each by') : 'most often by'} ${top}${lasts.size === 1 ? '' : ` (${often})`}${means}`;
  const then = ranked(policies).map(([policy, times]) => `${policies.size === 1 ? '' : `${times} times `}${POLICIES[policy] ?? policy}`);
  const text = `strategy ${strategy}: a later leg came to nothing ${count === 1 ? 'once' : `${count} times`}, ${most}; the legs before it were ${then.join(', ')}`;
  return headline('LEGS_FAILED', text, { strategy, at });
}

/** True where it never wanted an order: that it failed, was disabled or had no quotes is why. */
const saysNothing = ({ refused, missed, intents }: StrategyStory): boolean => refused.total === 0 && missed.size === 0 && intents === 0;

const MEANINGS: Readonly<Record<string, string>> = REASONS;
