import type { DayEquity } from './equity/days.ts';

/** Return of a month, from the days in it; a month that the run did not fill counts with the days that it has. */
export interface Month {
  /** `2026-11`. */
  readonly month: string;
  readonly return: number;
  readonly days: number;
}

/** The return of each month (UTC) from the returns of its days. What was made over a hole in the data is of none. */
export function monthsOf(days: readonly DayEquity[]): readonly Month[] {
  const months = new Map<string, { growth: number; days: number }>();
  for (const day of days) {
    if (day.hole) continue;
    // A day ends at the midnight after it, or within itself at the run's end.
    const month = new Date(day.at - 1).toISOString().slice(0, 7);
    const before = months.get(month) ?? { growth: 1, days: 0 };
    months.set(month, { growth: before.growth * (1 + day.return), days: before.days + 1 });
  }
  return [...months].map(([month, { growth, days: count }]) => ({ month, return: growth - 1, days: count }));
}
