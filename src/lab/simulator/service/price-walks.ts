import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { Draws } from '#lab/simulator/world/draws.ts';
import { PRODUCTS, type ServedProduct } from './products.ts';

/** A side of a quote in the figures of the wire: price, value and slippage in quote currency, the size in base currency. */
export interface SideFigures {
  readonly price: number;
  readonly size: number;
  readonly value: number;
  readonly feeInBaseCcy: number;
  readonly feeInQuoteCcy: number;
  readonly slippage: number;
  readonly slippagePercentage: number;
}

/** The amount that a client requested. */
export type QuotedAmount = { readonly size: number } | { readonly value: number };

/** Time step of the walk, in milliseconds. */
const STEP_MS = 250;

/** The service's prices: a walk with jumps for each product, in whole price steps. */
export class PriceWalks {
  private readonly plan: SimulationPlan['market'];
  private readonly walks = new Map<string, { steps: number; at: number; readonly draws: Draws }>();

  constructor({ seed, market }: Pick<SimulationPlan, 'seed' | 'market'>) {
    this.plan = market;
    for (const { code, anchor, pricePlaces } of PRODUCTS) {
      this.walks.set(code, { steps: Math.round(anchor * 10 ** pricePlaces), at: 0, draws: new Draws(`${seed}/price ${code}`) });
    }
  }

  /** Both sides of a product for an amount, at a time of the world; undefined where the amount is too small to be traded. */
  quote(product: ServedProduct, amount: QuotedAmount, atMs: number): { readonly buy: SideFigures; readonly sell: SideFigures } | undefined {
    const mid = this.midAt(product, atMs);
    const half = Math.max(0, Math.round((mid * this.plan.spreadPct) / 200));
    const buy = this.side(product, mid + half, amount, mid);
    const sell = this.side(product, Math.max(1, mid - half), amount, mid);
    return buy && sell && { buy, sell };
  }

  private midAt({ code, anchor, pricePlaces }: ServedProduct, atMs: number): number {
    const walk = this.walks.get(code);
    if (!walk) throw new Error(`no price of ${code}`);
    const { volatility, jumps } = this.plan;
    const start = anchor * 10 ** pricePlaces;
    while (walk.at + STEP_MS <= atMs) {
      walk.at += STEP_MS;
      const pull = (start - walk.steps) * 1e-4;
      const jump = walk.draws.chance(jumps) ? (walk.draws.next() - 0.5) * 0.02 : 0;
      const move = walk.steps * ((walk.draws.next() - 0.5) * volatility + jump) + pull;
      walk.steps = Math.min(start * 2, Math.max(start / 2, Math.round(walk.steps + move)));
    }
    return walk.steps;
  }

  private side(product: ServedProduct, priceSteps: number, amount: QuotedAmount, midSteps: number): SideFigures | undefined {
    const { sizePlaces, pricePlaces, minSize } = product;
    const unit = 10 ** sizePlaces;
    const price = priceSteps / 10 ** pricePlaces;
    const units = 'size' in amount ? Math.round(amount.size * unit) : Math.floor((amount.value / price) * unit + 1e-9);
    const size = units / unit;
    if (size < minSize) return undefined;
    const places = sizePlaces + pricePlaces;
    const value = (units * priceSteps) / 10 ** places;
    const fee = (of: number) => Math.round(of * this.plan.feePct * 1e6) / 1e8;
    const slippage = Math.abs(priceSteps - midSteps);
    return {
      price,
      size,
      value,
      feeInBaseCcy: fee(size),
      feeInQuoteCcy: fee(value),
      slippage: slippage / 10 ** pricePlaces,
      slippagePercentage: Math.round((slippage / midSteps) * 1e6) / 1e4,
    };
  }
}
