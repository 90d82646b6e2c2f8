import type { Millis } from './names.ts';
import type { Reason } from './reasons.ts';

type LatchCause = Pick<Latch, 'who' | 'why'>;

/** A latch that stands and is set again: what is said the second time is told behind the first. The same latch where it says nothing new. */
export function saidAgain<One extends LatchCause>(standing: One, { who, why }: LatchCause): One {
  const isSaid = `${standing.who}: ${standing.why}`.includes(`${who}: ${why}`);
  return isSaid ? standing : { ...standing, why: `${standing.why}; then ${who}: ${why}` };
}

/** Whether `flatten` began REDUCING: only a person ends that. */
export const isByHand = (reason: Reason | null | undefined): reason is 'BY_PERSON' | 'BY_SCHEDULE' =>
  reason === 'BY_PERSON' || reason === 'BY_SCHEDULE';

/** Of a pause that is set again: a person's stays a person's, whoever else pauses too. No schedule ends it. */
export const pausedBy = (standing: Reason | null | undefined, reason: Reason | null): Reason | null =>
  standing === 'BY_PERSON' ? standing : reason;

/** A latch of an earlier run: a state of trading, or paused or disabled strategies (`strategy` null: all of them). */
export interface Latch {
  readonly kind: 'halted' | 'reducing' | 'disarmed' | 'paused' | 'disabled';
  readonly strategy: string | null;
  readonly since: Millis;
  readonly who: string;
  readonly why: string;
  /** Absent where a file set it. */
  readonly reason?: Reason | null;
  /** When it ends by itself, as `withEnds` has it; absent where it does not, and in journals. */
  readonly until?: Millis | undefined;
}
