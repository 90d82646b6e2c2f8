import type { Decision } from '#domain/decision.ts';
import type { Violate } from './finding.ts';
import type { Effect } from './holdings.ts';

/** Checks what orders may do to positions, by the service's own executions and the state of trading (I09, I10). */
export class PositionWatch {
  private readonly violate: Violate;
  private canShort: ReadonlySet<string> = new Set();
  private disarmed: string | null = null;
  private reducing: string | null = null;
  private isHalted = false;

  constructor(violate: Violate) {
    this.violate = violate;
  }

  /** A process starts with these products that may go short. */
  hold(canShort: ReadonlySet<string>): void {
    this.canShort = canShort;
  }

  /** Follows the journal's latches, row by row. */
  committed({ kind, strategy, detail }: Decision): void {
    if (kind === 'disarmed') this.disarmed = detail.why;
    if (kind === 'reducing') this.reducing = detail.why;
    if (kind === 'halted') this.isHalted = true;
    if (kind === 'armed') this.disarmed = null;
    if (kind === 'armed' || (kind === 'resumed' && strategy === null)) this.reducing = null;
    if (kind === 'resumed' && strategy === null) this.isHalted = false;
  }

  /** True while the journal's rows let exits pass. */
  get mayExit(): boolean {
    return this.disarmed === null && !this.isHalted;
  }

  /** An order that is being written. */
  wrote({ order: { quoteId, side }, product, book, signed, low, high, blur, isOpening }: Effect): void {
    const { violate } = this;
    const what = `${side} ${Math.abs(signed)} ${product} of ${book}, which holds ${low === high ? low : `${low} to ${high}`}`;
    if (this.disarmed !== null) violate('I09', `an order on quote ${quoteId} was written while trading is disarmed: ${this.disarmed}`);
    if (isOpening && this.reducing !== null) violate('I09', `${what}, was written while only exits may pass: ${this.reducing}`);
    if (!this.canShort.has(product) && signed < 0 && low + signed < -blur) violate('I10', `${what} and may not go short`);
  }
}
