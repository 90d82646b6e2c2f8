import { durationText } from '#domain/duration-text.ts';
import { amountText, fixedText, grouped, placedText, shareText } from '#domain/money-text.ts';
import { isKnown, type Metric, missing } from './metrics/metric.ts';

/** The unit of a figure. `share`: 0.01 is one percent. Money is in the report's currency unless the section says otherwise. */
type Unit = 'share' | 'money' | 'ratio' | 'count' | 'bps' | 'ms' | 'duration' | 'time';

/** One line of a report: a figure with its name and unit, or why it is missing. */
export interface Figure {
  /** Stable, for scripts. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  /** In `unit`, money in the report's currency; null where there is none. */
  readonly value: number | null;
  /** Of money, where it is not the report's. */
  readonly currency?: string;
  /** Why there is no value, or a note on what it counts. */
  readonly note?: string;
}

/** A part of a report: its figures under a title. */
export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** A line from a metric. */
export function figure(id: string, label: string, unit: Unit, metric: Metric, note?: string): Figure {
  if (isKnown(metric) && Number.isFinite(metric)) return { id, label, unit, value: metric, ...(note !== undefined && { note }) };
  return { id, label, unit, value: null, note: isKnown(metric) ? 'it is no finite number' : metric.why };
}

/** A line of a report that takes its metric from what is known. */
export type FigureRow<Known> = readonly [id: string, label: string, unit: Unit, take: (known: Known) => Metric, note?: string | undefined];

/** The lines of rows. `known` is a text where nothing is, which says why. */
export const figuresOf = <Known extends object>(known: Known | string, rows: readonly FigureRow<Known>[]): readonly Figure[] =>
  rows.map(([id, label, unit, take, note]) => figure(id, label, unit, typeof known === 'string' ? missing(known) : take(known), note));

/** A metric of a report by its id. */
export function metricIn(sections: readonly Section[], id: string): Metric {
  for (const { figures } of sections) {
    const found = figures.find((one) => one.id === id);
    if (found) return found.value ?? missing(found.note ?? 'it is not there');
  }
  return missing(`there is no figure ${id}`);
}

/** A value in its unit, for people. `currency` stands behind money that has none of its own. */
export function valueText({ value, unit, currency: own }: Pick<Figure, 'value' | 'unit' | 'currency'>, currency: string): string {
  if (value === null) return 'n/a';
  switch (unit) {
    case 'share':
      return shareText(value);
    case 'money':
      return amountText(value, own ?? currency);
    case 'ratio':
      return fixedText(value, 3);
    case 'count':
      return Number.isInteger(value) ? grouped(String(value)) : placedText(value, 2);
    case 'bps':
      return `${fixedText(value, 2)} bps`;
    case 'ms':
      return `${fixedText(value, 1)} ms`;
    case 'duration':
      return durationText(value);
    case 'time':
      return new Date(value).toISOString();
  }
}
