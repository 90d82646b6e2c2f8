import type { Decision, DecisionOf } from '#domain/decision.ts';
import { isFeeInBase } from '#domain/order.ts';

/** What one strategy holds of a product, by the fills of the run. */
interface HoldingByFills {
  readonly strategy: string;
  readonly product: string;
  readonly size: number;
}

/** Sizes are added as numbers here: what is below this is no position. */
export const NO_SIZE = 1e-9;

/** Reads decisions for what strategies hold: positions that the run began with are left out. */
export class HeldByFills {
  private readonly held = new Map<string, HoldingByFills>();

  add(decision: Decision): void {
    if (decision.kind === 'accepted' || decision.kind === 'resolved') this.filled(decision);
  }

  /** Every position that is not flat. */
  get all(): readonly HoldingByFills[] {
    return [...this.held.values()];
  }

  /** In base currency, short below zero. */
  of(strategy: string, product: string): number {
    return this.held.get(`${strategy} ${product}`)?.size ?? 0;
  }

  private filled({ strategy, product, detail: { fill } }: DecisionOf<'accepted'> | DecisionOf<'resolved'>): void {
    if (strategy === null || product === null || fill === null) return;
    const key = `${strategy} ${product}`;
    const fee = isFeeInBase(fill) ? Number(fill.fee) : 0;
    const size = this.of(strategy, product) + Number(fill.size) * (fill.side === 'buy' ? 1 : -1) - fee;
    if (Math.abs(size) < NO_SIZE) this.held.delete(key);
    else this.held.set(key, { strategy, product, size });
  }
}
