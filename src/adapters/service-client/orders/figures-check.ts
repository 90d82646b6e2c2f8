import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { FiguresText, OrderCore } from '#domain/order.ts';
import type { AnswerFigure, AnswerFigures, Misfit } from './answer-figures.ts';

/** What an answer's figures are held against. */
type QuotedOrder = Pick<OrderCore, 'figures' | 'side' | 'baseCcy' | 'quoteCcy'>;

interface CheckRules {
  /** How far price and value may be from the quote's, in percent. */
  readonly figureTolerancePct: number;
  /** Words of the answer say that the order was executed in part. */
  readonly partial: boolean;
}

/** A fee may be lower than the quote's by a discount of half, and higher by what rounding adds. */
const MIN_FEE = 0.5;
const MAX_FEE = 1.05;
/** Fees of less than this share of the value are not told apart from none. */
const SAME = 1e-9;

/** What is booked of an answer, and how its value was read; null where it told none. */
interface BookedFigures {
  readonly figures: Partial<FiguresText>;
  readonly reading: Dialect['value'] | null;
}

/**
 * Holds an answer's figures against the quote that the order named, and against each other. An executable quote is executed at
 * its own figures (spec 2.8), so what is not near them was misread, and the first field that does not fit is named: nothing of
 * such an answer is booked. What fits replaces the quote's.
 */
export function heldAgainst(quoted: QuotedOrder, told: AnswerFigures, rules: CheckRules): BookedFigures | Misfit {
  const { figures: q } = quoted;
  const size = sizeOf(quoted, told, rules);
  if ('why' in size) return size;
  const share = size.figure.div(q.size);
  const far = farFrom(told.price, q.price, rules);
  if (far !== undefined) return far;
  const fee = feeOf(quoted, told, share);
  if ('why' in fee) return fee;
  const value = valueRead(quoted, told, { size: size.figure, share });
  if ('why' in value) return value;
  const isPart = !size.figure.eq(q.size);
  const price = told.price?.figure ?? q.price;
  const booked = value.figure ?? (told.price === undefined && !isPart ? undefined : price.times(size.figure));
  const figures = {
    ...(told.price && { price: price.toString() }),
    ...((told.size || isPart) && { size: size.figure.toString() }),
    ...(booked && { value: booked.toString() }),
    ...(fee.told ?? (isPart ? { fee: q.fee.times(share).toDecimalPlaces(18).toString() } : {})),
  };
  return { figures, reading: value.reading };
}

const misfitOf = ({ field, figure }: AnswerFigure, why: string): Misfit => ({ field, why: `says ${figure}, ${why}` });

/** At most the quoted size. Less is a part, where the answer shows that it means one. */
function sizeOf(
  { figures: q, baseCcy }: QuotedOrder,
  { size, value, fee, feeCcy }: AnswerFigures,
  rules: CheckRules,
): { readonly figure: Decimal } | Misfit {
  if (size === undefined) {
    return rules.partial ? { field: 'size', why: 'is missing in the answer of an order that was executed in part' } : { figure: q.size };
  }
  const { figure } = size;
  if (near(figure, q.size, SAME)) return { figure: q.size };
  if (figure.isZero()) return misfitOf(size, 'so nothing was executed');
  if (figure.gt(q.size)) return misfitOf(size, `more than the ${q.size} that was quoted`);
  if (near(figure, q.value, 0.01)) return misfitOf(size, `which is the quoted value and not the quoted size, ${q.size}`);
  const netOfFee = fee !== undefined && feeCcy !== undefined && same(feeCcy.currency, baseCcy);
  if (netOfFee && near(figure.plus(fee.figure.abs()), q.size, SAME)) return { figure: q.size };
  if (size.executed || rules.partial || value !== undefined) return { figure };
  return misfitOf(size, `less than the ${q.size} that was quoted, and no other field says that the order was executed in part`);
}

function farFrom(told: AnswerFigure | undefined, quoted: Decimal, { figureTolerancePct }: CheckRules): Misfit | undefined {
  if (told === undefined || near(told.figure, quoted, figureTolerancePct / 100)) return undefined;
  return misfitOf(
    told,
    `more than ${figureTolerancePct} % from the ${quoted.toDecimalPlaces(12)} that was quoted (service.figureTolerancePct)`,
  );
}

type ValueRead = { readonly figure: Decimal | undefined; readonly reading: Dialect['value'] | null } | Misfit;

/**
 * A value is size times price to its own last digit. Where it differs by exactly the fee, it is what was paid or received. A price
 * that was rounded may explain the rest; nothing else does.
 */
