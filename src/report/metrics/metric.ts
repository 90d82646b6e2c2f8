/** A missing figure, and why. Never shown as 0. */
interface Missing {
  readonly why: string;
}

/** A figure, or why there is none. */
export type Metric = number | Missing;

export const missing = (why: string): Missing => ({ why });

export const isKnown = (metric: Metric): metric is number => typeof metric === 'number';

/** A figure derived from another. If that is missing, so is this, for the same reason. */
export function from(metric: Metric, make: (value: number) => Metric): Metric {
  return isKnown(metric) ? make(metric) : metric;
}

/** A quotient, or why it has no value. */
export function ratio(numerator: number, denominator: number, whyNot: string): Metric {
  const value = numerator / denominator;
  return denominator !== 0 && Number.isFinite(value) ? value : missing(whyNot);
}
