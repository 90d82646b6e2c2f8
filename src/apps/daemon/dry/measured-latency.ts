import type { Timers } from '#ports/timers.ts';
import type { OrderLatency } from '#venue/core/matching-broker.ts';

/** An order's round trip while none was measured, in milliseconds. */
export const UNMEASURED_ROUND_TRIP_MS = 200;
/** Round trips that are drawn from. */
const KEPT = 200;

/** How long an order would take to the service and back: one of the round trips that were measured last, half of it each way. */
export class MeasuredLatency {
  private readonly timers: Pick<Timers, 'random'>;
  private readonly trips: number[] = [];

  constructor(timers: Pick<Timers, 'random'>) {
    this.timers = timers;
  }

  /** A harmless request was answered after so many milliseconds. */
  measured(roundTripMs: number): void {
    this.trips.push(roundTripMs);
    if (this.trips.length > KEPT) this.trips.shift();
  }

  draw(): OrderLatency {
    const roundTripMs = this.trips[Math.floor(this.timers.random() * this.trips.length)] ?? UNMEASURED_ROUND_TRIP_MS;
    return { thereMs: roundTripMs / 2, backMs: roundTripMs / 2 };
  }
}
