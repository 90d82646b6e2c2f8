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
export interface FoldSpan {
  readonly from: Millis;
  /** Quotes before this time. */
  readonly to: Millis;
}

/** One step of a walk-forward: parameters are chosen on `train` and tried on `test`. */
export interface Fold {
  readonly train: FoldSpan;
  readonly test: FoldSpan;
}

const MAX_FOLDS = 10_000;

/**
 * The folds of a time, oldest first: tests follow each other without a gap, and what is left for no whole test is left out. None
 * reaches into one of the times without quotes; an anchored training may lie over them. Throws USAGE where not one fits, or where there are far too many.
 */
export function foldsOf(span: FoldSpan, options: WindowOptions, empty: readonly FoldSpan[] = []): readonly Fold[] {
  const { trainMs, testMs, embargoMs } = options;
  const stretches = stretchesOf(span, empty);
  const counts = stretches.map(({ from, to }) => Math.max(0, Math.floor((to - from - trainMs - embargoMs) / testMs)));
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) {
    const longest = Math.max(0, ...stretches.map(({ from, to }) => to - from));
    const [there, needed] = [longest, trainMs + embargoMs + testMs].map((ms) => `${(ms / 3_600_000).toFixed(2)} h`);
    const whole = stretches.length > 1 ? 'without a hole, at most, ' : '';
    throw new KairosError(
      'USAGE',
      `--train, --embargo and --test together need ${needed}, and ${there} were ${whole}recorded: take shorter ones`,
    );
  }
  if (count > MAX_FOLDS) throw new KairosError('USAGE', `--test makes ${count} windows of this recording; take a longer one`);
  return stretches.flatMap(({ from }, place) =>
    Array.from({ length: counts[place] ?? 0 }, (_, n) => foldAt(from + n * testMs, span, options)),
  );
}

function foldAt(begin: Millis, span: FoldSpan, { trainMs, testMs, embargoMs, anchored }: WindowOptions): Fold {
  const to = begin + trainMs;
  return { train: { from: anchored ? span.from : begin, to }, test: { from: to + embargoMs, to: to + embargoMs + testMs } };
}

/** What is left of a time without some times in it, which are in order and do not touch. */
function stretchesOf({ from, to }: FoldSpan, without: readonly FoldSpan[]): readonly FoldSpan[] {
  const begins = [from, ...without.map((one) => one.to)];
  const ends = [...without.map((one) => one.from), to];
  return begins.flatMap((begin, n) => ((ends[n] ?? to) > begin ? [{ from: begin, to: ends[n] ?? to }] : []));
}
