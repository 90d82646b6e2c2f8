import { JournalReader } from '#adapters/journal/reader.ts';
import { resolveOrder } from '#adapters/journal/resolve.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { rowsOf } from './books.ts';

interface Execution {
  readonly quote_id: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
}

/** Settles every order without an outcome as a person would who looks into the paper venue's ledger. Nobody else may hold the journal. */
export function settleFromVenue(journal: string, venueDatabase: string): Readonly<Record<'accepted' | 'rejected', number>> {
  const executions = rowsOf<Execution>(venueDatabase, 'SELECT quote_id, price, size, value, fee FROM executions');
  const executed = new Map(executions.map(({ quote_id, ...figures }) => [quote_id, figures]));
  const settledAs = { accepted: 0, rejected: 0 };
  const reader = JournalReader.open(journal);
  const open = reader.openOrders();
  reader.close();
  for (const { order_id, quote_id } of open) {
    const figures = executed.get(quote_id);
    const as = figures ? 'accepted' : 'rejected';
    settledAs[as] += 1;
    const why = "the venue's ledger says so";
    resolveOrder({ path: journal, orderId: order_id, as, figures: figures ?? {}, who: 'harness', why, now: systemTimers.wallMs() });
  }
  return settledAs;
}
