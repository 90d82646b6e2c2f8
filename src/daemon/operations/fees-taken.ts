import { JournalReader } from '#adapters/journal/reader.ts';
import { decimalOf } from '#domain/decimal.ts';
import { compareLedger } from './account-balances.ts';
import type { FeeDifferences, FeesThread } from './fees-thread.ts';

/** Compares the books of a journal with balances, in the currencies of its fills. Throws what reading the journal throws. */
export function feesTaken({ journal, balances }: FeesThread['data']): FeeDifferences {
  const traded = currenciesOf(journal);
  const told = new Map([...balances].filter(([currency]) => traded.has(currency)));
  const { corrections } = compareLedger(journal, told, { whole: false });
  return { corrections, isFees: areFees(corrections) };
}

/**
 * What a fee took in base currency is missing there, and left over in quote currency. Money in one currency alone is something else,
 * such as a deposit whose notification is still on its way.
 */
export function areFees(corrections: FeeDifferences['corrections']): boolean {
  const amounts = corrections.map(({ amount }) => decimalOf(amount));
  const isTwoSided = amounts.some((amount) => amount.isNegative()) && amounts.some((amount) => amount.isPositive());
  return isTwoSided && corrections.every(({ product }) => product !== undefined);
}

/** Currencies that were traded. */
function currenciesOf(path: string): ReadonlySet<string> {
  const journal = JournalReader.open(path);
  try {
    return new Set(journal.fills().flatMap(({ fill: { baseCcy, quoteCcy } }) => [baseCcy, quoteCcy]));
  } finally {
    journal.close();
  }
}
