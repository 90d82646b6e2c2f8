import { type Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import type { Lane } from '#domain/lane.ts';
import type { Millis, QuoteId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { midOf, type Quote, type QuoteSide, type Side, type TimedQuote } from '#domain/quote.ts';
import { sent } from '#paper-venue/core/quote-making.ts';
import { before, type LocalIds, type QuoteSource, type RecordedLane } from './recorded-lane.ts';

interface ModelledLaneOptions {
  readonly lane: Lane;
  readonly product: Product;
  /** The recorded lanes of the product next to the amount, the nearest first: one, or one on each side. */
  readonly neighbours: readonly [RecordedLane, ...RecordedLane[]];
  /** What a size beyond the largest recorded one costs on each side, in percent of the price for each doubling. */
  readonly slippagePct: number;
  /** Age from which a neighbour's quote says nothing, in milliseconds: no order would rely on it. */
  readonly staleMs: Millis;
  readonly ids: LocalIds;
}

const HUNDRED = 100;
/** Digits that a double keeps of any decimal. */
const DIGITS = 15;
/** Error of doubles beyond which exact decimals are used. */
const DOUBT = 1e-9;

/**
 * Quotes for an amount that was not recorded, one for each quote of the nearest recorded lane. Between two recorded sizes
 * prices are interpolated; below the smallest they are the smallest one's, above the largest they get worse with each
 * doubling. Prices are rounded to the product's step against whoever trades on them; imported ones keep none. An amount of quote
 * currency becomes a size by each side's price, floored to the step (spec 2.8).
 */
export class ModelledLane implements QuoteSource {
  readonly lane: Lane;
  readonly provenance = 'modelled';
  begins = true;
  private readonly options: ModelledLaneOptions;
  private readonly nearest: RecordedLane;
  private readonly others: readonly RecordedLane[];
  private readonly latest = new Map<RecordedLane, TimedQuote>();
  private readonly prices: Grid;
  private readonly sizes: Grid;
  /** The lane's amount, and the product's smallest size, as doubles. */
  private readonly wanted: number;
  private readonly minSize: number;

  constructor(options: ModelledLaneOptions) {
    const { lane, product } = options;
    this.options = options;
    this.lane = lane;
    this.prices = new Grid(product.priceIncrement);
    this.sizes = new Grid(product.sizeIncrement);
    this.wanted = ('base' in lane.amount ? lane.amount.base : lane.amount.quote).toNumber();
    this.minSize = product.minSize.toNumber();
    [this.nearest, ...this.others] = options.neighbours;
  }

  get nextAt(): Millis {
    return this.nearest.nextAt;
  }

  get nextLine(): number {
    return this.nearest.nextLine;
  }

  get isImported(): boolean {
    return this.nearest.isImported;
  }

  get isRange(): boolean {
    return this.nearest.isRange;
  }

  next(): Quote | undefined {
    const { latest, nearest, options } = this;
    this.catchUp();
    const { nextAt: at } = nearest;
    const quote = nearest.next();
    latest.set(nearest, { quote, at });
    this.begins = false;
    return this.madeOf(quote, latest, () => options.ids.next());
  }

  get ahead(): Quote | undefined {
    const { nearest, others, options, nextAt: at } = this;
    const quote = nearest.ahead;
    if (quote === undefined) return undefined;
    this.catchUp();
    const latest = new Map(this.latest).set(nearest, { quote, at });
    for (const other of others) if (other.nextAt === at && other.ahead) latest.set(other, { quote: other.ahead, at });
    return this.madeOf(quote, latest, () => options.ids.peek(0));
  }

  /** Takes what other lanes quote up to the next quote, beside the range of a bar no last price; forgets what is stale by then. */
  private catchUp(): void {
    const { latest, nearest, nextAt, options } = this;
    for (const other of this.others) {
      while (!before(nearest, other) && !(nearest.isRangeNext && other.nextAt === nextAt && !other.isRangeNext))
        latest.set(other, { at: other.nextAt, quote: other.next() });
      if (nextAt - (latest.get(other)?.at ?? nextAt) >= options.staleMs) latest.delete(other);
    }
  }

  /** The quote for the amount where recorded lanes quote so, the nearest of them `quote`; undefined where the amount is too small. */
  private madeOf(quote: Quote, latest: ReadonlyMap<RecordedLane, TimedQuote>, id: () => QuoteId): Quote | undefined {
    const known = Array.from(latest.values(), (one) => one.quote).sort((a, b) => a.buy.size - b.buy.size);
    const about = this.sizeAt(midOf(quote));
    const [buy, sell] = [this.priceOf('buy', about.figure, known), this.priceOf('sell', about.figure, known)];
    // A price that is none is for the engine to refuse.
    const sizes = { buy: buy > 0 ? this.sizeAt(buy) : about, sell: sell > 0 ? this.sizeAt(sell) : about };
    if (this.isTooSmall(sizes.buy) || this.isTooSmall(sizes.sell)) return undefined;
    return this.quoteFor({ buy, sell }, sizes, { mid: midOf(known[0] ?? quote), nearest: quote, id: id() });
  }

  /** The lane's amount in base currency, in whole steps where it is one of quote currency. */
  private sizeAt(price: number): Size {
    const { amount } = this.options.lane;
    if ('base' in amount) return { figure: this.wanted, exact: () => amount.base };
    const exact = () => amount.quote.div(price);
    const { sizeIncrement } = this.options.product;
    return { figure: this.sizes.size(this.wanted / price, exact), exact: () => floorToStep(exact(), sizeIncrement) };
  }

  private priceOf(which: Side, size: number, known: readonly Quote[]): number {
    const figure = priceFor(size, { which, known, slippagePct: this.options.slippagePct });
    return this.isImported ? Number(figure.toPrecision(DIGITS)) : this.prices.price(figure, which === 'buy' ? 'up' : 'down');
  }

  private isTooSmall({ figure, exact }: Size): boolean {
    return figure < this.minSize * (1 + DOUBT) && exact().lt(this.options.product.minSize);
  }

  private quoteFor(
    prices: Readonly<Record<Side, number>>,
    sizes: Readonly<Record<Side, Size>>,
    { mid, nearest, id }: { readonly mid: number; readonly nearest: Quote; readonly id: QuoteId },
  ): Quote {
    const { feePercentage } = nearest;
    const buy = sideOf(prices.buy, sizes.buy, { mid, feePercentage });
    const sell = sideOf(prices.sell, sizes.sell, { mid, feePercentage });
    const spread = sentFigure(buy.price - sell.price, () => decimalOf(buy.price).minus(sell.price), Math.max(buy.price, sell.price));
    return Object.freeze<Quote>({
      ...nearest,
      id,
      lane: this.lane.id,
      epoch: 1,
      buy,
      sell,
      spread,
      spreadPercentage: percentOf(spread, mid),
    });
  }
}

function sideOf(
  price: number,
  { figure: size, exact }: Size,
  { mid, feePercentage }: { readonly mid: number; readonly feePercentage: number },
): QuoteSide {
  const value = sentFigure(size * price, () => exact().times(price));
  const slippage = Math.abs(price - mid);
  return Object.freeze<QuoteSide>({
    price,
    size,
    value,
    feeInBaseCcy: sentFigure((size * feePercentage) / HUNDRED, () => exact().times(feePercentage).div(HUNDRED)),
    feeInQuoteCcy: sentFigure((value * feePercentage) / HUNDRED, () => decimalOf(value).times(feePercentage).div(HUNDRED)),
    slippage: sentFigure(slippage, () => decimalOf(slippage)),
    slippagePercentage: percentOf(slippage, mid),
  });
}

/** A size that orders of a lane have, and its exact figure. */
interface Size {
  readonly figure: number;
  readonly exact: () => Decimal;
}

function percentOf(part: number, whole: number): number {
  if (!(whole > 0)) return 0;
  return sentFigure((part / whole) * HUNDRED, () => decimalOf(part).div(whole).times(HUNDRED));
}

/** The price of one side for a size, from the recorded quotes of other sizes, smallest first. */
export function priceFor(
  size: number,
  { which, known, slippagePct }: { readonly which: Side; readonly known: readonly Quote[]; readonly slippagePct: number },
): number {
  const points = known.map((quote) => quote[which]);
  const above = points.findIndex((point) => point.size >= size);
  const upper = points[above];
  const lower = points[above - 1];
  if (upper && lower) return lower.price + ((upper.price - lower.price) * (size - lower.size)) / (upper.size - lower.size);
  if (upper) return upper.price;
  const largest = points.at(-1);
  if (!largest) return Number.NaN;
  const worse = (slippagePct / HUNDRED) * Math.log2(size / largest.size);
  return largest.price * (which === 'buy' ? 1 + worse : 1 - worse);
}

/** Error of a few operations on doubles, as a share of their largest figure. */
const ROUNDING_DOUBT = 2e-15;
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
  if (!(scaled < MOST && Math.abs(fromHalf) > largest * 1e8 * ROUNDING_DOUBT)) return sent(exact());
  const rounded = (fromHalf < 0 ? whole : whole + 1) / 1e8;
  return figure < 0 ? -rounded : rounded;
}

/** The multiples of a product's price or size step: found with doubles, or with decimals in case of doubt. */
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
    // A double that equals the multiple counts as it.
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

  /** True if it is certain between which two multiples a figure lies. */
  private isClear(steps: number): boolean {
    return Math.abs(steps * this.units) < MOST && Math.abs(steps - Math.round(steps)) > Math.abs(steps) * ROUNDING_DOUBT + ROUNDING_DOUBT;
  }
}
