import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { OrderText } from '#domain/order.ts';
import { apart, distanceText, fillsOf, isAlike, type RunCourse } from './against-course.ts';

/** An order that the run and its backtest have not in common, or not alike, and why. */
interface Difference {
  /** That of the run where both have one. */
  readonly order: OrderText;
  readonly in: 'run' | 'backtest' | 'both';
  readonly cause: string;
}

/** A fill that one of both has. */
interface Alone {
  readonly order: OrderText;
  readonly in: 'run' | 'backtest';
  /** What was recorded as its cause. */
  readonly recorded: string | undefined;
}

/** Orders that are further apart are not taken for the same, in milliseconds. */
const MAX_APART_MS = 60_000;

/**
 * What a run and its backtest executed differently, in the order in which it was decided. What was recorded as a cause is told; else, while an earlier
 * difference stands in what the strategy holds of the product, that it follows from it. `causeOf` has what was recorded as the cause for an order of the run.
 */
export function differences(
  then: RunCourse,
  now: RunCourse,
  causeOf: (order: OrderText) => string | undefined,
): { readonly same: number; readonly others: readonly Difference[] } {
  const [mine, theirs] = [fillsOf(then), fillsOf(now)];
  const keys = new Set(theirs.map(keyOf));
  const ran = mine.filter((order) => !keys.has(keyOf(order)));
  const same = mine.length - ran.length;
  const both = new Set(mine.map(keyOf));
  const alone = [
    ...ran.map((order): Alone => ({ order, in: 'run', recorded: causeOf(order) })),
    ...theirs
      .filter((order) => !both.has(keyOf(order)))
      .map((order): Alone => ({ order, in: 'backtest', recorded: then.recordedCause(order) })),
  ].sort((a, b) => a.order.intentAt - b.order.intentAt);
  return { same, others: withCauses(alone, then, now) };
}

const keyOf = ({ quoteId, strategy, side, size }: OrderText): string => `${quoteId} ${strategy} ${side} ${decimalOf(size)}`;

function withCauses(alone: readonly Alone[], then: RunCourse, now: RunCourse): readonly Difference[] {
  const pairs = paired(alone);
  const told = new Set(pairs.values());
  const gaps = new Map<string, Gap>();
  return alone.flatMap((one): Difference[] => {
    const { order, recorded } = one;
    if (told.has(one)) return [];
    const of = `${order.strategy} ${order.product}`;
    const gap = gaps.get(of);
    const follows = gap === undefined ? '' : `follows from ${gap.first}: `;
    const other = pairs.get(one)?.order;
    gaps.delete(of);
    const after = (gap?.held ?? decimalOf('0')).plus(other ? signed(one).plus(signed({ order: other, in: 'backtest' })) : signed(one));
    if (!after.isZero()) gaps.set(of, { held: after, first: gap?.first ?? `${order.id} of the ${one.in}` });
    if (recorded !== undefined) return [{ order, in: one.in, cause: recorded }];
    if (other) return [{ order, in: 'both', cause: `${follows}${pairText(order, other)}` }];
    const cause = (one.in === 'run' ? now : then).otherwise(order);
    return [{ order, in: one.in, cause: `${follows}${cause}` }];
  });
}

/** How much more of a product the run holds for a strategy than the backtest, and the order with which that began, in words. */
interface Gap {
  readonly held: Decimal;
  readonly first: string;
}

const signed = ({ order: { side, size }, in: of }: Pick<Alone, 'order' | 'in'>): Decimal =>
  (side === 'buy') === (of === 'run') ? decimalOf(size) : decimalOf(size).negated();

/** Of fills of the run without a recorded cause, the same of the backtest: on the same quote of another size, else the nearest of the same size. */
function paired(alone: readonly Alone[]): ReadonlyMap<Alone, Alone> {
  const open = new Set(alone.filter((one) => one.in === 'backtest' && one.recorded === undefined));
  const pairs = new Map<Alone, Alone>();
  for (const one of alone) {
    if (one.in !== 'run' || one.recorded !== undefined) continue;
    const { order } = one;
    const likely = [...open].filter((other) => isSameQuote(other.order, order) || isNear(other.order, order));
    const nearest = likely.sort((a, b) => rank(a.order, order) - rank(b.order, order))[0];
    if (!nearest) continue;
    open.delete(nearest);
    pairs.set(one, nearest);
  }
  return pairs;
}

const isSameQuote = (a: OrderText, b: OrderText): boolean => a.quoteId === b.quoteId && a.strategy === b.strategy && a.side === b.side;

const isNear = (a: OrderText, b: OrderText): boolean => isAlike(a, b) && apart(a, b) <= MAX_APART_MS;

const rank = (a: OrderText, b: OrderText): number => (a.quoteId === b.quoteId ? -1 : apart(a, b));

const pairText = (order: OrderText, other: OrderText): string =>
  order.quoteId === other.quoteId ? `of ${other.size} in the backtest` : `the backtest did the same ${distanceText(other, order)}`;
