import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { LedgerRow } from './paging.ts';

/** Sums of one book in one currency, by kind of row. The balance is all of them together. */
interface Balance {
  readonly book: string;
  readonly currency: string;
  readonly opening: Decimal;
  readonly fills: Decimal;
  /** Negative: fees are a cost. */
  readonly fees: Decimal;
  readonly deposits: Decimal;
  /** Negative. */
  readonly withdrawals: Decimal;
  readonly corrections: Decimal;
  /** Of positions that were held over a roll; negative where it cost. */
  readonly financing: Decimal;
  readonly balance: Decimal;
}

const COLUMNS = {
  opening: 'opening',
  fill: 'fills',
  fee: 'fees',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  correction: 'corrections',
  financing: 'financing',
} as const;

const EMPTY = {
  opening: ZERO,
  fills: ZERO,
  fees: ZERO,
  deposits: ZERO,
  withdrawals: ZERO,
  corrections: ZERO,
  financing: ZERO,
  balance: ZERO,
};

/** A balance while rows are added to it: a ledger has many. */
type Growing = { -readonly [Name in keyof Balance]: Balance[Name] };

/** Adds up a ledger, a row for each book and currency, in the order in which they first moved. */
export function balancesOf(ledger: Iterable<Pick<LedgerRow, 'book' | 'currency' | 'kind' | 'amount'>>): readonly Balance[] {
  const balances: Growing[] = [];
  const byBook = new Map<string, Map<string, Growing>>();
  for (const { book, currency, kind, amount: text } of ledger) {
    const ofBook = byBook.get(book) ?? new Map<string, Growing>();
    byBook.set(book, ofBook);
    let balance = ofBook.get(currency);
    if (!balance) {
      balance = { book, currency, ...EMPTY };
      ofBook.set(currency, balance);
      balances.push(balance);
    }
    const amount = decimalOf(text);
    const column = COLUMNS[kind];
    balance[column] = balance[column].plus(amount);
    balance.balance = balance.balance.plus(amount);
  }
  return balances;
}

/** What all books together have in each currency. */
export function totalsOf(balances: readonly Balance[]): ReadonlyMap<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const { currency, balance } of balances) totals.set(currency, balance.plus(totals.get(currency) ?? ZERO));
  return totals;
}
