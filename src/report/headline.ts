import { isoTime, type Millis } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';

/** The subjects of headlines, in the order of display. Codes are stable, for scripts. */
const HEADLINES = {
  FILLS: 'the mode of the run, and how far its fills can be believed',
  NOT_RECORDED:
    'a product without quotes in what is played: an input of a strategy, its own in the time of a trial, or one of account.rates',
  LEFT_OUT: 'recordings of a played product that were not played, and why',
  EMPTY_TIME: 'a time without any quote, longer than markets close for: it is left out of days, yearly figures and shares of time',
  UNRECORDED: 'times between recordings: signals began anew after each, and no share of time counts them',
  PARTLY_QUOTED: 'a traded product with quotes in a part of the run alone, and how it is valued after that',
  OVERLAPPING: 'recordings of one lane and time, whose quotes are played together',
  FEES_DIFFER: 'recordings of one lane whose quotes have different fees',
  CLOSES_EARLY: 'imported bars that may be wider than --bar said: their closes count before they were known',
  BEYOND_RECORDED: 'fills of amounts above the recorded or imported ones, at modelled prices',
  STRATEGY_FAILED: 'a strategy threw, or returned something that is not an intent',
  STRATEGY_DISABLED: 'a strategy was disabled by Kairos or a person',
  HALTED: 'trading was halted: no order went out',
  REDUCING: 'only orders that reduce a position passed',
  LIMITS: 'a backtest without budgets and limits, or without those on how often orders come',
  UNKNOWN_ORDERS: 'orders of unknown outcome',
  LEGS_FAILED: 'later legs of plans that came to nothing, and what became of the legs before them',
  NAN_SIGNALS: 'signals were not a number, so no decision was made on them',
  NEVER_TRADED: 'a strategy had no fill, with the reason',
  SHARED_LIMITS: 'orders of a strategy that a limit over all strategies refused while another one held positions',
  SIDE_REFUSED: 'a strategy of which no buy, or no sell, passed a limit any more, or ever, while the other side did',
  AMOUNT_TOO_LARGE: 'an amount that limits or the budget refuse at every price of the data, on one side or both, all of them named',
  BUDGETS_OVER_ACCOUNT: 'budgets that come to more than `account.opening` holds of a currency, or in one that it does not name',
  LIMITS_WITHOUT_RATE: 'limits of value without a figure in the currency of a product, into which no quotes give a rate: nothing is opened',
  ACCOUNT_WITHOUT_RATE: 'currencies from which no quotes lead to that of the account: what is in them is not added up',
  LOSSES_WITHOUT_RATE: 'a currency whose losses count towards no figure of risk.maxDayLoss',
  TRIAL_UNPLAYED: 'a trial could not be played, for example because its time has no quotes',
  NO_RANKED_TRIAL: 'no trial can be ranked: each failed, never traded or has no net profit in one currency',
  ALL_LOST: 'every trial that can be ranked lost money, so none is named best',
  NO_FOLD_CHOSEN: 'trainings of a walk-forward in which no trial made a profit, so their tests were not traded',
  SWEPT_BEFORE: 'settings that sweeps tried on test days of a walk-forward',
  FEW_TRADES: 'the best trial made too few round trips to judge it',
  NO_EFFECT: 'a parameter of a sweep that changed nothing: trials that differ in it alone came out the same',
  DATA_CHANGED: 'the quotes of a saved backtest are gone or have changed',
  RUINED: 'the capital was lost',
  REVALUATION: 'revaluation of held currencies, apart from the result of trading',
  VALUED_IN: 'the currency of all figures, where it is not that of the account',
  STRATEGY_LEFT_OUT: 'strategies that are not played, since the data has no quotes of their product',
  PLAYED: 'which recorded or imported lanes of a product a backtest played, how many quotes, from when to when',
  NOTE: 'assumptions of the result, and facts about its data',
} as const;

type HeadlineCode = keyof typeof HEADLINES;

/**
 * The severity of a headline. `failed`: a strategy failed, and the command exits with 5; `stopped`: orders were stopped;
 * `warning`: the figures may mislead; `note`: an assumption, shown below the figures on a terminal.
 */
type HeadlineLevel = 'failed' | 'stopped' | 'warning' | 'note';

/** One line that must be read before the figures of a result: the same in terminal, JSON and HTML. */
export interface Headline {
  readonly code: HeadlineCode;
  readonly level: HeadlineLevel;
  readonly text: string;
  /** When it began; null for what holds for all of the result. */
  readonly at: Millis | null;
  /** The strategy that it is about; null for all. */
  readonly strategy: string | null;
}

/** A headline; `warning` unless a level is given. */
export function headline(code: HeadlineCode, text: string, more: Partial<Omit<Headline, 'code' | 'text'>> = {}): Headline {
  return { code, level: 'warning', at: null, strategy: null, ...more, text: oneLine(text) };
}

/** A note on the data or on an assumption. */
export const note = (text: string): Headline => headline('NOTE', text, { level: 'note' });

const CODES = Object.keys(HEADLINES);

/** Headlines in the order of display: by code as in `HEADLINES`, then as given. */
export function inOrder(lines: readonly Headline[]): readonly Headline[] {
  return [...lines].sort((a, b) => CODES.indexOf(a.code) - CODES.indexOf(b.code));
}

/** Notes that are read first: how fills were made, on which quotes, and by which strategies. */
const FIRST: ReadonlySet<HeadlineCode> = new Set(['FILLS', 'LIMITS', 'PLAYED', 'STRATEGY_LEFT_OUT']);

/** What was assumed, or should be known of the data: it stands at the foot. */
export const isCaveat = ({ code, level }: Headline): boolean => level === 'note' && !FIRST.has(code);

/** True if a strategy failed. */
export const isFailed = (lines: readonly Headline[]): boolean => lines.some(({ level }) => level === 'failed');

/** As JSON: `headlines` are the sentences, `headlineDetails` what a script reads. */
export function headlinesJson(lines: readonly Headline[]) {
  return {
    headlines: lines.map(({ text }) => text),
    headlineDetails: lines.map((line) => ({ ...line, at: line.at === null ? null : isoTime(line.at) })),
  };
}
