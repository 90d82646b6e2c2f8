import { type Dialect, OWN_DIALECT } from '#adapters/service-client/dialect/dialect.ts';
import { floorToStep, ZERO } from '#domain/decimal.ts';
import type { Side } from '#domain/quote.ts';
import type { Booking } from '#paper-venue/core/booking.ts';
import type { IssuedQuote } from '#paper-venue/core/quote-book.ts';
import { type ErrorResponse, refusal } from '#paper-venue/http/refusal.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { netSize } from './quotes.ts';

const SIDES = {
  'side-SELL': { BUY: 'buy', SELL: 'sell' },
  'side-ASK': { BUY: 'buy', ASK: 'sell' },
  'sides-lower': { buy: 'buy', sell: 'sell' },
} as const satisfies Record<Dialect['sides'], Readonly<Record<string, Side>>>;

/** Interval, in orders, of refused, unexecuted or partially executed ones. */
const REFUSED_EVERY = 3;
const ERROR_EVERY = 4;
const PART_EVERY = 3;
const PART = '0.6';
const MAX_ALIASES = 10_000;

/** Refusals by the dialect; status 202 marks an order that is answered but never executed. */
const UNAVAILABLE = refusal(422, 'QUOTE_EXPIRED', 'the quote has expired');
const NO_LONGER = refusal(422, 'QUOTE_EXPIRED', 'the quote can no longer be used');
const ALREADY = refusal(422, 'QUOTE_EXPIRED', 'the quote has already expired');
const LEFT_OPEN = refusal(202, 'LEFT_OPEN', 'the order was taken');

/** The dialect's effect on orders, in addition to the matching core. */
export class OrderDialect {
  readonly dialect: Dialect;
  private readonly aliases = new Map<string, string>();
  private orders = 0;
  private executions = 0;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** Wire names of the sides. */
  get sides(): Readonly<Record<string, Side>> {
    return SIDES[this.dialect.sides];
  }

  /** The wire name of a side. */
  nameOf(side: Side): string {
    return Object.entries(this.sides).find(([, one]) => one === side)?.[0] ?? side;
  }

  /** Maps an id on the wire to a quote of the book. */
  alias(id: string, quoteId: string): void {
    this.aliases.delete(id);
    this.aliases.set(id, quoteId);
    const [oldest] = this.aliases.keys();
    if (this.aliases.size > MAX_ALIASES && oldest !== undefined) this.aliases.delete(oldest);
  }

  /** The book's quote for an id on the wire. */
  quoteIdOf(id: string): string {
    return this.aliases.get(id) ?? id;
  }

  feeIn(side: Side): 'quote' | 'base' {
    const { feeTaken } = this.dialect;
    return feeTaken === 'fee-in-base' || (feeTaken === 'fee-as-received' && side === 'buy') ? 'base' : 'quote';
  }

  /** Why a valid order is not executed; undefined if it is. */
  refusalOf(): ErrorResponse | undefined {
    this.orders += 1;
    const { answerStatus, refusals, errorBodies } = this.dialect;
    if (answerStatus === 'answer-202-open' && this.orders % 2 === 0) return LEFT_OPEN;
    if (refusals !== OWN_DIALECT.refusals && this.orders % REFUSED_EVERY === 0) {
      if (refusals === 'refused-already-expired') return ALREADY;
      return refusals === 'refused-no-longer-used' ? NO_LONGER : UNAVAILABLE;
    }
    return errorBodies !== OWN_DIALECT.errorBodies && this.orders % ERROR_EVERY === 0 ? UNAVAILABLE : undefined;
  }

  booking(booking: Booking, quote: IssuedQuote): Booking {
    this.executions += 1;
    const whole = this.netOf(booking, quote);
    return this.dialect.fills === 'partial-fills' && this.executions % PART_EVERY === 0 ? partOf(whole) : whole;
  }

  /** The booking of a size that is quoted net of its fee: executed as quoted, without a further fee. */
  private netOf(booking: Booking, { figures }: IssuedQuote): Booking {
    if (this.dialect.quoteSize !== 'net-size' || booking.side !== 'buy') return booking;
    const size = booking.size.minus(booking.size).plus(netSize(figures.buyQuote));
    return moved({ ...booking, size, fee: ZERO, feeCcy: figures.quoteCcy }, figures.baseCcy);
  }
}

function partOf(booking: Booking): Booking {
  const step = VB_PRODUCTS.find(({ code }) => code === booking.product)?.sizeIncrement;
  if (step === undefined) return booking;
  const size = floorToStep(booking.size.times(PART), step);
  if (size.isZero()) return booking;
  const share = size.div(booking.size);
  const part = { ...booking, size, value: size.times(booking.price).toDecimalPlaces(8), fee: booking.fee.times(share).toDecimalPlaces(8) };
  return moved(part, booking.movements[0].currency);
}

/** The booking with the movements of its figures. */
function moved(booking: Booking, baseCcy: string): Booking {
  const { side, size, value, fee, feeCcy, movements } = booking;
  const [baseFee, quoteFee] = feeCcy === baseCcy ? [fee, ZERO] : [ZERO, fee];
  const base = { currency: movements[0].currency, amount: (side === 'buy' ? size : size.negated()).minus(baseFee) };
  const quote = { currency: movements[1].currency, amount: (side === 'buy' ? value.negated() : value).minus(quoteFee) };
  return { ...booking, movements: [base, quote] };
}
