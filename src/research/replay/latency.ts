import type { Millis } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { seeded } from '#domain/seeded.ts';
import { drawLogUniform } from '#paper-venue/core/draws.ts';
import type { OrderLatency } from '#paper-venue/core/matching-broker.ts';

/** The latencies of an order in milliseconds: to the last gate, to the service, and back. */
interface OrderDelays extends OrderLatency {
  readonly gateMs: number;
}

/** The latency of orders; called once for each order. */
export interface LatencyModel {
  /** Name for people, as in `fixed, 50 ms each way`. */
  readonly name: string;
  /** Source of measured times, in words after the name. Does not affect results. */
  readonly from?: string;
  draw(order: OrderCore): OrderDelays;
}

/** A latency that hangs on no order. */
interface BlindLatency extends LatencyModel {
  draw(order?: OrderCore): OrderDelays;
}

/** The text of a latency in results. */
export const latencyText = ({ name, from = '' }: Pick<LatencyModel, 'name' | 'from'>): string => `${name}${from}`;

/** The same for every order, in milliseconds each way. */
export function fixedLatency(ms: number): BlindLatency {
  const delays = { gateMs: 0, thereMs: ms, backMs: ms };
  return { name: `fixed, ${ms} ms each way`, draw: () => delays };
}

/** Drawn log-uniformly from a range, in milliseconds each way. */
export function drawnLatency([shortest, longest]: readonly [number, number], seed: string): BlindLatency {
  const numbers = seeded(`${seed}/latency`);
  return {
    name: `drawn from ${shortest} to ${longest} ms each way`,
    draw() {
      const ms = drawLogUniform([shortest, longest], numbers.next());
      return { gateMs: 0, thereMs: ms, backMs: ms };
    },
  };
}

/** Measured times of a past order, in whole milliseconds; without a round trip if it did not pass the last gate. */
interface MeasuredTrip {
  readonly quoteId: string;
  readonly intentAt: Millis;
  readonly gateMs: number;
  readonly roundTripMs: number | null;
  readonly outcome: 'accepted' | 'rejected' | 'unknown' | 'expired';
}

/** How much later than in the backtest the run may have made the same decision, in milliseconds. */
const SAME_DECISION_MS = 1000;

/**
 * Measured times, half of a round trip each way. An order on a quote that the run traded takes as long as it did then,
 * and reaches the gate no earlier; any other takes a drawn time. Undefined where no round trip was measured.
 */
export function measuredLatency(trips: readonly MeasuredTrip[], seed: string): LatencyModel | undefined {
  const numbers = seeded(`${seed}/latency`);
  const byQuote = new Map(trips.map((trip) => [trip.quoteId, trip]));
  const whole = trips.filter(({ roundTripMs }) => roundTripMs !== null);
  const sorted = whole.map(({ roundTripMs }) => roundTripMs ?? 0).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  return {
    from: `median ${sorted[Math.floor(sorted.length / 2)]} ms, longest ${sorted.at(-1)} ms`,
    name: `measured, drawn from ${whole.length} round ${whole.length === 1 ? 'trip' : 'trips'}`,
    draw({ quoteId, intentAt, validUntil }) {
      const drawn = whole[Math.floor(numbers.next() * whole.length)];
      const own = byQuote.get(quoteId);
      const roundTripMs = own?.roundTripMs ?? drawn?.roundTripMs ?? 0;
      const half = Math.floor(roundTripMs / 2);
      const later = own === undefined ? 0 : own.intentAt - intentAt;
      const waitedMs = later > 0 && later < SAME_DECISION_MS ? later : 0;
      const gateMs = (own?.gateMs ?? drawn?.gateMs ?? 0) + waitedMs;
      // An executed order had arrived while its quote was valid, however long the answer took.
      const livesMs = Math.max(0, validUntil - intentAt - gateMs);
      const thereMs = own?.outcome === 'accepted' ? Math.min(half, livesMs) : half;
      return { gateMs, thereMs, backMs: roundTripMs - thereMs };
    },
  };
}
