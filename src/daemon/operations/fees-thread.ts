import { Thread } from '#adapters/threads/thread.ts';
import type { BookedEntry } from '#domain/decision.ts';

/** The differences of an account in traded currencies, and whether fees in another currency than booked explain all of them. */
export interface FeeDifferences {
  readonly corrections: readonly BookedEntry[];
  readonly isFees: boolean;
}

/** The thread's input is a journal and the account's balances, decimal text by currency; its result is their differences. */
export interface FeesThread {
  readonly data: { readonly journal: string; readonly balances: ReadonlyMap<string, string> };
  readonly toThread: never;
  readonly fromThread: FeeDifferences;
}

/**
 * Compares the books of a journal with balances, in the currencies of its fills. It reads every fill, so it runs in a
 * thread of its own. Throws what reading the journal throws.
 */
export function feesTakenBeside(data: FeesThread['data'], signal: AbortSignal): Promise<FeeDifferences> {
  return new Thread<FeesThread>({ entry: new URL('./fees-thread-entry.ts', import.meta.url), name: 'fees', data, signal }).next();
}
