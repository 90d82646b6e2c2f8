import type { Millis } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { seeded } from '#domain/seeded.ts';
import { drawLogUniform } from '#venue/core/draws.ts';
import type { OrderLatency } from '#venue/core/matching-broker.ts';

/** An order's way in milliseconds: to the last gate, to the service, and back. */
interface OrderDelays extends OrderLatency {
  readonly gateMs: number;
}

/** How long each order takes to the service and its answer back; asked once an order. */
export interface LatencyModel {
  /** For people: `fixed, 50 ms each way`. */
  readonly name: string;
  /** Where measured times come from, in words behind the name: it decides nothing beside them. */
  readonly from?: string;
  draw(order: OrderCore): OrderDelays;
}

/** A latency as results tell it. */
export const latencyText = ({ name, from = '' }: Pick<LatencyModel, 'name' | 'from'>): string => `${name}${from}`;

/** The same for every order, in milliseconds each way. */
export function fixedLatency(ms: number): LatencyModel {
  const delays = { gateMs: 0, thereMs: ms, backMs: ms };
  return { name: `fixed, ${ms} ms each way`, draw: () => delays };
}

/** Drawn from a range so that each order of magnitude is as likely as the next, in milliseconds each way. */
export function drawnLatency([shortest, longest]: readonly [number, number], seed: string): LatencyModel {
  const numbers = seeded(`${seed}/latency`);
  return {
    name: `drawn from ${shortest} to ${longest} ms each way`,
    draw() {
      const ms = drawLogUniform([shortest, longest], numbers.next());
      return { gateMs: 0, thereMs: ms, backMs: ms };
    },
  };
}

/** How long an order of an own run took, in whole milliseconds; without round trip where it did not pass the last gate. */
interface MeasuredTrip {
  readonly quoteId: string;
  readonly intentAt: Millis;
  readonly gateMs: number;
  readonly roundTripMs: number | null;
  readonly outcome: 'accepted' | 'rejected' | 'unknown' | 'expired';
}

/** A decision of the run that came later than in the backtest, by less than this, was the same one on a busy machine. */
const SAME_DECISION_MS = 1000;

/**
 * Measured times, half of a round trip on either way: an order on a quote that was traded on then takes as long as it did
 * then, and reaches the gate no earlier; every other one takes as long as one that is drawn.
 */
export function measuredLatency(trips: readonly MeasuredTrip[], seed: string): LatencyModel {
  const numbers = seeded(`${seed}/latency`);
  const byQuote = new Map(trips.map((trip) => [trip.quoteId, trip]));
  const whole = trips.filter(({ roundTripMs }) => roundTripMs !== null);
  return {
    name: `measured, drawn from ${whole.length} round ${whole.length === 1 ? 'trip' : 'trips'}`,
    draw({ quoteId, intentAt, validUntil }) {
      const drawn = whole[Math.floor(numbers.next() * whole.length)];
      const own = byQuote.get(quoteId);
      const roundTripMs = own?.roundTripMs ?? drawn?.roundTripMs ?? 0;
      const half = Math.floor(roundTripMs / 2);
      const later = own === undefined ? 0 : own.intentAt - intentAt;
      const waitedMs = later > 0 && later < SAME_DECISION_MS ? later : 0;
      const gateMs = (own?.gateMs ?? drawn?.gateMs ?? 0) + waitedMs;
      // What was executed had arrived while its quote lived, however long the answer took.
      const livesMs = Math.max(0, validUntil - intentAt - gateMs);
      const thereMs = own?.outcome === 'accepted' ? Math.min(half, livesMs) : half;
      return { gateMs, thereMs, backMs: roundTripMs - thereMs };
    },
  };
}