function valueRead(
  quoted: QuotedOrder,
  { value, price, fee, feeCcy }: AnswerFigures,
  { size, share }: { readonly size: Decimal; readonly share: Decimal },
): ValueRead {
  if (value === undefined) return { figure: undefined, reading: null };
  const { figures: q, side, quoteCcy } = quoted;
  const product = (price?.figure ?? q.price).times(size);
  const isQuoted = price === undefined || price.figure.minus(q.price).abs().lte(lastDigit(price.figure));
  // The quote's own value may be rounded as well.
  const products = isQuoted ? [product, q.price.times(size), q.value.times(share)] : [product];
  const plain = { figure: value.figure, reading: 'value-plain' } as const;
  const isInQuote = feeCcy === undefined || same(feeCcy.currency, quoteCcy);
  const fees = [...(fee && isInQuote ? [fee.figure.abs()] : []), feeInQuote(quoted).times(share)];
  const sign = side === 'buy' ? 1 : -1;
  const exact = product.times(SAME);
  const rounding = Decimal.max(lastDigit(value.figure), exact);
  // A number without its last zeros may be finer than it looks: what fits exactly goes first.
  for (const apart of [exact, rounding]) {
    const is = (figure: Decimal): boolean => value.figure.minus(figure).abs().lte(apart);
    if (products.some(is)) return plain;
    const net = products.find((one) => fees.some((its) => is(one.plus(its.times(sign)))));
    if (net !== undefined) return { figure: net, reading: 'value-with-fee' };
  }
  const rounded = price === undefined ? ZERO : lastDigit(price.figure).times(size);
  if (value.figure.minus(product).abs().lte(rounding.plus(rounded))) return plain;
  return misfitOf(value, `and price x size is ${product.toDecimalPlaces(12)}`);
}

const lastDigit = (figure: Decimal): Decimal => decimalOf(`1e-${Math.max(0, figure.decimalPlaces())}`);

type FeeRead = { readonly told: { readonly fee: string; readonly feeCcy: string } | null } | Misfit;

/** The fee in the currency that the answer says, else in that in which it is the quote's; told as a rate, it is the quote's. */
function feeOf(quoted: QuotedOrder, { fee, feeCcy }: AnswerFigures, share: Decimal): FeeRead {
  if (fee === undefined) return { told: null };
  const { figures: q, baseCcy, quoteCcy } = quoted;
  const inQuote = feeInQuote(quoted).times(share);
  const expected = [
    { currency: quoteCcy, figure: inQuote },
    { currency: baseCcy, figure: inQuote.div(q.price) },
  ];
  if (feeCcy !== undefined && !expected.some(({ currency }) => same(currency, feeCcy.currency))) {
    return { field: feeCcy.field, why: `says ${feeCcy.currency}, which is neither ${baseCcy} nor ${quoteCcy}` };
  }
  const figure = fee.figure.abs();
  const may = expected.filter(({ currency }) => feeCcy === undefined || same(currency, feeCcy.currency));
  // The currency of the settings first, where a price near 1 leaves both open.
  const fits = may.filter((one) => isNearFee(figure, one.figure)).sort((one) => (same(one.currency, q.feeCcy) ? -1 : 1));
  const [found] = fits;
  if (found !== undefined) return { told: { fee: figure.toString(), feeCcy: found.currency } };
  const rate = q.value.isZero() ? ZERO : inQuote.div(share).div(q.value);
  if (!rate.isZero() && (near(figure, rate, 0.01) || near(figure, rate.times(100), 0.01))) return { told: null };
  const quotedAs = may.map(({ currency, figure: of }) => `${of.toDecimalPlaces(12)} ${currency}`).join(' or ');
  return misfitOf(fee, `and the quote's fee is ${quotedAs}`);
}

const feeInQuote = ({ figures: q, quoteCcy }: QuotedOrder): Decimal => (same(q.feeCcy, quoteCcy) ? q.fee : q.fee.times(q.price));

/** Near a quoted fee: a discount, or what its last digit rounds. A fee where the quote has none is not near. */
function isNearFee(figure: Decimal, quoted: Decimal): boolean {
  if (figure.isZero() || quoted.isZero()) return figure.eq(quoted);
  if (figure.gte(quoted.times(MIN_FEE)) && figure.lte(quoted.times(MAX_FEE))) return true;
  return figure.decimalPlaces() >= 2 && figure.minus(quoted).abs().lte(lastDigit(figure)) && figure.lte(quoted.times(2));
}

const near = (figure: Decimal, quoted: Decimal, share: number): boolean => figure.minus(quoted).abs().lte(quoted.times(share));

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
