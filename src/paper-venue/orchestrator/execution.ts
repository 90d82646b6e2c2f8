import { Decimal, decimalOf, floorToStep, ZERO } from '#domain/decimal.ts';
import { seeded } from '#domain/seeded.ts';
import type { StrategyRecord } from './record.ts';
import type { Tradable } from './tradables.ts';

/** The trade of one step of the simulated execution: base currency bought (positive) or sold, and the position after it. */
interface StrategyTrade {
  readonly size: Decimal;
  readonly long: Decimal;
  readonly short: Decimal;
  /** The strategy's maximum position. */
  readonly capacity: Decimal;
}

interface StepInput {
  readonly tradable: Tradable;
  readonly mid: Decimal;
  readonly nowMs: number;
  readonly seed: string;
}

/** Share of its capacity that a strategy opens in a step, or of its position that it closes. */
const SLICE = decimalOf('0.25');
/** The fields that decide a strategy's capacity. */
export const AMOUNTS: readonly string[] = ['initialBaseCurrencySize', 'initialQuoteCurrencyAmount', 'size'];
/** Shares of steps that open and that close; in others it waits. */
const OPENS = 0.45;
const CLOSES = 0.25;

/** True if a strategy has anything to do. */
export function isAtWork(strategy: StrategyRecord): boolean {
  return strategy.status === 'ACTIVE' || strategy.flushTo !== null;
}

/**
 * One step of a strategy's simulated execution, drawn by seed, number of the strategy and number of the step. A flush
 * comes first. An active strategy opens and closes at random, does not open inside an opening pause or beyond its price
 * limit, and holds at most its capacity. Undefined if it does not trade.
 */
export function stepOf(strategy: StrategyRecord, input: StepInput): StrategyTrade | undefined {
  const { tradable, mid } = input;
  const long = decimalOf(strategy.long);
  const short = decimalOf(strategy.short);
  const capacity = strategy.capacity === null ? capacityOf(strategy, tradable, mid) : decimalOf(strategy.capacity);
  if (strategy.flushTo !== null) {
    const to = { long: Decimal.min(long, strategy.flushTo.long), short: Decimal.min(short, strategy.flushTo.short) };
    const size = to.long.minus(long).plus(short.minus(to.short));
    return { size, ...to, capacity };
  }
  const draw = seeded(`${input.seed}/strategy/${strategy.number}/${strategy.steps}`).next();
  const isShort = strategy.fields.aiModelPositionMode === 'SHORT';
  const held = isShort ? short : long;
  const change =
    draw < OPENS ? opening(strategy, input, { capacity, held, isShort }) : draw < OPENS + CLOSES ? closing(held, tradable) : ZERO;
  if (change.isZero()) return undefined;
  return isShort
    ? { size: change.negated(), long, short: short.plus(change), capacity }
    : { size: change, long: long.plus(change), short, capacity };
}

interface Room {
  readonly capacity: Decimal;
  readonly held: Decimal;
  readonly isShort: boolean;
}

function opening(strategy: StrategyRecord, { tradable, mid, nowMs }: StepInput, { capacity, held, isShort }: Room): Decimal {
  const { openingPause, fields } = strategy;
  if (openingPause && nowMs >= Date.parse(openingPause.from) && nowMs < Date.parse(openingPause.to)) return ZERO;
  const { priceLimit, orderMaxSize } = fields;
  if (typeof priceLimit === 'number' && priceLimit > 0 && (isShort ? mid.lt(priceLimit) : mid.gt(priceLimit))) return ZERO;
  const most = typeof orderMaxSize === 'number' && orderMaxSize > 0 ? decimalOf(orderMaxSize) : capacity;
  const slice = Decimal.max(tradable.minSize, floorToStep(capacity.times(SLICE), tradable.sizeIncrement));
  const room = Decimal.min(slice, most, capacity.minus(held));
  return room.lt(tradable.minSize) ? ZERO : room;
}

/** Sells a slice, or everything if less than the minimum size would be left. */
function closing(held: Decimal, { minSize, sizeIncrement }: Tradable): Decimal {
  const slice = Decimal.max(minSize, floorToStep(held.times(SLICE), sizeIncrement));
  return (held.minus(slice).lt(minSize) ? held : slice).negated();
}

/** The capacity in base currency at the present price: both amounts together, or the size of an open variant. */
function capacityOf({ fields }: StrategyRecord, tradable: Tradable, mid: Decimal): Decimal {
  const given = (field: string) => decimalOf(typeof fields[field] === 'number' ? fields[field] : 0);
  const base = given('initialBaseCurrencySize').plus(given('initialQuoteCurrencyAmount').div(mid));
  const size = base.isZero() ? given('size') : base;
  return Decimal.max(tradable.minSize, floorToStep(size, tradable.sizeIncrement));
}
