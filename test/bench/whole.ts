import { expect } from 'vitest';
import type { BenchResult } from '../../bench/result.ts';

/** Every ratio has two sides that are numbers above nothing, and is one by the other. */
export function expectWhole({ name, ratios, figures }: BenchResult): void {
  expect(ratios.length, name).toBeGreaterThan(0);
  for (const { what, ours, theirs, ratio } of ratios) {
    expect(ours.value, `${name}: ${what}, Kairos`).toBeGreaterThan(0);
    expect(theirs.value, `${name}: ${what}, beside it`).toBeGreaterThan(0);
    expect(ratio).toBeCloseTo(ours.value / theirs.value);
  }
  for (const { label, value } of figures) expect(Number.isFinite(value), `${name}: ${label}`).toBe(true);
}
