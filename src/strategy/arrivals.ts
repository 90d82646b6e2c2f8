import type { Arrival } from './slot.ts';

/** What streams brought and the host has not handled: a list that is used again and again, since there is one at each quote. */
export class Arrivals {
  private readonly list: (Arrival | undefined)[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(arrival: Arrival): void {
    this.list[this.count] = arrival;
    this.count += 1;
  }

  /** Handles all in order, what comes meanwhile behind it. What an ended life has brought is left out. */
  handle(one: (arrival: Arrival) => void): void {
    try {
      for (let next = 0; next < this.count; next++) {
        const arrival = this.list[next];
        if (arrival && arrival.life === arrival.slot.life) one(arrival);
      }
    } finally {
      for (let over = 0; over < this.count; over++) {
        this.list[over]?.slot.endGo();
        this.list[over] = undefined;
      }
      this.count = 0;
    }
  }
}
