import { Doubles } from '#core/strategy/batch.ts';
import type { Indicator } from '#core/strategy/indicators.ts';
import { figureAt } from '#domain/figure-at.ts';
import { seeded } from '#domain/seeded.ts';

/** How thoroughly `checkOperator` tries an operator. */
export interface OperatorCheck {
  /** Seed of the numbers and of how they are split; 1 by default. */
  readonly seed?: number | string;
  /** Number of series that are tried; 200 by default. */
  readonly runs?: number;
}

/** Length of one series. */
const LENGTH = 200;

/**
 * Checks that an operator gives bit-identical results for numbers one at a time and in blocks, in any mix, and after
 * undo, and that two runs share no state. Throws with the seed and the place of the first difference.
 */
export function checkOperator(of: Indicator, { seed = 1, runs = 200 }: OperatorCheck = {}): void {
  for (let run = 0; run < runs; run++) {
    const numbers = seeded(`${seed}/${run}`);
    const draw = (below: number): number => Math.floor(numbers.next() * below);
    const input = Float64Array.from({ length: LENGTH }, () => drawn(draw, numbers.next()));
    const one = of.kernel();
    const many = of.kernel();
    const expected = Float64Array.from(input, (x) => nextOf(one, x));
    const got = new Float64Array(LENGTH);
    for (let from = 0; from < LENGTH; ) {
      const to = Math.min(LENGTH, from + 1 + draw(40));
      const how = draw(3);
      // An undone number must leave no trace.
      if (how === 2) {
        many.keep();
        spanOf(many, input.subarray(from, Math.min(LENGTH, to + draw(20))));
        many.undo();
      }
      if (how === 0) for (let at = from; at < to; at++) got[at] = nextOf(many, figureAt(input, at));
      else got.set(spanOf(many, input.subarray(from, to)), from);
      from = to;
    }
    for (let at = 0; at < LENGTH; at++) {
      if (Object.is(got[at], expected[at])) continue;
      throw new Error(`value ${at} is ${got[at]} where values came split, and ${expected[at]} one at a time (seed ${seed}, run ${run})`);
    }
  }
}

/** Draws a random walk that now and then jumps, stands still, has gaps or a number that is not finite. */
function drawn(draw: (below: number) => number, share: number): number {
  const how = draw(20);
  if (how === 0) return [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][draw(6)] ?? Number.NaN;
  if (how === 1) return draw(1_000_000) / 7;
  return how < 5 ? 100 : 100 + share;
}

function nextOf(kernel: ReturnType<Indicator['kernel']>, x: number): number {
  return Number.isNaN(x) ? Number.NaN : (kernel.next(x) ?? Number.NaN);
}

function spanOf(kernel: ReturnType<Indicator['kernel']>, input: Float64Array): Float64Array {
  const out = new Doubles(new Float64Array(input.length));
  kernel.span(new Doubles(input.slice()), out, input.length);
  return out.values;
}
