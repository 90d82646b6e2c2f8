import { type Seeded, type State128, seeded, seededFrom } from '#domain/seeded.ts';
import type { Top } from '#venue/core/quote-making.ts';

/** Time step of the walk, in milliseconds. */
const STEP_MS = 100;
const STEP_SECONDS = STEP_MS / 1000;
/** Mean lengths of calm and wild periods, and the ratio of their volatilities. */
const CALM_SECONDS = 90;
const WILD_SECONDS = 20;
const WILD_FACTOR = 4;
/** How fast the price reverts to its anchor, and its maximum distance. */
const REVERSION_SECONDS = 1800;
const FARTHEST = 0.5;
/** Standard deviations below its anchor that no walk is taken to come to. */
const NEVER = 10;
/** Scales the sum of four uniform draws, less two, to unit variance. */
const TO_UNIT_VARIANCE = Math.sqrt(3);

/** The least price that the walk of a product comes to: ten of its standard deviations below its anchor. */
export function leastOfWalk({ anchor, volatility }: Pick<WalkedProduct, 'anchor' | 'volatility'>): number {
  const variance = (CALM_SECONDS + WILD_SECONDS * WILD_FACTOR ** 2) / (CALM_SECONDS + WILD_SECONDS);
  const deviation = volatility * Math.sqrt((variance * REVERSION_SECONDS) / 2);
  return anchor * (1 - Math.min(FARTHEST, NEVER * deviation));
}

/** The full state of a product's walk. */
interface WalkState {
  /** Steps since the market began. */
  readonly step: number;
  readonly wild: boolean;
  /** Distance from the anchor, as a share of it. */
  readonly distance: number;
  readonly draws: State128;
}

type WalkedProduct = { readonly code: string; readonly anchor: number; readonly volatility: number };

/**
 * A mean-reverting walk with calm and wild periods, on which no rule can earn after fees. The price is a function of
 * seed, product and step only, and equal on every machine: it uses sums, products and square roots.
 */
export class SyntheticPrices {
  private readonly product: WalkedProduct;
  private readonly first: WalkState;
  private draws: Seeded;
  private step: number;
  private wild: boolean;
  private distance: number;

  /** Starts the walk at its beginning, or at the state of an earlier one of the same seed and product. */
  constructor(product: WalkedProduct, seed: string, first: WalkState = beginning(product, seed)) {
    this.product = product;
    this.first = first;
    ({ step: this.step, wild: this.wild, distance: this.distance } = this.first);
    this.draws = seededFrom(this.first.draws);
  }

  /** The price at `elapsedMs` after the walk's start. */
  at(elapsedMs: number): Top {
    const step = this.first.step + Math.max(0, Math.floor(elapsedMs / STEP_MS));
    if (step < this.step) this.restart();
    while (this.step < step) this.advance();
    const mid = this.product.anchor * (1 + this.distance);
    return { bid: mid, ask: mid };
  }

  /** The walk's state at `elapsedMs` after its start. */
  stateAt(elapsedMs: number): WalkState {
    this.at(elapsedMs);
    const { step, wild, distance, draws } = this;
    return { step, wild, distance, draws: draws.state() };
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
    ({ step: this.step, wild: this.wild, distance: this.distance } = this.first);
    this.draws = seededFrom(this.first.draws);
  }
}

function beginning({ code }: WalkedProduct, seed: string): WalkState {
  return { step: 0, wild: false, distance: 0, draws: seeded(`venue prices ${seed} ${code}`).state() };
}
