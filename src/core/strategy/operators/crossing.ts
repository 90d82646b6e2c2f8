import type { OperatorFunction } from 'rxjs';
import type { Indicator, Step } from '#core/strategy/indicators.ts';
import { stepped } from '#core/strategy/stepped.ts';

/** Figures that differ by less than this share of their size are equal: two averages of one price differ by rounding. */
const EQUAL_WITHIN = 1e-12;

export type Cross = 'up' | 'down';

/**
 * Emits when the first indicator comes to stand on the other side of the second: `up` from below to above, `down` the other
 * way. Touching is not crossing, and the order that they begin with is none. A level may stand for the second.
 */
export function crossing<In = number>(first: Indicator<In, number>, second: Indicator<In, number> | number): OperatorFunction<In, Cross> {
  return stepped(() => {
    const compare = comparison(first, second);
    let last = 0;
    return (x) => {
      const order = compare(x);
      if (order === undefined || order === 0) return undefined;
      const crossed = last !== 0 && order !== last;
      last = order;
      if (!crossed) return undefined;
      return order > 0 ? 'up' : 'down';
    };
  });
}

export type Standing = 'above' | 'below';

/**
 * Emits at every value, once both are warm, on which side of the second indicator the first stands. Where they are equal
 * the last word stands; before any, it is `below`. A level may stand for the second.
 */
export function above<In = number>(first: Indicator<In, number>, second: Indicator<In, number> | number): OperatorFunction<In, Standing> {
  return stepped(() => {
    const compare = comparison(first, second);
    let standing: Standing = 'below';
    return (x) => {
      const order = compare(x);
      if (order === undefined) return undefined;
      if (order !== 0) standing = order > 0 ? 'above' : 'below';
      return standing;
    };
  });
}

/** The sign of first minus second at each value: 1, 0 or -1; undefined until both are warm, or for what is no number. */
function comparison<In>(first: Indicator<In, number>, second: Indicator<In, number> | number): Step<In, number> {
  const a = first.start();
  const b: Step<In, number> = typeof second === 'number' ? () => second : second.start();
  return (x) => {
    const left = a(x);
    const right = b(x);
    if (left === undefined || right === undefined) return undefined;
    const difference = left - right;
    if (Number.isNaN(difference)) return undefined;
    if (Math.abs(difference) <= EQUAL_WITHIN * Math.max(Math.abs(left), Math.abs(right))) return 0;
    return Math.sign(difference);
  };
}
