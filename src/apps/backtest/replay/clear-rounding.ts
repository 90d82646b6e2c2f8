import { type Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import { sent } from '#venue/core/quote-making.ts';

/** How far a few operations on doubles may err, as a share of the largest figure in them. */
const DOUBT = 2e-15;
/** Below this whole numbers are told apart, and a double has one decimal of at most fifteen digits. */
const MOST = 1e15;

/**
 * A figure as it is sent, with 8 decimals, half up: by doubles where they leave no doubt, else by the exact decimal.
 * `largest` is what the figure was made of, where that is larger than itself.
 */
export function sentFigure(figure: number, exact: () => Decimal, largest: number = Math.abs(figure)): number {
  const scaled = Math.abs(figure) * 1e8;
  const whole = Math.floor(scaled);
  const fromHalf = scaled - whole - 0.5;
  if (!(scaled < MOST && Math.abs(fromHalf) > largest * 1e8 * DOUBT)) return sent(exact());
  const rounded = (fromHalf < 0 ? whole : whole + 1) / 1e8;
  return figure < 0 ? -rounded : rounded;
}

/** The whole multiples of a product's step, of prices or of sizes: doubles find them, decimals where doubles leave doubt. */
export class Grid {
  private readonly step: Decimal;
  /** The step is `units` through `scale`, both whole; `scale` is no number where that cannot be said. */
  private readonly units: number;
  private readonly scale: number;

  constructor(step: Decimal) {
    this.step = step;
    const places = step.decimalPlaces();
    this.units = step.times(10 ** places).toNumber();
    this.scale = places <= 8 && this.units > 0 ? 10 ** places : Number.NaN;
  }

  /** The nearest multiple not below, or not above, a price, as it is sent. */
  price(figure: number, to: 'up' | 'down'): number {
    const { step, units, scale } = this;
    const steps = (figure * scale) / units;
    const nearest = Math.round(steps);
    // A double that reads as the multiple is meant as that.
    if ((nearest * units) / scale === figure && Math.abs(nearest * units) < MOST) return figure;
    if (this.isClear(steps)) return ((to === 'up' ? Math.ceil(steps) : Math.floor(steps)) * units) / scale;
    const exact = decimalOf(figure).div(step);
    return sent((to === 'up' ? exact.ceil() : exact.floor()).times(step));
  }

  /** The nearest multiple not above a size that `figure` is nearly. */
  size(figure: number, exact: () => Decimal): number {
    const { units, scale } = this;
    const steps = (figure * scale) / units;
    return this.isClear(steps) ? (Math.floor(steps) * units) / scale : floorToStep(exact(), this.step).toNumber();
  }

  /** True where it is sure between which two multiples a figure lies. */
  private isClear(steps: number): boolean {
    return Math.abs(steps * this.units) < MOST && Math.abs(steps - Math.round(steps)) > Math.abs(steps) * DOUBT + DOUBT;
  }
}
