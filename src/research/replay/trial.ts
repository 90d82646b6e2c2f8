import { createHash } from 'node:crypto';
import { moneyText } from '#domain/money-text.ts';
import type { Millis } from '#domain/names.ts';
import type { Headline } from '#report/headline.ts';
import { compounded } from '#report/metrics/returns.ts';

/** Names a value by its JSON. */
export const shortHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** A value that a strategy's parameter can have. */
export type ParamValue = number | boolean | string;

/**
 * What one trial differs in from the configuration: parameters by strategy id and name; with a dot in their names a strategy's other settings,
 * such as `exits.stopLossPct`; and settings such as `risk.maxSpreadPct` by section and name.
 */
export type TrialParams = Readonly<Record<string, Readonly<Record<string, ParamValue>>>>;

/**
 * One backtest of a sweep as plain JSON: with the description of its sweep, any machine that has the recording and the
 * strategies can play it.
 */
export interface TrialJob {
  /** What decides it, as a hash: the same in every sweep that asks for the same. */
  readonly id: string;
  /** As `id`, the time apart: the same settings on other days of the recording. */
  readonly setup: string;
  /**
   * As `setup`, the quotes, the latency, measured or written, which limits hold, and the playing code apart: the idea, which luck counts once. Absent in logs of before
   * there was one.
   */
  readonly setting?: string;
  readonly params: TrialParams;
  /** Quotes from this time on, and before that one; null for the recording's end. */
  readonly from: Millis;
  readonly to: Millis | null;
  /** True where signals begin warmed up by the quotes before `from`; positions begin flat. */
  readonly isWarm?: true;
}

/** What came of a job. */
export interface TrialResult extends TrialJob {
  /** Figures of the report by id; null where one cannot be had. */
  readonly figures: Readonly<Record<string, number | null>>;
  /** Currency of those that are money; absent where nothing could be played. */
  readonly currency?: string;
  /** Days as they ended, with the part of one at the begin and at the end. */
  readonly days: readonly TrialDay[];
  readonly fills: number;
  /** Fills at a recorded quote of that lane and size. */
  readonly exact: number;
  /** Why trading halted; null where it did not. */
  readonly halted: string | null;
  /** Why it is not held against luck: a strategy failed, or orders were stopped to the end; absent where neither is so. */
  readonly stopped?: string;
  /** Why it says nothing of its parameters: nothing could be played, or a strategy failed; null where it does. */
  readonly failed: string | null;
  /** Why what it traded has no value in one currency, as without a rate between two; absent where it has one. */
  readonly unvalued?: string;
  /** What stands against its figures: of its strategies, of halts and the like. */
  readonly headlines: readonly Headline[];
  /** What was refused, the most frequent first. */
  readonly refusals: readonly { readonly reason: string; readonly count: number }[];
  /** True where it has fewer round trips than were asked for to be ranked; never in the log. */
  readonly isThin?: true;
  /** True where the screen played it; absent where the engine did. */
  readonly screened?: true;
  /** True where the engine has played again what the screen had played, and came to the same. */
  readonly replayed?: true;
  /** Why the screen left it to the engine, where it was asked for. */
  readonly unscreened?: string;
}

/** The return of one day as a share: 0.01 is one percent; that of a hole in the data, at its end, is of none and not whole. */
export interface TrialDay {
  readonly at: Millis;
  readonly return: number;
  /** From midnight to midnight (UTC). */
  readonly whole: boolean;
}

