import type { Violate } from './finding.ts';
import type { Effect } from './holdings.ts';
import type { JournalLatches } from './latch-watch.ts';

/** Checks what orders may do to positions, by the service's own executions and the state of trading (I09, I10). */
export class PositionWatch {
  private readonly violate: Violate;
  private readonly latches: () => JournalLatches;
  private canShort: ReadonlySet<string> = new Set();

  constructor(latches: () => JournalLatches, violate: Violate) {
    this.latches = latches;
    this.violate = violate;
  }

  /** A process starts with these products that may go short. */
  hold(canShort: ReadonlySet<string>): void {
    this.canShort = canShort;
  }

  /** An order that is being written. */
  wrote({ order: { quoteId, side }, product, book, signed, low, high, blur, isOpening }: Effect): void {
    const { violate } = this;
    const { disarmed, reducing } = this.latches();
    const what = `${side} ${Math.abs(signed)} ${product} of ${book}, which holds ${low === high ? low : `${low} to ${high}`}`;
    if (disarmed !== null) violate('I09', `an order on quote ${quoteId} was written while trading is disarmed: ${disarmed}`);
    if (isOpening && reducing !== null) violate('I09', `${what}, was written while only exits may pass: ${reducing}`);
    if (!this.canShort.has(product) && signed < 0 && low + signed < -blur) violate('I10', `${what} and may not go short`);
  }
}
