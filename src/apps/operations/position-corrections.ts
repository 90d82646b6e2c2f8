import { TREASURY } from '#core/portfolio/ledger.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedByPerson } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import { reportBooks, sizeCorrections } from '#report/books.ts';

/** What the ledger of a journal has in one currency, what the account has, and what would have to be booked. */
export interface Difference {
  readonly currency: string;
  readonly ledger: Decimal;
  readonly actual: Decimal;
  readonly correction: Decimal;
}

/** What a difference is held against: everything that was executed, and the ledger. */
interface BooksRead {
  readonly fills: readonly PastFill[];
  readonly ledger: Parameters<typeof sizeCorrections>[0];
}

/** Fees that were taken in another currency than booked come to no more than these and their rounding. */
const FEE_SLACK = 1.05;
const PLACES = 12;

/** What one book bought in one product, and the fees that its purchases were booked with. */
interface Bought {
  readonly book: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly size: Decimal;
  readonly feesInBase: Decimal;
  readonly feesInQuote: Decimal;
}

/**
 * The corrections that make ledger and positions what the account has. A difference within the fees of purchases is theirs: what was
 * taken in base currency comes off the position of the book that bought, what was not taken in quote currency goes back to its cash.
 * Where the account has less than all books hold, their positions shrink to it. The rest is the treasury's.
 */
export function correctionsOf(differences: readonly Difference[], read: BooksRead): readonly BookedByPerson[] {
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

interface Share extends Pick<Bought, 'book' | 'product'> {
  readonly amount: Decimal;
}

function sharesOf({ currency, correction, actual }: Difference, bought: readonly Bought[]): readonly Share[] {
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
  // A book cannot lose more than it holds: what it had sold already is the treasury's.
  return shares.map((share, index) => ({ ...share, amount: Decimal.min(share.amount, based[index]?.size ?? ZERO).negated() }));
}

const isFees = (amount: Decimal, fees: Decimal): boolean => fees.gt(0) && amount.lte(fees.times(FEE_SLACK));

function sumOf(bought: readonly Bought[], of: 'size' | 'feesInBase' | 'feesInQuote'): Decimal {
  return bought.reduce((sum, one) => sum.plus(one[of]), ZERO);
}

/** An amount in proportion; the last one has what rounding leaves. */
function shared(amount: Decimal, bought: readonly Bought[], by: 'size' | 'feesInBase' | 'feesInQuote'): readonly Share[] {
  const whole = sumOf(bought, by);
  if (whole.isZero()) return [];
  let left = amount;
  return bought.map((one, index) => {
    const share = index === bought.length - 1 ? left : amount.times(one[by]).div(whole).toDecimalPlaces(PLACES);
    left = left.minus(share);
    return { book: one.book, product: one.product, amount: share };
  });
}

function boughtIn({ fills, ledger }: BooksRead): readonly Bought[] {
  const held = new Map(
    reportBooks(fills, new Map(), [], sizeCorrections(ledger)).holdings.map(({ book, product, size }) => [`${book} ${product}`, size]),
  );
  const all = new Map<string, Bought>();
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