/** Everything besides a job that decides a trial, as plain JSON. */
export interface SweepDescription {
  /** Hash of the recorded quotes. */
  readonly dataHash: string;
  /** Where they were. */
  readonly data: string;
  /** The settings as canonical JSON, secrets replaced by a mark. */
  readonly config: string;
  /** Strategies' sources by id, as hashes. */
  readonly sources: Readonly<Record<string, string>>;
  readonly version: string;
  /** Names the code of this Kairos, which a version alone does not. */
  readonly code: string;
  readonly latency: string;
  /** As they were given. */
  readonly vary: readonly string[];
  readonly random: number | null;
  readonly seed: string;
  /** The figure that was asked for, or several with commas; null for the rule. */
  readonly by: string | null;
  /** How it was searched; absent in logs of before there were several ways, as what follows. */
  readonly search?: string;
  readonly trials?: number | null;
  readonly batch?: number | null;
  readonly prune?: string | null;
  /** Parameters of a file, as it had them. */
  readonly space?: Readonly<Record<string, unknown>> | null;
  readonly screen?: boolean;
  /** True where it chose on trainings alone; absent for a sweep of all days, and in earlier logs. */
  readonly isWalk?: true;
  readonly from: Millis | null;
  readonly to: Millis | null;
}

/** Names the idea of a trial: strategies with their code, parameters, limits and costs, at whatever latency it was played. */
export const settingOf = ({ setting, setup }: Pick<TrialJob, 'setting' | 'setup'>): string => setting ?? setup;

/** Returns of whole days (UTC). */
export const wholeDaysOf = (trial: Pick<TrialResult, 'days'>): readonly number[] => wholeDaysIn(trial).map((day) => day.return);

/** What the other days came to together, as a share: those cut by the begin, the end or a hole in the data, and what was made over such holes. */
export const cutDaysOf = ({ days }: Pick<TrialResult, 'days'>): number =>
  compounded(days.filter(({ whole }) => !whole).map((day) => day.return));

/** The whole days (UTC) of a trial. */
export const wholeDaysIn = ({ days }: Pick<TrialResult, 'days'>): readonly TrialDay[] => days.filter(({ whole }) => whole);

/** ` eur`, to stand behind money of trials and the names of its columns; empty where none has any. */
export function currencyText(trials: readonly (Pick<TrialResult, 'currency'> | null)[]): string {
  const currencies = new Set(trials.flatMap((trial) => trial?.currency ?? []));
  return currencies.size === 0 ? '' : ` ${[...currencies].join(' or ')}`;
}

/** Money of trials with their currency, where they have one. */
export function moneyOf(trials: readonly (Pick<TrialResult, 'currency'> | null)[], ...amounts: readonly number[]): readonly string[] {
  const [only = '', ...others] = new Set(trials.flatMap((trial) => trial?.currency ?? []));
  return amounts.map((amount) => moneyText(amount, others.length === 0 ? only : ''));
}

/** `cross.fast=5 cross.slow=20`. */
export function paramsText(params: TrialParams): string {
  return Object.entries(params)
    .flatMap(([strategy, values]) => Object.entries(values).map(([name, value]) => `${strategy}.${name}=${value}`))
    .join(' ');
}

/** How trials were played: by the screen, by both it and the engine, or by the engine alone. */
export type TrialPlay = 'screened' | 'replayed' | 'engine';

export const playOf = ({ screened, replayed }: Pick<TrialResult, 'screened' | 'replayed'>): TrialPlay =>
  screened ? 'screened' : replayed ? 'replayed' : 'engine';

/** Every parameter that a trial varies, as `cross.fast`. */
export function paramNames(trials: readonly TrialResult[]): readonly string[] {
  return [
    ...new Set(
      trials.flatMap(({ params }) => Object.entries(params).flatMap(([id, values]) => Object.keys(values).map((name) => `${id}.${name}`))),
    ),
  ];
}

/** A trial's value of what is named `STRATEGY.PARAM`; undefined where it has none. */
export function valueIn({ params }: Pick<TrialResult, 'params'>, name: string): ParamValue | undefined {
  const [group, own] = nameParts(name);
  return params[group]?.[own];
}

/** The same as text; empty where it has none. */
export const paramIn = (trial: Pick<TrialResult, 'params'>, name: string): string => String(valueIn(trial, name) ?? '');

/** What a name such as `cross.exits.stopLossPct` is of, and its name there: `cross` and `exits.stopLossPct`. */
export function nameParts(name: string): readonly [group: string, own: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}
