import { type Amount, type Lane, laneFor } from '#domain/lane.ts';
import { type LaneId, laneIdOf, type Millis, type ProductCode } from '#domain/names.ts';

export interface LanePoolOptions {
  /** How many lanes may be lent at the same time. */
  readonly size: number;
  /** How long a lent lane may take to bring a quote that an order can use. */
  readonly waitMs: Millis;
  /** Asks the feed to subscribe one of its reserve connections to the lane; what that brings enters by the inbox. */
  readonly acquire: (lane: Lane) => void;
  readonly release: (lane: LaneId) => void;
}

/**
 * Lends lanes for amounts that no standing lane has: closing exactly what is held, shares of it, targets. Each lane lent
 * has a name of its own, so that no quote of an earlier one can be taken for it (F29).
 */
export class LanePool {
  readonly waitMs: Millis;
  private readonly options: LanePoolOptions;
  private readonly lent = new Map<LaneId, Lane>();
  private count = 0;

  constructor(options: LanePoolOptions) {
    this.options = options;
    this.waitMs = options.waitMs;
  }

  get size(): number {
    return this.options.size;
  }

  get inUse(): number {
    return this.lent.size;
  }

  lane(id: LaneId): Lane | undefined {
    return this.lent.get(id);
  }

  /** A lane of exactly that amount, or undefined while all are lent. `name` makes its id one of a kind. */
  acquire(product: ProductCode, amount: Amount, name: string): Lane | undefined {
    if (this.lent.size >= this.size) return undefined;
    this.count += 1;
    const plain = laneFor(product, amount);
    const lane: Lane = { ...plain, id: laneIdOf(`${plain.id}#${name}-${this.count}`) };
    this.lent.set(lane.id, lane);
    this.options.acquire(lane);
    return lane;
  }

  release(id: LaneId): void {
    if (this.lent.delete(id)) this.options.release(id);
  }
}
