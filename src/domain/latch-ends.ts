import type { Latch } from './event.ts';

type LatchOf = Pick<Latch, 'kind' | 'strategy'>;

/** The order of the states of a strategy. */
const ORDER: readonly Latch['kind'][] = ['disabled', 'halted', 'disarmed', 'paused', 'reducing'];

/** Latches, with the one in front that must end first. */
export const foremostFirst = <One extends LatchOf>(latches: readonly One[]): readonly One[] =>
  latches.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** The fewest commands that end all of some latches, which are of all strategies or of one. */
export function commandsThatEnd(latches: readonly LatchOf[]): readonly string[] {
  const of = (kind: Latch['kind']): readonly LatchOf[] => latches.filter((latch) => latch.kind === kind);
  const isResumed = of('halted').length > 0 || of('paused').some(({ strategy }) => strategy === null);
  const isArmed = of('disarmed').length > 0;
  const resumesAll = isResumed || (of('reducing').length > 0 && !isArmed);
  return [
    ...of('disabled').map(({ strategy }) => `kairos enable ${strategy}`),
    ...(resumesAll ? ['kairos resume'] : of('paused').map(({ strategy }) => `kairos resume ${strategy}`)),
    ...(isArmed ? ['kairos arm'] : []),
  ];
}

/** What commands end, in words: `kairos resume ends both`. `count`: the number of latches. */
export function endText(commands: readonly string[], count: number): string {
  const what = count === 1 ? 'it' : count === 2 ? 'both' : 'all of them';
  return `${commands.join(' and ')} ${commands.length === 1 ? 'ends' : 'end'} ${what}`;
}
