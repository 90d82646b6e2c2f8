import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Lane } from '#domain/lane.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';

/** Half a percent of the amount: what a quote's value may always differ by. */
const VALUE_SHARE = 0.005;

/** How far doubles may err before the exact decimals are asked. */
const DOUBT = 1e-9;

/** Says whether a quote is for the lane's amount. */
export type SizeCheck = (quote: Quote) => boolean;

/**
 * Makes the check of a lane's quotes against its amount (I10), both sides:
 * - base amount: the side's size differs by at most one `sizeIncrement`, or is less by at most the fee, where sizes are told net of it;
 * - quote amount: the side's value differs by at most the largest of one step's worth, the fee, and 0.5 % of the amount.
 *
 * Without a known increment (a product that the service does not list) the step counts as zero. Exact at its boundary:
 * doubles decide clear cases, decimals the close ones.
 */
export function sizeCheckFor(lane: Lane, sizeIncrement: Decimal | undefined): SizeCheck {
  const { amount } = lane;
  if ('base' in amount) {
    const within = nearness(amount.base);
    const step = sizeIncrement ?? decimalOf(0);
    const stepNumber = step.toNumber();
    const exact = () => step;
    const wanted = amount.base.toNumber();
    const side = ({ size, feeInBaseCcy: fee }: QuoteSide): boolean =>
      within(size, stepNumber, exact) || (size < wanted && within(size, fee, () => decimalOf(fee)));
    return (quote) => side(quote.buy) && side(quote.sell);
  }
  const within = nearness(amount.quote);
  const share = amount.quote.times(VALUE_SHARE);
  const shareNumber = share.toNumber();
  const stepNumber = sizeIncrement?.toNumber() ?? 0;
  const side = (s: QuoteSide): boolean => {
    const worth = s.price > 0 ? stepNumber * s.price : 0;
    const tolerance = Math.max(shareNumber, worth, s.feeInQuoteCcy);
    if (tolerance === shareNumber) return within(s.value, tolerance, () => share);
    return within(s.value, tolerance, () => (tolerance === worth && sizeIncrement ? sizeIncrement.times(s.price) : decimalOf(tolerance)));
  };
  return (quote) => side(quote.buy) && side(quote.sell);
}

/** Compares a figure with `target`: true when it is at most the tolerance away. */
function nearness(target: Decimal): (figure: number, tolerance: number, exact: () => Decimal) => boolean {
  const number = target.toNumber();
  return (figure, tolerance, exact) => {
    if (figure === number) return true;
    const off = Math.abs(figure - number);
    const doubt = DOUBT * Math.abs(number);
    if (off < tolerance - doubt) return true;
    // Also false for NaN and infinities, which no comparison lets through.
    if (!(off <= tolerance + doubt)) return false;
    return decimalOf(figure).minus(target).abs().lte(exact());
  };
}
