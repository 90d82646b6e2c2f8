import { type Seeded, seeded } from '../../domain/seeded.ts';
import type { Top } from '../core/quote-making.ts';

/** The walk moves this often. */
const STEP_MS = 100;
const STEP_SECONDS = STEP_MS / 1000;
/** Mean lengths of a calm and of a wild spell, and how much wilder the wild one is. */
const CALM_SECONDS = 90;
const WILD_SECONDS = 20;
const WILD_FACTOR = 4;
/** How fast the price comes back to its anchor, and how far it may go. */
const REVERSION_SECONDS = 1800;
const FARTHEST = 0.5;
/** Makes the sum of four even draws, less two, vary like one standard normal number. */
const TO_UNIT_VARIANCE = Math.sqrt(3);

/**
 * A mean-reverting walk with calm and wild spells. The price is a function of seed, product and step alone, the same
 * on every machine: only sums, products and square roots are used.
 */
export class SyntheticPrices {
  private readonly product: { readonly code: string; readonly anchor: number; readonly volatility: number };
  private readonly seed: string;
  private draws: Seeded;
  private step = 0;
  private wild = false;
  /** Distance from the anchor, as a share of it. */
  private distance = 0;

  constructor(product: { readonly code: string; readonly anchor: number; readonly volatility: number }, seed: string) {
    this.product = product;
    this.seed = seed;
    this.draws = this.freshDraws();
  }

  at(elapsedMs: number): Top {
    const step = Math.max(0, Math.floor(elapsedMs / STEP_MS));
    if (step < this.step) this.restart();
    while (this.step < step) this.advance();
    const mid = this.product.anchor * (1 + this.distance);
    return { bid: mid, ask: mid };
  }

  private advance(): void {
    this.step += 1;
    const turn = this.draws.next() * (this.wild ? WILD_SECONDS : CALM_SECONDS) < STEP_SECONDS;
    if (turn) this.wild = !this.wild;
    const { next } = this.draws;
    const shock = (next() + next() + next() + next() - 2) * TO_UNIT_VARIANCE;
    const volatility = this.product.volatility * (this.wild ? WILD_FACTOR : 1) * Math.sqrt(STEP_SECONDS);
    const moved = this.distance * (1 - STEP_SECONDS / REVERSION_SECONDS) + volatility * shock;
    this.distance = Math.min(FARTHEST, Math.max(-FARTHEST, moved));
  }

  private restart(): void {
    this.draws = this.freshDraws();
    this.step = 0;
    this.wild = false;
    this.distance = 0;
  }

  private freshDraws(): Seeded {
    return seeded(`venue prices ${this.seed} ${this.product.code}`);
  }
}
