import type { Millis } from './names.ts';
import type { Reason } from './reasons.ts';

/** A latch of an earlier run: a state of trading, or paused or disabled strategies (`strategy` null: all of them). */
export interface Latch {
  readonly kind: 'halted' | 'reducing' | 'disarmed' | 'paused' | 'disabled';
  readonly strategy: string | null;
  readonly since: Millis;
  readonly who: string;
  readonly why: string;
  /** Absent in runs of earlier versions. */
  readonly reason?: Reason | null;
  /** When it ends by itself, as `withEnds` has it; absent where it does not, and in journals. */
  readonly until?: Millis | undefined;
}
