import type { Decision } from '#domain/decision.ts';
import { type FillText, isFeeInBase } from '#domain/order.ts';

/** What one strategy holds of a product, by the fills of the run. */
interface HoldingByFills {
  readonly strategy: string;
  readonly product: string;
  readonly size: number;
}

/** The fill that a decision tells of: by an answer, or by who settled an order of unknown outcome. */
export const fillIn = (decision: Decision): FillText | null =>
  decision.kind === 'accepted' || decision.kind === 'resolved' ? decision.detail.fill : null;

/** Sizes are added as numbers here: what is below this is no position. */
export const NO_SIZE = 1e-9;

/** Reads decisions for what strategies hold: positions that the run began with are left out. */
export class HeldByFills {
  private readonly held = new Map<string, HoldingByFills>();

  add(decision: Decision): void {
    const { strategy, product } = decision;
    const fill = fillIn(decision);
    if (strategy === null || product === null || fill === null) return;
    const key = `${strategy} ${product}`;
    const fee = isFeeInBase(fill) ? Number(fill.fee) : 0;
    const size = this.of(strategy, product) + Number(fill.size) * (fill.side === 'buy' ? 1 : -1) - fee;
    if (Math.abs(size) < NO_SIZE) this.held.delete(key);
    else this.held.set(key, { strategy, product, size });
  }

  /** Every position that is not flat. */
  get all(): readonly HoldingByFills[] {
    return [...this.held.values()];
  }

  /** In base currency, short below zero. */
  of(strategy: string, product: string): number {
    return this.held.get(`${strategy} ${product}`)?.size ?? 0;
  }
}
