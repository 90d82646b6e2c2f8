/** How far back prices are shown, in minutes; null: the whole run. */
export const SPANS = [
  ['5 min', 5],
  ['1 h', 60],
  ['run', null],
] as const;

/** Number of minutes that a chart shows; null for the whole run. */
export type MinuteSpan = (typeof SPANS)[number][1];

const HOUR = 60;
const DAY = 24 * HOUR;

/** How far back equity is shown, in minutes; null: over all runs. */
export const EQUITY_SPANS = [
  ['5 min', 5],
  ['1 h', HOUR],
  ['1 d', DAY],
  ['7 d', 7 * DAY],
  ['all', null],
] as const;

export type EquitySpan = (typeof EQUITY_SPANS)[number][1];

/** Visible span of a product's chart, in minutes. */
export const MARKET_SPANS = [
  ['5 min', 5],
  ['1 h', HOUR],
  ['6 h', 6 * HOUR],
  ['1 d', DAY],
  ['7 d', 7 * DAY],
] as const;

export type MarketSpan = (typeof MARKET_SPANS)[number][1];
