import type { LatchView, PastView } from '#server/page/past-view.ts';
import type { StateView } from '#server/page/view.ts';

/** What stops orders of all strategies, the strictest first: a state of trading may hide those after it, which still stand. */
const STATES = [
  ['HALTED', 'halted'],
  ['DISARMED', 'disarmed'],
  ['REDUCING', 'reducing'],
] as const;

/**
 * The latches of the journal, those of all strategies first; without those that the present state says are over, since both are read apart.
 * Until the journal's have arrived, that of the present state.
 */
export function latchesOf(
  { trading, at }: Pick<StateView, 'trading' | 'at'>,
  past: Pick<PastView, 'latches'> | null,
): readonly LatchView[] {
  const first = STATES.findIndex(([state]) => state === trading);
  const standing: readonly LatchView['kind'][] = first < 0 ? [] : STATES.slice(first).map(([, kind]) => kind);
  const [kind] = standing;
  const known = (past?.latches ?? [])
    .filter((latch) => latch.strategy !== null || latch.kind === 'paused' || standing.includes(latch.kind))
    .sort((a, b) => placeOf(a, standing) - placeOf(b, standing));
  if (kind === undefined || known.some((latch) => latch.kind === kind)) return known;
  return [{ kind, strategy: null, since: at, who: '', why: '', reason: null, meaning: null }, ...known];
}

/** States of trading in their order, then a pause of all strategies, then what is of one strategy. */
function placeOf({ kind, strategy }: LatchView, standing: readonly LatchView['kind'][]): number {
  if (strategy !== null) return standing.length + 1;
  const place = standing.indexOf(kind);
  return place < 0 ? standing.length : place;
}
