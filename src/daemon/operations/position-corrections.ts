import { TREASURY } from '#core/portfolio/ledger.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedByPerson } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import { positionCorrections, reportBooks } from '#report/books.ts';

/** The ledger's and the account's amount in one currency, and the correction to book. */
export interface BalanceDifference {
  readonly currency: string;
  readonly ledger: Decimal;
  readonly actual: Decimal;
  readonly correction: Decimal;
}

/** The books for a comparison: all fills, and the ledger. */
interface BooksRead {
  readonly fills: readonly PastFill[];
  readonly ledger: Parameters<typeof positionCorrections>[0];
}

/** Tolerance of fees in another currency than booked, for rounding. */
const FEE_SLACK = 1.05;
const PLACES = 12;

/** The purchases of one book in one product, and their booked fees. */
interface Purchases {
  readonly book: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly size: Decimal;
  readonly feesInBase: Decimal;
  readonly feesInQuote: Decimal;
}

/**
 * The corrections that bring ledger and positions to the account's amounts. A difference within the fees of purchases is
 * assigned to them: a fee taken in base currency reduces the buyer's position, one not taken in quote currency returns
 * to its cash. If the account has less than all books hold, positions shrink to it. The treasury gets the rest.
 */
export function correctionsOf(differences: readonly BalanceDifference[], read: BooksRead): readonly BookedByPerson[] {
  const bought = boughtIn(read);
  return differences.flatMap((difference) => {
    const { currency, correction } = difference;
    if (correction.isZero()) return [];
    const ofBooks = sharesOf(difference, bought).filter(({ amount }) => !amount.isZero());
    const rest = ofBooks.reduce((left, { amount }) => left.minus(amount), correction);
    return [
      ...ofBooks.map(
        ({ book, product, amount }): BookedByPerson => ({ kind: 'correction', book, currency, amount: amount.toString(), product }),
      ),
      ...(rest.isZero() ? [] : [{ kind: 'correction', book: TREASURY, currency, amount: rest.toString() } as const]),
    ];
  });
}

interface Share extends Pick<Purchases, 'book' | 'product'> {
  readonly amount: Decimal;
}

function sharesOf({ currency, correction, actual }: BalanceDifference, bought: readonly Purchases[]): readonly Share[] {
  if (correction.isPositive()) {
    const quoted = bought.filter(({ quoteCcy }) => quoteCcy === currency);
    return isFees(correction, sumOf(quoted, 'feesInQuote')) ? shared(correction, quoted, 'feesInQuote') : [];
  }
  const based = bought.filter(({ baseCcy }) => baseCcy === currency);
  const missing = correction.abs();
  const held = sumOf(based, 'size');
  const beyond = Decimal.max(ZERO, held.minus(actual));
  const shares = isFees(missing, sumOf(based, 'feesInBase'))
    ? shared(missing, based, 'feesInBase')
    : shared(Decimal.min(missing, beyond), based, 'size');
  // A book cannot lose more than it holds; the treasury gets the rest.
  return shares.map((share, index) => ({ ...share, amount: Decimal.min(share.amount, based[index]?.size ?? ZERO).negated() }));
}

const isFees = (amount: Decimal, fees: Decimal): boolean => fees.gt(0) && amount.lte(fees.times(FEE_SLACK));

function sumOf(bought: readonly Purchases[], of: 'size' | 'feesInBase' | 'feesInQuote'): Decimal {
  return bought.reduce((sum, one) => sum.plus(one[of]), ZERO);
}

/** Splits an amount in proportion; the last part gets the rounding remainder. */
function shared(amount: Decimal, bought: readonly Purchases[], by: 'size' | 'feesInBase' | 'feesInQuote'): readonly Share[] {
  const whole = sumOf(bought, by);
  if (whole.isZero()) return [];
  let left = amount;
  return bought.map((one, index) => {
    const share = index === bought.length - 1 ? left : amount.times(one[by]).div(whole).toDecimalPlaces(PLACES);
    left = left.minus(share);
    return { book: one.book, product: one.product, amount: share };
  });
}

function boughtIn({ fills, ledger }: BooksRead): readonly Purchases[] {
  const held = new Map(
    reportBooks(fills, new Map(), [], positionCorrections(ledger)).holdings.map(({ book, product, size }) => [`${book} ${product}`, size]),
  );
  const all = new Map<string, Purchases>();
  for (const { strategy, product, fill } of fills) {
    if (fill.side !== 'buy') continue;
    const key = `${strategy} ${product}`;
    const { baseCcy, quoteCcy } = fill;
    const size = Decimal.max(ZERO, held.get(key) ?? ZERO);
    const before = all.get(key) ?? { book: strategy, product, baseCcy, quoteCcy, size, feesInBase: ZERO, feesInQuote: ZERO };
    const inQuote = fill.feeCcy === quoteCcy ? decimalOf(fill.fee) : ZERO;
    all.set(key, {
      ...before,
      feesInQuote: before.feesInQuote.plus(inQuote),
      feesInBase: before.feesInBase.plus(inQuote.div(fill.price)),
    });
  }
  return [...all.values()];
}
