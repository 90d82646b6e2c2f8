import { type Decimal, decimalOf, floorToStep } from '../domain/decimal.ts';
import type { Lane } from '../domain/lane.ts';
import type { Millis } from '../domain/names.ts';
import type { Product } from '../domain/product.ts';
import { midOf, type Quote, type QuoteSide, type Side, sideOf } from '../domain/quote.ts';
import { sent } from '../venue/core/quote-making.ts';
import { before, type LocalIds, type QuoteSource, type RecordedLane } from './recorded-lane.ts';

export interface ModelledLaneOptions {
  readonly lane: Lane;
  readonly product: Product;
  /** The recorded lanes of the product next to the amount, the nearest first: one, or one on each side. */
  readonly neighbours: readonly [RecordedLane, ...RecordedLane[]];
  /** What a size beyond the largest recorded one costs on each side, in percent of the price for each doubling. */
  readonly slippagePct: number;
  readonly ids: LocalIds;
}

const HUNDRED = 100;

/**
 * Quotes for an amount that was not recorded, one for each quote of the nearest recorded lane. Between two recorded sizes
 * prices are interpolated; below the smallest they are the smallest one's, above the largest they get worse with each
 * doubling. Prices are rounded to the product's step against whoever trades on them.
 */
export class ModelledLane implements QuoteSource {
  readonly lane: Lane;
  readonly provenance = 'modelled';
  begins = true;
  private readonly options: ModelledLaneOptions;
  private readonly nearest: RecordedLane;
  private readonly others: readonly RecordedLane[];
  private readonly latest = new Map<RecordedLane, Quote>();

  constructor(options: ModelledLaneOptions) {
    this.options = options;
    this.lane = options.lane;
    [this.nearest, ...this.others] = options.neighbours;
  }

  get nextAt(): Millis {
    return this.nearest.nextAt;
  }

  get nextLine(): number {
    return this.nearest.nextLine;
  }

  take(): Quote | undefined {
    for (const other of this.others) while (before(other, this.nearest)) this.latest.set(other, other.take());
    const quote = this.nearest.take();
    this.latest.set(this.nearest, quote);
    const known = [...this.latest.values()].sort((a, b) => a.buy.size - b.buy.size);
    this.begins = false;
    const size = this.sizeAt(quote);
    if (size.lt(this.options.product.minSize)) return undefined;
    return this.quoteFor(size, quote, known);
  }

  private sizeAt(quote: Quote): Decimal {
    const { lane, product } = this.options;
    return 'base' in lane.amount ? lane.amount.base : floorToStep(lane.amount.quote.div(midOf(quote)), product.sizeIncrement);
  }

  private quoteFor(size: Decimal, nearest: Quote, known: readonly Quote[]): Quote {
    const { lane, ids } = this.options;
    const mid = midOf(known[0] ?? nearest);
    const side = (which: Side): QuoteSide => this.sideFor(size, { which, known, mid, feePercentage: nearest.feePercentage });
    const [buy, sell] = [side('buy'), side('sell')];
    const spread = sent(decimalOf(buy.price).minus(sell.price));
    return Object.freeze<Quote>({
      ...nearest,
      id: ids.next(),
      lane: lane.id,
      epoch: 1,
      buy,
      sell,
      spread,
      spreadPercentage: mid > 0 ? sent(decimalOf(spread).div(mid).times(HUNDRED)) : 0,
    });
  }

  private sideFor(
    size: Decimal,
    at: { readonly which: Side; readonly known: readonly Quote[]; readonly mid: number; readonly feePercentage: number },
  ): QuoteSide {
    const { which, known, mid, feePercentage } = at;
    const { product, slippagePct } = this.options;
    const exact = decimalOf(priceFor(size.toNumber(), { which, known, slippagePct }));
    const steps = exact.div(product.priceIncrement);
    const price = sent((which === 'buy' ? steps.ceil() : steps.floor()).times(product.priceIncrement));
    const value = sent(size.times(price));
    const slippage = Math.abs(price - mid);
    return Object.freeze<QuoteSide>({
      price,
      size: size.toNumber(),
      value,
      feeInBaseCcy: sent(size.times(feePercentage).div(HUNDRED)),
      feeInQuoteCcy: sent(decimalOf(value).times(feePercentage).div(HUNDRED)),
      slippage: sent(decimalOf(slippage)),
      slippagePercentage: mid > 0 ? sent(decimalOf(slippage).div(mid).times(HUNDRED)) : 0,
    });
  }
}

/** The price of one side for a size, from the recorded quotes of other sizes, smallest first. */
export function priceFor(
  size: number,
  { which, known, slippagePct }: { readonly which: Side; readonly known: readonly Quote[]; readonly slippagePct: number },
): number {
  const points = known.map((quote) => sideOf(quote, which));
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
