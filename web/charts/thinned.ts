import type { ChartBar } from '#server/page/history-view.ts';

/** An event that is drawn as a mark at a price. */
export interface PricedMark {
  readonly at: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

/** Overlapping marks, joined into one. */
export interface MarkGroup<One extends PricedMark> {
  readonly at: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
  readonly members: readonly One[];
}

type Bounds = Pick<ChartBar, 'low' | 'high'>;

/** Distance within which two marks of a side are joined, in pixels. */
const APART_PX = 16;

/** Joins marks of one side that would touch; zoomed in, each is drawn alone. `at` ascends. */
export function thinnedMarks<One extends PricedMark>(marks: readonly One[], msPerPx: number): readonly MarkGroup<One>[] {
  const apart = msPerPx * APART_PX;
  const open = new Map<string, { first: number; members: One[] }>();
  const groups: { first: number; members: One[] }[] = [];
  for (const mark of marks) {
    const group = open.get(mark.side);
    if (group && mark.at - group.first < apart) group.members.push(mark);
    else {
      const begun = { first: mark.at, members: [mark] };
      open.set(mark.side, begun);
      groups.push(begun);
    }
  }
  return groups.map(({ members }) => ({
    at: mean(members.map(({ at }) => at)),
    price: mean(members.map(({ price }) => price)),
    side: members[0]?.side ?? 'buy',
    members,
  }));
}

/** The price beyond which a mark hides none of the bars that its executions were in: the lowest for what was bought, the highest for others. */
export function edgeOf(
  { side, members }: Pick<MarkGroup<PricedMark>, 'side' | 'members'>,
  barAt: (at: number) => Bounds | undefined,
): number {
  const bounds = members.flatMap(({ at, price }) => {
    const bar = barAt(at);
    return bar === undefined ? [price] : [price, side === 'buy' ? bar.low : bar.high];
  });
  return side === 'buy' ? Math.min(...bounds) : Math.max(...bounds);
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
