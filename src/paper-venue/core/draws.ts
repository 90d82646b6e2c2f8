import type { MillisOrRange } from '#domain/settings/spans.ts';

/** Draws log-uniformly from a range. `unit` is in [0, 1). Whole milliseconds. */
export function drawLogUniform(setting: MillisOrRange, unit: number): number {
  if (typeof setting === 'number') return setting;
  const [min, max] = setting;
  const low = Math.max(1, min);
  if (max <= low) return max;
  return Math.round(low * (max / low) ** unit);
}

/** Draws uniformly from a range. `unit` is in [0, 1). Whole milliseconds. */
export function drawUniform(setting: MillisOrRange, unit: number): number {
  if (typeof setting === 'number') return setting;
  const [min, max] = setting;
  return Math.round(min + (max - min) * unit);
}
