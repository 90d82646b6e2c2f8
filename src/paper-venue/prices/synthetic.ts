import { type Seeded, type State128, seeded, seededFrom } from '#domain/seeded.ts';
import type { Top } from '#paper-venue/core/quote-making.ts';

/** Time step of the walk, in milliseconds. */
const STEP_MS = 100;
const STEP_SECONDS = STEP_MS / 1000;
/** Mean time between the turns of each regime: variance is made of seconds, minutes and hours at once (Calvet and Fisher, 2004). */
const REGIME_SECONDS = [20, 120, 900, 7200, 28_800] as const;
const CHANCE_OF_TURN = REGIME_SECONDS.reduce((sum, seconds) => sum + STEP_SECONDS / seconds, 0);
/** Each regime adds or takes this share of the variance. */
const SWING = 0.4;
/** How fast the price reverts to its anchor, and its maximum distance. */
const REVERSION_SECONDS = 86_400;
const FARTHEST = 0.5;
/** What each step adds to the price for a few seconds only, in moves of the walk, and how fast it goes. */
const NOISE = 0.3;
const NOISE_SECONDS = 2;
/** Half the spread, in moves of a second. */
const HALF_SPREAD = 1;
/** Standard deviations below its anchor that no walk is taken to come to. */
const NEVER = 10;
/** Scale the sum of four uniform draws, less two, to unit variance; and one, less a half. */
const FOUR_TO_UNIT_VARIANCE = Math.sqrt(3);
const ONE_TO_UNIT_VARIANCE = Math.sqrt(12);
/** Of a step: the root of its seconds, and what it leaves of the distance and of the noise. */
const ROOT_OF_STEP = Math.sqrt(STEP_SECONDS);
const DISTANCE_KEPT = 1 - STEP_SECONDS / REVERSION_SECONDS;
const NOISE_KEPT = 1 - STEP_SECONDS / NOISE_SECONDS;

/** The least price that the walk of a product comes to: ten of its standard deviations below its anchor. */
export function leastOfWalk({ anchor, volatility }: Pick<WalkedProduct, 'anchor' | 'volatility'>): number {
  const deviation = volatility * Math.sqrt(REVERSION_SECONDS / 2);
  return anchor * (1 - Math.min(FARTHEST, NEVER * deviation));
}

/** The full state of a product's walk. */
interface WalkState {
  /** Steps since the market began. */
  readonly step: number;
  /** Regimes that raise the variance, in the order of `REGIME_SECONDS`. */
  readonly wild: readonly boolean[];
  /** Distance from the anchor, as a share of it: what lasts, and what goes within seconds. */
  readonly distance: number;
  readonly noise: number;
  readonly draws: State128;
}

type WalkedProduct = { readonly code: string; readonly anchor: number; readonly volatility: number };

/**
 * A market of one product: a walk whose volatility comes in clusters, with a spread that follows it, on which no rule can earn after
 * fees. The price is a function of seed, product and step only, and equal on every machine: it uses sums, products and square roots.
 */
export class SyntheticPrices {
  private readonly product: WalkedProduct;
  private readonly seed: string;
  private readonly first: WalkState;
  private draws: Seeded;
  private step: number;
  private wild: readonly boolean[];
  private distance: number;
  private noise: number;
  /** The move of a second at present, as a share of the price. */
  private move: number;

  /** Starts the walk at its beginning, or at the state of an earlier one of the same seed and product. */
  constructor(product: WalkedProduct, seed: string, first: WalkState = beginning(product, seed)) {
    this.product = product;
    this.seed = seed;
    this.first = first;
    ({ step: this.step, wild: this.wild, distance: this.distance, noise: this.noise } = first);
    this.draws = seededFrom(first.draws);
    this.move = moveOfSecond(product, first.wild);
  }

  /** The same market, from another state. */
  from(state: WalkState): SyntheticPrices {
    return new SyntheticPrices(this.product, this.seed, state);
  }

  /** The price at `elapsedMs` after the walk's start. */
  at(elapsedMs: number): Top {
    const step = this.first.step + Math.max(0, Math.floor(elapsedMs / STEP_MS));
    if (step < this.step) this.restart();
    if (step > this.step) this.walkTo(step);
    const mid = this.product.anchor * (1 + this.distance + this.noise);
    const half = mid * this.move * HALF_SPREAD;
    return { bid: mid - half, ask: mid + half };
  }

  /** The walk's state at `elapsedMs` after its start. */
  stateAt(elapsedMs: number): WalkState {
    this.at(elapsedMs);
    const { step, wild, distance, noise, draws } = this;
    return { step, wild, distance, noise, draws: draws.state() };
  }

  /** Goes on to a step. What a step needs is at hand for all of them: days are walked in one go. */
  private walkTo(step: number): void {
    const { product } = this;
    const { next } = this.draws;
    let { wild, move, distance, noise } = this;
    let moveOfStep = move * ROOT_OF_STEP;
    for (let at = this.step; at < step; at += 1) {
      const turn = next();
      if (turn < CHANCE_OF_TURN) {
        wild = turned(wild, turn);
        move = moveOfSecond(product, wild);
        moveOfStep = move * ROOT_OF_STEP;
      }
      const shock = (next() + next() + next() + next() - 2) * FOUR_TO_UNIT_VARIANCE;
      const moved = distance * DISTANCE_KEPT + moveOfStep * shock;
      distance = Math.min(FARTHEST, Math.max(-FARTHEST, moved));
      const blip = (next() - 0.5) * ONE_TO_UNIT_VARIANCE;
      noise = noise * NOISE_KEPT + moveOfStep * NOISE * blip;
    }
    this.step = step;
    this.wild = wild;
    this.move = move;
    this.distance = distance;
    this.noise = noise;
  }

  private restart(): void {
    ({ step: this.step, wild: this.wild, distance: this.distance, noise: this.noise } = this.first);
    this.draws = seededFrom(this.first.draws);
    this.move = moveOfSecond(this.product, this.wild);
  }
}

/** The regimes after a turn: the draw falls into the chance of at most one of them. */
function turned(wild: readonly boolean[], draw: number): readonly boolean[] {
  let rest = draw;
  for (const [regime, seconds] of REGIME_SECONDS.entries()) {
    rest -= STEP_SECONDS / seconds;
    if (rest < 0) return wild.map((isWild, other) => (other === regime ? !isWild : isWild));
  }
  return wild;
}

function moveOfSecond({ volatility }: WalkedProduct, wild: readonly boolean[]): number {
  return volatility * Math.sqrt(wild.reduce((variance, isWild) => variance * (isWild ? 1 + SWING : 1 - SWING), 1));
}

function beginning({ code }: WalkedProduct, seed: string): WalkState {
  const draws = seeded(`venue prices ${seed} ${code}`);
  const wild = REGIME_SECONDS.map(() => draws.next() < 0.5);
  return { step: 0, wild, distance: 0, noise: 0, draws: draws.state() };
}
