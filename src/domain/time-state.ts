import type { Reason } from './reasons.ts';

/** How well the service's time is known, for people: offset and half-width in milliseconds, null if it is unknown. */
export interface TimeState {
  /** Why no order may go out because of time, or null. */
  readonly reason: Reason | null;
  /** The service's time less the clock of this machine. */
  readonly offsetMs: number | null;
  readonly halfWidthMs: number | null;
}
