import { Thread } from '#adapters/threads/thread.ts';
import type { BookedEntry } from '#domain/decision.ts';

/** What an account is short of, or has over, in the currencies that were traded, and whether fees taken otherwise than booked explain all of it. */
export interface FeesTaken {
  readonly corrections: readonly BookedEntry[];
  readonly isFees: boolean;
}

/** The thread is told of which journal, and what the account has by currency, decimal text; it says what they differ in. */
export interface FeesThread {
  readonly data: { readonly journal: string; readonly balances: ReadonlyMap<string, string> };
  readonly toThread: never;
  readonly fromThread: FeesTaken;
}

/**
 * Holds the books of a journal against balances, in the currencies of its fills, in a thread of its own: that reads every fill, and no quote
 * waits for it. Throws what reading the journal throws.
 */
export function feesTakenBeside(data: FeesThread['data'], signal: AbortSignal): Promise<FeesTaken> {
  return new Thread<FeesThread>({ entry: new URL('./fees-thread-entry.ts', import.meta.url), name: 'fees', data, signal }).next();
}
