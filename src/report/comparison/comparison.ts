import { durationStep } from '#domain/duration-text.ts';
import { grouped, moneyPlaces, typeset } from '#domain/money-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { valueText } from '#report/figures.ts';
import { ENOUGH_DAYS } from '#report/metrics/significance.ts';
import { changeWords, counted, ENOUGH_TRADES } from '#report/summary.ts';
import type { ComparedFigure, ComparedResult } from './compared.ts';
import { type ToldOnce, toldOnce } from './told-once.ts';

/** A setting in which results differ; null where one does not have it. */
interface SettingRow {
  readonly setting: string;
  readonly values: readonly (string | null)[];
}

/** A figure of all results. */
interface FigureRow {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
  /** That of each value, if it is money. */
  readonly currencies: readonly string[];
  readonly differs: boolean;
  /** Place of the one that is clearly best, by `BEST`; else null. */
  readonly best: number | null;
  /** The second less the first, of two in one currency. */
  readonly difference: number | null;
}

/** Results side by side. */
export interface Comparison {
  readonly summary: string;
  /** Why they may not be held against each other. */
  readonly caveats: readonly string[];
  /** What was played, and when. */
  readonly played: ToldOnce;
  /** The sentences of their results. */
  readonly came: ToldOnce;
  /** What was assumed of some and not of all. */
  readonly assumed: readonly { readonly letter: string; readonly text: string }[];
  /** `A`, `B` and so on. */
  readonly runs: readonly (ComparedResult & { readonly letter: string })[];
  readonly settings: readonly SettingRow[];
  readonly figures: readonly FigureRow[];
}

const MORE_IS_BETTER = new Set(
  'totalReturn netProfit finalEquity cagr sharpe sortino calmar omega winRate profitFactor expectancy expectancyRatio sqn payoff overHold overHoldSize coinsBeaten psr deflatedSharpe profitOverDrawdown'.split(
    ' ',
  ),
);
const LESS_IS_BETTER = new Set(
  'maxDrawdown maxDrawdownMoney volatility underWater ulcer totalCost spreadCost feeCost slippageCost'.split(' '),
);

/** Of them those whose sign says whether something was won or lost. */
const SIGNED = new Set('totalReturn netProfit cagr sharpe sortino calmar expectancy expectancyRatio sqn overHold overHoldSize'.split(' '));

/** Won or lost, by the sign of a value; null where it has none that says so. */
export const signOf = ({ id }: Pick<FigureRow, 'id'>, value: number | null): 'up' | 'down' | null =>
  !SIGNED.has(id) || value === null || value === 0 ? null : value < 0 ? 'down' : 'up';

/** Whether the second of two is better than the first; null where no side is. */
export function isBetter({ id, difference }: FigureRow): boolean | null {
  const sign = MORE_IS_BETTER.has(id) ? 1 : LESS_IS_BETTER.has(id) ? -1 : 0;
  return difference === null || difference * sign === 0 ? null : difference * sign > 0;
}

/** Which figure is marked: a difference of less than a tenth, or of a few trades, may be noise. */
const CLEAR = 0.1;
export const BEST = `the best by a tenth or more, where a figure has a better side and each has ${ENOUGH_TRADES} trades`;

/** What decides a result and is no setting: named in caveats. */
const SURROUNDINGS = new Set(['time', 'quotes', 'mode', 'version', 'latency', 'risk-free rate']);
/** Settings that a sentence names. */
const NAMED = 3;

/** Holds results against each other: figures as columns, settings that differ by name. */
export function comparisonOf(results: readonly ComparedResult[]): Comparison {
  const runs = placedAlike(results).map((one, n) => ({ ...one, letter: String.fromCharCode(65 + n) }));
  const ids = [...new Set(runs.flatMap(({ figures }) => figures.map(({ id }) => id)))];
  const figures = ids.map((id) => figureRow(id, runs)).filter(({ values }) => values.some((one) => one !== null));
  const paths = [...new Set(runs.flatMap(({ settings }) => [...settings.keys()]))];
  const settings = paths
    .map((setting) => ({ setting, values: runs.map((run) => run.settings.get(setting) ?? null) }))
    // What a trial does not say is no difference: it has neither quotes nor settings that were not varied.
    .filter(({ setting, values }) => differsInEffect({ setting, values: values.filter((value, n) => value !== null || runs[n]?.isWhole) }))
    .sort((a, b) => plainness(a) - plainness(b));
  const of = { runs, settings, figures };
  const failed = runs.filter((one) => one.failed).map(({ letter }) => letter);
  const summary =
    failed.length === 0
      ? summaryOf(of)
      : `A strategy failed in ${failed.join(' and ')}, whose figures are of a part of it; ${summaryOf(of)}`;
  return { summary, caveats: caveatsOf(of), ...toldOf(runs), ...of };
}

