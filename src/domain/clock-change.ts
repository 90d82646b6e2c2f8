import { isoTime, type Millis } from './names.ts';

/** A change of the clocks of a zone. */
export interface ClockChange {
  readonly zone: string;
  readonly at: Millis;
  /** How far they are ahead of UTC before it. */
  readonly aheadBeforeMs: Millis;
  /** The same from it on. */
  readonly aheadAfterMs: Millis;
}

/** A time by the clocks of a zone that names no single instant. */
export interface UnclearTime {
  /** None where a change leaves the time out; two where it makes it come twice, the earlier one first. */
  readonly instants: readonly [] | readonly [Millis, Millis];
  readonly change: ClockChange;
}

/** UTC of a time by the clocks of a zone, which is given as if these showed UTC. */
export type LocalToUtc = (local: Millis) => Millis | UnclearTime;

/** What clocks did at a change, as they show it: `the clocks of Europe/Berlin went back from 03:00 to 02:00 on 2025-10-26`. */
export function clockChangeText({ zone, at, aheadBeforeMs, aheadAfterMs }: ClockChange): string {
  const [from, to] = [isoTime(at + aheadBeforeMs), isoTime(at + aheadAfterMs)];
  const way = aheadAfterMs < aheadBeforeMs ? 'back' : 'forward';
  const shown = (time: string): string => time.slice(11, 16);
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  const end = isOneDay ? `${shown(to)} on ${from.slice(0, 10)}` : `${to.slice(0, 10)} ${shown(to)}`;
  return `the clocks of ${zone} went ${way} from ${isOneDay ? '' : `${from.slice(0, 10)} `}${shown(from)} to ${end}`;
}
