import { typeset } from '#domain/money-text.ts';
import type { SearchData } from '#report/page/page-data.ts';
import { plain } from './axis.ts';

/** What a heat map shows: parameters by their places, of a figure by its place the median or the best. */
export interface HeatChoice {
  readonly x: number;
  /** -1: one row of all. */
  readonly y: number;
  readonly figure: number;
  readonly by: 'median' | 'best';
}

/** One field of a heat map with the trials of its two values. */
export interface HeatCell {
  readonly x: number;
  readonly y: number;
  readonly values: readonly number[];
  /** The places of its trials among all. */
  readonly trials: readonly number[];
  /** It holds the trial that stands first. */
  readonly isFirst: boolean;
  /** Null where no trial of it is ranked. */
  readonly value: number | null;
}

/** The fields along one side: values of a parameter, or ranges of them where there are many. */
export interface HeatAxis {
  readonly count: number;
  /** Negative for a value that it does not have. */
  readonly placeOf: (value: TrialValue) => number;
  readonly textOf: (place: number) => string;
}

type TrialValue = SearchData['points'][number]['values'][number];

const MAX_FIELDS = 14;

export function sideOf({ points }: SearchData, parameter: number): HeatAxis {
  if (parameter < 0) return { count: 1, placeOf: () => 0, textOf: () => '' };
  const values: readonly TrialValue[] = [...new Set(points.flatMap(({ values: own }) => own[parameter] ?? []))];
  const numbers = values.filter((one) => typeof one === 'number').sort((a, b) => a - b);
  const ascending: readonly TrialValue[] = numbers;
  if (numbers.length < values.length)
    return { count: values.length, placeOf: (one) => values.indexOf(one), textOf: (n) => typeset(String(values[n])) };
  if (numbers.length <= MAX_FIELDS)
    return { count: numbers.length, placeOf: (one) => ascending.indexOf(one), textOf: (n) => typeset(String(numbers[n])) };
  const [low, high] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  const width = (high - low) / MAX_FIELDS;
  return {
    count: MAX_FIELDS,
    placeOf: (one) => (typeof one === 'number' ? Math.min(MAX_FIELDS - 1, Math.floor((one - low) / width)) : -1),
    textOf: (n) => `${plain(low + n * width, high - low)}+`,
  };
}

const middleOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
};

/** The fields of a heat map that hold trials. */
export function fieldsOf(
  { points, first }: SearchData,
  choice: HeatChoice,
  [across, up]: readonly [HeatAxis, HeatAxis],
): readonly HeatCell[] {
  const fields = new Map<number, { x: number; y: number; values: number[]; trials: number[]; isFirst: boolean }>();
  for (const [n, { values, figures, isRanked }] of points.entries()) {
    const [x, y] = [across.placeOf(values[choice.x] ?? null), choice.y < 0 ? 0 : up.placeOf(values[choice.y] ?? null)];
    if (x < 0 || y < 0) continue;
    const key = y * across.count + x;
    const field = fields.get(key) ?? { x, y, values: [], trials: [], isFirst: false };
    field.trials.push(n);
    field.isFirst ||= n === first;
    const figure = figures[choice.figure];
    if (isRanked && typeof figure === 'number') field.values.push(figure);
    fields.set(key, field);
  }
  return [...fields.values()].map((field) => ({
    ...field,
    value: field.values.length === 0 ? null : choice.by === 'best' ? Math.max(...field.values) : middleOf(field.values),
  }));
}

/** The range of the figures that colours stand for, and what the palest one does: zero where there are losses and profits. */
export interface ColourRange {
  readonly lowest: number;
  readonly palest: number;
  readonly highest: number;
}

/** The range of all fields; null where no figure is known. */
export function colourRange(fields: readonly HeatCell[]): ColourRange | null {
  const known = fields.flatMap(({ value }) => value ?? []);
  if (known.length === 0) return null;
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  return { lowest, palest: Math.max(lowest, Math.min(0, highest)), highest };
}

/** How much of its colour a field has, in percent. */
export function depthOf({ value }: Pick<HeatCell, 'value'>, range: ColourRange | null): number {
  if (value === null || range === null) return PALEST;
  const { lowest, palest, highest } = range;
  const share = Math.abs(value - palest) / (Math.max(highest - palest, palest - lowest) || 1);
  return Math.round(PALEST + share * (DEEPEST - PALEST));
}

/** A field beside zero is told from white, and from one of the other sign. */
export const PALEST = 20;
const DEEPEST = 60;