/** What is said of the results, each thing once. */
function toldOf(runs: Comparison['runs']): Pick<Comparison, 'played' | 'came' | 'assumed'> {
  const minute = (at: Millis): string => isoTime(at).slice(0, 16).replace('T', ' ');
  const sentences = runs.map(({ summary }) => (summary === '' ? [] : summary.split('; ')));
  const assumed = runs.some((one) => one.assumed === null) ? [] : toldOnce(runs.map((one) => one.assumed ?? [])).own;
  return {
    played: toldOnce(runs.map(({ title, from, to }) => [title, `${minute(from)} to ${minute(to)} UTC`])),
    came: toldOnce(sentences),
    assumed: assumed.flatMap((texts, n) => texts.map((text) => ({ letter: runs[n]?.letter ?? '', text }))),
  };
}

/** Settings of those blocks of a strategy that may be left out, and the values that are as good as no block. */
const IN_OPTIONAL_BLOCK = /^strategies\.[^.]+\.(?:exits|windows)\.[^.]+$/;
const AS_LEFT_OUT = new Set(['false', '[]', 'UTC', 'none']);

/** True where a setting of one result decides something else than that of another. Null is as good as none. */
function differsInEffect({ setting, values }: SettingRow): boolean {
  const isNone = (value: string | null): boolean =>
    value === null || value === 'null' || (IN_OPTIONAL_BLOCK.test(setting) && AS_LEFT_OUT.has(value));
  return new Set(values.map((value) => (isNone(value) ? null : value))).size > 1;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

/** The place of a row: what is no setting or names a strategy, numbers against numbers, other values against values, and what some do not have. */
function plainness({ setting, values }: SettingRow): number {
  if (SURROUNDINGS.has(setting) || NAMES_STRATEGY.test(setting)) return 0;
  if (values.every((value) => value !== null && NUMBER.test(value))) return 1;
  return values.every((value) => value !== null && value !== 'null') ? 2 : 3;
}

const NAMES_STRATEGY = /^strategies\.[^.]+\.(?:id|use)$/;
const STRATEGY = /^strategies\.(?<id>[^.]+)\./;
const strategyOf = (path: string): string | undefined => STRATEGY.exec(path)?.groups?.id;

/** A strategy that only one result has is held against the one that the others have in its place: their settings are then one row, `strategies.cross/band.amount`. */
function placedAlike(results: readonly ComparedResult[]): readonly ComparedResult[] {
  const ids = results.map(({ settings }) => [...new Set([...settings.keys()].flatMap((path) => strategyOf(path) ?? []))]);
  const own = ids.map((of) => of.filter((id) => !ids.every((others) => others.includes(id))));
  const places = Math.min(...own.map(({ length }) => length));
  const names = Array.from({ length: places }, (_, place) => [...new Set(own.map((of) => of[place]))].join('/'));
  return results.map((one, n) => {
    const nameOf = (path: string): string => {
      const id = strategyOf(path);
      const name = id === undefined ? undefined : names[own[n]?.indexOf(id) ?? -1];
      return name === undefined ? path : path.replace(STRATEGY, `strategies.${name}.`);
    };
    return { ...one, settings: new Map([...one.settings].map(([path, value]) => [nameOf(path), value])) };
  });
}

function figureRow(id: string, runs: readonly ComparedResult[]): FigureRow {
  const found = runs.map(({ figures }) => figures.find((one) => one.id === id));
  // A trial knows no labels; a report beside it does.
  const told = found.find((one): one is ComparedFigure => one !== undefined && one.unit !== '') ?? found.find((one) => one !== undefined);
  const values = found.map((one) => one?.value ?? null);
  const currencies = runs.map(({ currency }, n) => found[n]?.currency ?? currency);
  const unit = told?.unit ?? '';
  // A trial does not say which of its figures are money.
  const isOneMoney = !['money', ''].includes(unit) || new Set(currencies).size === 1;
  const differs = new Set(values).size > 1 || !isOneMoney;
  const known = values.filter((one) => one !== null);
  const sign = MORE_IS_BETTER.has(id) ? 1 : LESS_IS_BETTER.has(id) ? -1 : 0;
  const [most = 0, next = 0] = known.map((one) => one * sign).sort((one, other) => other - one);
  const isClear = most - next >= CLEAR * Math.max(Math.abs(most), Math.abs(next));
  const isBest =
    differs &&
    isOneMoney &&
    sign !== 0 &&
    known.length > 1 &&
    isClear &&
    tradesOf(runs).every((count) => count === null || count >= ENOUGH_TRADES);
  const [a, b] = values;
  return {
    ...{ id, label: told?.label ?? id, unit, values, currencies, differs },
    best: isBest ? values.findIndex((one) => one !== null && one * sign === most) : null,
    difference: isOneMoney && values.length === 2 && typeof a === 'number' && typeof b === 'number' ? b - a : null,
  };
}

const valuesOf = (id: string, runs: readonly ComparedResult[]): readonly (number | null)[] =>
  runs.map(({ figures }) => figures.find((one) => one.id === id)?.value ?? null);
const tradesOf = (runs: readonly ComparedResult[]): readonly (number | null)[] => valuesOf('trades', runs);

type Parts = Pick<Comparison, 'runs' | 'settings' | 'figures'>;

function summaryOf({ runs, settings, figures }: Parts): string {
  const returns = figures.find(({ id }) => id === 'totalReturn')?.values ?? [];
  const order = runs
    .flatMap(({ letter }, n) => (typeof returns[n] === 'number' ? [{ letter, made: returns[n] }] : []))
    .sort((a, b) => b.made - a.made);
  const [best] = order;
  const isOfStrategy = ({ setting }: SettingRow): boolean => setting.startsWith('strategies.');
  const own = settings
    // A strategy's id is its name, and its parameters say how it differs.
    .filter(({ setting }) => !SURROUNDINGS.has(setting) && !/^strategies\..*\.id$/.test(setting))
    .sort((a, b) => plainness(a) - plainness(b) || Number(isOfStrategy(b)) - Number(isOfStrategy(a)))
    .map(({ setting, values }) => `${setting}${shortValues(values)}`);
  const more = own.length > NAMED ? ` and ${own.length - NAMED} more` : '';
  const differ =
    own.length === 0
      ? 'no setting differs'
      : `${counted(own.length, 'setting')} ${own.length === 1 ? 'differs' : 'differ'}: ${own.slice(0, NAMED).join(', ')}${more}`;
  if (!best || order.length === 1) return `Their results cannot be compared; ${differ}`;
  const [top, others] = [order.filter(({ made }) => isAlike(made, best.made)), order.filter(({ made }) => !isAlike(made, best.made))];
  const told = (some: typeof order): string => some.map(({ letter, made }) => `${letter} ${changeWords(made)}`).join(', ');
  if (top.length === runs.length) return `All results are equal or nearly so: ${told(order)}; ${differ}`;
  const letters = top.map(({ letter }) => letter).join(' and ');
  const came = best.made >= 0 ? 'did best' : order.length === 2 ? 'lost less' : 'lost least';
  const rest = others.length === 0 ? '' : `, ${told(others)}`;
  return `${letters} ${came}: ${top.length === 1 ? 'it' : 'each'} ${changeWords(best.made)}${rest}; ${differ}`;
}

const isAlike = (a: number, b: number): boolean => changeWords(a) === changeWords(b);

/** Signs of all values of a setting that a sentence has room for. */
const MAX_SIGNS = 40;

function shortValues(values: SettingRow['values']): string {
  const text = values.map((one) => one ?? '-').join(' / ');
  return text.length > MAX_SIGNS ? '' : ` (${text})`;
}

/** Letters of a time to its minute, to its second, and all. */
const TO_MINUTE_AND_FINER = [16, 19, 24] as const;

function caveatsOf({ runs, settings }: Pick<Parts, 'runs' | 'settings'>): readonly string[] {
  const differs = (one: string): boolean => settings.some(({ setting }) => setting === one);
  const below = (id: string, enough: number): string => {
    const values = valuesOf(id, runs);
    return runs.flatMap(({ letter }, n) => ((values[n] ?? enough) < enough ? letter : [])).join(', ');
  };
  const [few, short] = [below('trades', ENOUGH_TRADES), below('wholeDays', ENOUGH_DAYS)];
  // To the minute, or as exactly as it takes to see that they differ.
  const [times = []] = TO_MINUTE_AND_FINER.map((length) =>
    runs.map(({ from, to }) => `${isoTime(from).slice(0, length)} to ${isoTime(to).slice(0, length)}`),
  ).filter((texts) => new Set(texts).size > 1);
  const lettered = times.map((text, n) => `${runs[n]?.letter} ${text}`);
  return [
    ...(few === '' ? [] : [`too few trades in ${few}: below ${ENOUGH_TRADES}, a difference may be chance`]),
    ...(short === '' ? [] : [`too short to tell skill from luck in ${short}: ${ENOUGH_DAYS} whole days are needed`]),
    ...(differs('time')
      ? [`different times: ${lettered.join('; ')}; the market may explain a difference`]
      : differs('quotes')
        ? ['different quotes: the market may explain a difference']
        : []),
    ...(differs('mode') ? ['different modes: fills of a backtest differ from those of a run'] : []),
    ...(new Set(runs.map(({ currency }) => currency).filter((one) => one !== '')).size > 1
      ? ['different currencies: amounts cannot be compared']
      : []),
    ...(differs('risk-free rate')
      ? ['different risk-free rates: Sharpe and Sortino ratio and what follows from them cannot be compared']
      : []),
    ...(differs('version') ? ['different versions of Kairos'] : []),
  ];
}

const UNITS = new Set(['share', 'money', 'ratio', 'count', 'bps', 'ms', 'duration', 'time'] as const);
type Unit = typeof UNITS extends Set<infer T> ? T : never;
const isUnit = (unit: string): unit is Unit => (UNITS as ReadonlySet<string>).has(unit);

/** What of a row its texts are made of. */
type TextParts = Pick<FigureRow, 'unit' | 'values' | 'currencies' | 'difference'>;

/** A value of a comparison for people; one without a unit with the digits that count. */
export const comparedText = ({ unit, values, currencies }: TextParts, n: number): string => textOf(values[n] ?? null, unit, currencies[n]);

function textOf(value: number | null, unit: string, currency = ''): string {
  if (value === null) return 'n/a';
  return isUnit(unit) ? valueText({ value, unit }, currency) : typeset(grouped(String(Number(value.toPrecision(DIGITS)))));
}

const DIGITS = 6;

/** True where its values differ as they are shown, not in digits that nobody sees. */
export const differsShown = (row: TextParts): boolean => new Set(row.values.map((_, n) => comparedText(row, n))).size > 1;

/** How far two values are apart as they are shown, with its sign; empty where they are shown alike, or are of two currencies. */
export function differenceText(row: TextParts): string {
  const { unit, currencies, difference: exact } = row;
  const [[a, b], [currency = '']] = [row.values, currencies];
  if (exact === null || typeof a !== 'number' || typeof b !== 'number' || unit === 'time') return '';
  const difference = asShown(b, unit, currency) - asShown(a, unit, currency);
  const text = textOf(Math.abs(difference), unit, currency);
  if (!differsShown(row) || !/[1-9]/.test(text)) return '';
  return `${difference < 0 ? '\u2212' : '+'}${unit === 'share' ? text.replace('%', 'points') : text}`;
}

/** A value rounded as `valueText` does, so that what a table shows adds up. */
function asShown(value: number, unit: string, currency: string): number {
  if (unit === 'duration') return Math.round(value / durationStep(value)) * durationStep(value);
  const places = unit === 'money' ? moneyPlaces(currency) : PLACES[unit];
  return places === undefined ? value : Number(value.toFixed(places));
}

const PLACES: Readonly<Record<string, number>> = { share: 4, count: 2, ratio: 3, bps: 2, ms: 1 };

/** As JSON: values stand in the order of the results. */
export function comparisonJson({ summary, caveats, assumed, runs, settings, figures }: Comparison): unknown {
  return {
    ...{ summary, caveats, assumed },
    runs: runs.map(({ letter, name, title, summary: came, from, to, currency }) => ({
      ...{ letter, name, title, summary: came, from: isoTime(from), to: isoTime(to), currency },
    })),
    ...{ settings, figures },
  };
}
