import type { OrderCore } from '../domain/order.ts';
import { seeded } from '../domain/seeded.ts';
import { drawLogUniform } from '../venue/core/draws.ts';
import type { OrderLatency } from '../venue/core/matching-broker.ts';

/** How long each order takes to the service and its answer back; asked once an order. */
export interface LatencyModel {
  /** For people: `fixed 50 ms each way`. */
  readonly name: string;
  draw(order: OrderCore): OrderLatency;
}

/** The same for every order, in milliseconds each way. */
export function fixedLatency(ms: number): LatencyModel {
  const latency = { thereMs: ms, backMs: ms };
  return { name: `fixed, ${ms} ms each way`, draw: () => latency };
}

/** Drawn from a range so that each order of magnitude is as likely as the next, in milliseconds each way. */
export function drawnLatency([shortest, longest]: readonly [number, number], seed: string): LatencyModel {
  const numbers = seeded(`${seed}/latency`);
  return {
    name: `drawn from ${shortest} to ${longest} ms each way`,
    draw() {
      const ms = drawLogUniform([shortest, longest], numbers.next());
      return { thereMs: ms, backMs: ms };
    },
  };
}

/** A round trip that was measured, with the quote of its order. */
export interface MeasuredTrip {
  readonly quoteId: string;
  readonly roundTripMs: number;
}

/**
 * Measured round trips, half of each on either way: an order on a quote that was traded on then takes as long as it did
 * then, every other one as long as one that is drawn.
 */
export function measuredLatency(trips: readonly MeasuredTrip[], seed: string): LatencyModel {
  const numbers = seeded(`${seed}/latency`);
  const byQuote = new Map(trips.map(({ quoteId, roundTripMs }) => [quoteId, roundTripMs]));
  return {
    name: `measured, drawn from ${trips.length} round trips`,
    draw({ quoteId }) {
      const drawn = trips[Math.floor(numbers.next() * trips.length)]?.roundTripMs ?? 0;
      const half = (byQuote.get(quoteId) ?? drawn) / 2;
      return { thereMs: half, backMs: half };
    },
  };
}
