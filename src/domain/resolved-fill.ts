import { decimalOf } from './decimal.ts';
import { KairosError } from './errors.ts';
import type { FillText, OrderText } from './order.ts';

/** A person's figures of an execution, as decimal text; those left out are as quoted. */
export interface ResolvedFigures {
  readonly price?: string;
  readonly size?: string;
  /** Default: price times size if either is given, else as quoted. */
  readonly value?: string;
  readonly fee?: string;
  readonly feeCcy?: string;
}

/** The fill by which a person settles an order. Throws USAGE for a figure that is not a number. */
export function resolvedFill(order: OrderText, figures: ResolvedFigures): FillText {
  const price = figure('price', figures.price ?? order.price);
  const size = figure('size', figures.size ?? order.size);
  if (size.gt(order.size)) {
    throw new KairosError(
      'USAGE',
      `size ${size} is more than the ${order.size} that was quoted: an order executes no more; give it in base units`,
    );
  }
  const asQuoted = figures.price === undefined && figures.size === undefined;
  return {
    side: order.side,
    baseCcy: order.baseCcy,
    quoteCcy: order.quoteCcy,
    price: price.toString(),
    size: size.toString(),
    value: figure('value', figures.value ?? (asQuoted ? order.value : price.times(size).toString())).toString(),
    fee: figure('fee', figures.fee ?? order.fee).toString(),
    feeCcy: figures.feeCcy?.toLowerCase() ?? order.feeCcy,
  };
}

/**
 * A price or value that is more than `pct` percent from the quote's, or a fee above the quote's by more of what was traded, in words; undefined
 * where none was given. Throws as `resolvedFill`.
 */
export function farFromQuote(order: OrderText, figures: ResolvedFigures, pct: number): string | undefined {
  const { size, value, feeCcy } = resolvedFill(order, figures);
  const quoted = { price: decimalOf(order.price), value: decimalOf(order.price).times(size) };
  for (const name of ['price', 'value'] as const) {
    const given = figures[name];
    if (given === undefined || decimalOf(given).minus(quoted[name]).abs().lte(quoted[name].times(pct).div(100))) continue;
    return `${name} ${given} is more than ${pct} % from ${quoted[name]}, as quoted (service.figureTolerancePct)`;
  }
  const traded = feeCcy === order.quoteCcy ? value : feeCcy === order.baseCcy ? size : undefined;
  const least = feeCcy === order.feeCcy ? order.fee : '0';
  if (figures.fee === undefined || traded === undefined) return undefined;
  if (decimalOf(figures.fee).minus(least).lte(decimalOf(traded).times(pct).div(100))) return undefined;
  return `fee ${figures.fee} ${feeCcy} is above the ${least} that was quoted by more than ${pct} % of ${traded} ${feeCcy} (service.figureTolerancePct)`;
}

/** A figure that a person typed: plain decimal digits, above zero except for fees. */
function figure(name: string, text: string) {
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(text)) {
    throw new KairosError('USAGE', `${name} ${JSON.stringify(text)} is not a decimal number such as 0.25`);
  }
  const decimal = decimalOf(text);
  if (name !== 'fee' && decimal.isZero()) throw new KairosError('USAGE', `${name} must be above zero`);
  return decimal;
}
