import { isByHand, type Latch } from './latch.ts';
import { isoTime, type Millis } from './names.ts';
import { NOT_ENABLED, NOT_ENABLED_MEND } from './not-enabled.ts';

type LatchOf = Pick<Latch, 'kind' | 'strategy' | 'until' | 'why'>;

/** A latch as far as it is known who set it, and when. */
export type StandingLatch = Omit<Latch, 'who' | 'since'> & { readonly who: string | null; readonly since: Millis | null };

/** The order of the states of a strategy. */
const ORDER: readonly Latch['kind'][] = ['disabled', 'halted', 'disarmed', 'paused', 'reducing'];

/** Latches, with the one in front that must end first. */
export const foremostFirst = <One extends LatchOf>(latches: readonly One[]): readonly One[] =>
  latches.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** The fewest commands that end all of some latches, which are of all strategies or of one; in front the one for what must end first. */
function commandsThatEnd(latches: readonly LatchOf[]): readonly string[] {
  const isArmed = latches.some(({ kind }) => kind === 'disarmed');
  const commandFor = ({ kind, strategy }: LatchOf): string => {
    if (kind === 'disabled') return `kairos enable ${strategy}`;
    if (kind === 'disarmed') return 'kairos arm';
    if (kind === 'paused') return strategy === null ? 'kairos resume' : `kairos resume ${strategy}`;
    return kind === 'reducing' && isArmed ? 'kairos arm' : 'kairos resume';
  };
  return [...new Set(foremostFirst(latches).map(commandFor))];
}

/** Latches with when they end by themselves: REDUCING after `trading.rearmAfter`, but not while DISARMED stands as well, nor where `flatten` began it. */
export function withEnds(latches: readonly Latch[], rearmAfterMs: Millis | null): readonly Latch[] {
  if (rearmAfterMs === null || latches.some(({ kind }) => kind === 'disarmed')) return latches;
  const endsAlone = ({ kind, reason }: Latch): boolean => kind === 'reducing' && !isByHand(reason);
  return latches.map((latch) => (endsAlone(latch) ? { ...latch, until: latch.since + rearmAfterMs } : latch));
}

/** What ends latches, in words: `kairos resume ends both`, and what ends by itself. `shown`: how a command is written. */
export function endText(latches: readonly LatchOf[], shown = (command: string): string => command): string {
  if (latches.some(({ kind, why }) => kind === 'disabled' && why === NOT_ENABLED)) return NOT_ENABLED_MEND;
  const [only, ...more] = latches;
  const commands = commandsThatEnd(latches).map(shown);
  if (only?.until !== undefined && more.length === 0) return `it ends by itself at ${isoTime(only.until)}, or by ${commands.join(' and ')}`;
  const what = latches.length === 1 ? 'it' : latches.length === 2 ? 'both' : 'all of them';
  return `${commands.join(' and ')} ${commands.length === 1 ? 'ends' : 'end'} ${what}${selfText(latches)}`;
}

const selfText = (latches: readonly LatchOf[]): string =>
  latches.map(({ kind, until }) => (until === undefined ? '' : `; ${kind.toUpperCase()} ends by itself at ${isoTime(until)}`)).join('');

/** Latches with their beginnings: `HALTED since .. by ann (why)`. */
export const latchesText = (latches: readonly StandingLatch[]): string =>
  foremostFirst(latches)
    .map(({ kind, since, who, why }) => {
      const began = since === null ? '' : ` since ${isoTime(since)}`;
      return `${kind.toUpperCase()}${began}${who === null ? '' : ` by ${who}`} (${why})`;
    })
    .join(' and ');

/** What stands after an act that ended something else, and what it keeps back: `still HALTED since .. by ..: no order goes out before kairos resume`. */
export function stillText(latches: readonly Latch[]): string {
  const stopsAll = latches.some(({ kind }) => kind === 'halted' || kind === 'disarmed');
  const ends = commandsThatEnd(latches).join(' and ');
  return `still ${latchesText(latches)}: ${stopsAll ? 'no order goes out' : 'nothing is opened'} before ${ends}${selfText(latches)}`;
}
