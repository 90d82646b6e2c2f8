import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';

/** How a recording is cut: parameters are chosen on `train`, then held against `test`, `embargo` later. */
export interface WindowOptions {
  readonly trainMs: Millis;
  readonly testMs: Millis;
  /** Left out between the two, so that nothing of the training reaches into the test. */
  readonly embargoMs: Millis;
  /** True: every training begins where the recording does, and grows. */
  readonly anchored: boolean;
}

/** A span of recorded quotes. */
export interface Window {
  readonly from: Millis;
  /** Quotes before this time. */
  readonly to: Millis;
}

/** One step of a walk-forward: parameters are chosen on `train` and tried on `test`. */
export interface Fold {
  readonly train: Window;
  readonly test: Window;
}

const MAX_FOLDS = 10_000;

/**
 * The folds of a time, oldest first: tests follow each other without a gap, and what is left for no whole test is left out.
 * Throws USAGE where not one fits, or where there are far too many.
 */
export function foldsOf(span: Window, { trainMs, testMs, embargoMs, anchored }: WindowOptions): readonly Fold[] {
  const count = Math.floor((span.to - span.from - trainMs - embargoMs) / testMs);
  if (count < 1) {
    const [there, needed] = [span.to - span.from, trainMs + embargoMs + testMs].map((ms) => `${(ms / 3_600_000).toFixed(2)} h`);
    throw new KairosError('USAGE', `--train, --embargo and --test together need ${needed}, and ${there} were recorded: take shorter ones`);
  }
  if (count > MAX_FOLDS) throw new KairosError('USAGE', `--test makes ${count} windows of this recording; take a longer one`);
  return Array.from({ length: count }, (_, n) => {
    const begin = span.from + n * testMs;
    const from = anchored ? span.from : begin;
    const to = begin + trainMs;
    return { train: { from, to }, test: { from: to + embargoMs, to: to + embargoMs + testMs } };
  });
}
