/** How far back prices are shown, in minutes; null: the whole run. */
export const SPANS = [
  ['5 min', 5],
  ['1 h', 60],
  ['run', null],
] as const;

/** Minutes that a chart shows; null for the run. */
export type Span = (typeof SPANS)[number][1];
