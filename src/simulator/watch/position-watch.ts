import type { Decision } from '#domain/decision.ts';
import type { Scene } from '#simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { Holdings } from './holdings.ts';
import type { WireOrder } from './order-watch.ts';

/** The configured limits of orders. */
interface HeldLimits {
  readonly orderValue: number;
  readonly positionValue: number;
  readonly ordersPerMinute: number;
  /** Products that may go short. */
  readonly canShort: ReadonlySet<string>;
}

/** Tolerance for price moves between the check of an order and its execution. */
const SLACK = 1.03;
const MINUTE = 60_000;

/** Checks what orders may do to positions, by the service's own executions, the state of trading and the limits (I05, I07b, I09). */
export class PositionWatch {
  private readonly scene: Scene;
  private readonly holdings: Holdings;
  private readonly violate: Violate;
  private openings: number[] = [];
  private limits: HeldLimits = {
    orderValue: Number.POSITIVE_INFINITY,
    positionValue: Number.POSITIVE_INFINITY,
    ordersPerMinute: Number.POSITIVE_INFINITY,
    canShort: new Set(),
  };
  private canShort: ReadonlySet<string> = new Set();
  private disarmed: string | null = null;
  private reducing: string | null = null;

  constructor(scene: Scene, holdings: Holdings, violate: Violate) {
    this.scene = scene;
    this.holdings = holdings;
    this.violate = violate;
  }

  hold(limits: HeldLimits): void {
    this.limits = limits;
    this.canShort = limits.canShort;
  }

  /** Follows the journal's latches, row by row. */
  committed({ kind, detail }: Decision): void {
    if (kind === 'disarmed') this.disarmed = detail.why;
    if (kind === 'reducing') this.reducing = detail.why;
    if (kind === 'armed') this.disarmed = null;
    if (kind === 'armed' || kind === 'resumed') this.reducing = null;
  }

  /** An order that is being written. */
  wrote(order: WireOrder): void {
    const { violate, limits } = this;
    const { quote, row, side, quoteId } = order;
    if (!quote || !row) return;
    const figures = side === 'buy' ? quote.buy : quote.sell;
    const signed = side === 'buy' ? figures.size : -figures.size;
    const held = this.holdings.held(row.product, row.strategy);
    const blur = this.holdings.blur(row.product, row.strategy);
    const isOpening = held === 0 || Math.sign(signed) === Math.sign(held) || Math.abs(signed) > Math.abs(held) + blur;
    if (this.disarmed !== null) violate('I09', `an order on quote ${quoteId} was written while trading is disarmed: ${this.disarmed}`);
    if (isOpening) {
      if (this.reducing !== null && !this.mayReduce(order, signed)) {
        violate(
          'I09',
          `${side} ${figures.size} ${row.product} of ${row.strategy}, which holds ${held}, was written while only exits may pass: ${this.reducing}`,
        );
      }
      if (figures.value > limits.orderValue * SLACK)
        violate(
          'I05',
          `${side} ${figures.size} of a book that holds ${held} is worth ${figures.value}, over the limit of ${limits.orderValue}`,
        );
      const after = Math.abs(this.holdings.held(row.product, null) + signed) * figures.price;
      const before = Math.abs(after - Math.abs(signed) * figures.price);
      if (after > limits.positionValue * SLACK && after > before)
        violate('I05', `an order makes the position worth ${after.toFixed(2)}, over the limit of ${limits.positionValue}`);
      const { now } = this.scene.world;
      this.openings = [...this.openings.filter((at) => at > now - MINUTE), now];
      if (this.openings.length > limits.ordersPerMinute)
        violate('I05', `${this.openings.length} openings within a minute, over the limit of ${limits.ordersPerMinute}`);
    }
    if (!this.canShort.has(row.product) && signed < 0 && held + signed < -blur && !this.mayReduce(order, signed)) {
      violate('I10', `sell ${figures.size} ${row.product} of ${row.strategy}, which holds ${held} and may not go short`);
    }
    this.holdings.wrote(order);
  }

  /** True if the order may reduce the position. An open order of the strategy leaves that undecided. */
  private mayReduce({ row }: WireOrder, signed: number): boolean {
    return signed === 0 || (row !== undefined && this.holdings.isOpen(row.product, row.strategy));
  }
}
