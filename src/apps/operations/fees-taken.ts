import { JournalReader } from '#adapters/journal/reader.ts';
import { compareLedger } from './account-balances.ts';
import type { FeesTaken, FeesThread } from './fees-thread.ts';

/** Compares the books of a journal with balances, in the currencies of its fills. Throws what reading the journal throws. */
export function feesTaken({ journal, balances }: FeesThread['data']): FeesTaken {
  const traded = currenciesOf(journal);
  const told = new Map([...balances].filter(([currency]) => traded.has(currency)));
  const { corrections } = compareLedger(journal, told, { whole: false });
  return { corrections, isFees: corrections.every(({ product }) => product !== undefined) };
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
