import type { StrategyRunner } from './strategy-runner.ts';

/** What a stream emitted: a signal to decide on, or the error that ended it. */
export interface Arrival {
  readonly isFailure: boolean;
  readonly runner: StrategyRunner;
  /** The runner's subscription that emitted it. */
  readonly generation: number;
  /** The signal, or what was thrown. */
  readonly value: unknown;
}

/** Maximum number of signals of one strategy in one event; more is a failure, so that no loop of outcomes blocks the event (I21). */
const MAX_IN_ONE_GO = 100;

type Place = { -readonly [Part in keyof Arrival]: Arrival[Part] };

/**
 * What streams brought and the host has not handled. Places are used again and again, since there is one at each quote: an
 * arrival is to be read while it is handled, not kept.
 */
export class PendingSignals {
  private readonly places: Place[] = [];
  /** How many wait. */
  count = 0;

  /** Takes a signal; of more than are handled in one go the first is a failure, and the others are left out. False: bring no more. */
  signal(runner: StrategyRunner, generation: number, value: unknown): boolean {
    runner.inOneGo += 1;
    if (runner.inOneGo <= MAX_IN_ONE_GO) {
      this.placeFor(runner, generation, value).isFailure = false;
      return true;
    }
    if (runner.inOneGo === MAX_IN_ONE_GO + 1) {
      this.failure(runner, runner.generation, new RangeError(`more than ${MAX_IN_ONE_GO} signals came out of one event`));
    }
    return false;
  }

  failure(runner: StrategyRunner, generation: number, error: unknown): void {
    this.placeFor(runner, generation, error).isFailure = true;
  }

  /** Handles all in order, later arrivals behind earlier ones. Those of an ended subscription are dropped. */
  drain(one: (arrival: Arrival) => void): void {
    try {
      for (let next = 0; next < this.count; next++) {
        const arrival = this.places[next];
        if (arrival && arrival.generation === arrival.runner.generation) one(arrival);
      }
    } finally {
      for (let over = 0; over < this.count; over++) {
        const place = this.places[over];
        if (place === undefined) continue;
        place.runner.endGo();
        place.value = undefined;
      }
      this.count = 0;
    }
  }

  private placeFor(runner: StrategyRunner, generation: number, value: unknown): Place {
    let place = this.places[this.count];
    this.count += 1;
    if (place) {
      place.runner = runner;
      place.generation = generation;
      place.value = value;
    } else {
      place = { isFailure: false, runner, generation, value };
      this.places.push(place);
    }
    return place;
  }
}
