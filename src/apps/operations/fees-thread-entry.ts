import { JournalReader } from '#adapters/journal/reader.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { compareLedger } from './account-balances.ts';
import type { FeesThread } from './fees-thread.ts';

runThread<FeesThread>(({ data: { journal, balances }, post }) => {
  const traded = currenciesOf(journal);
  const told = new Map([...balances].filter(([currency]) => traded.has(currency)));
  const { corrections } = compareLedger(journal, told, { whole: false });
  post({ corrections, isFees: corrections.every(({ product }) => product !== undefined) });
});

/** Currencies that were traded. */
function currenciesOf(path: string): ReadonlySet<string> {
  const journal = JournalReader.open(path);
  try {
    return new Set(journal.fills().flatMap(({ fill: { baseCcy, quoteCcy } }) => [baseCcy, quoteCcy]));
  } finally {
    journal.close();
  }
}
