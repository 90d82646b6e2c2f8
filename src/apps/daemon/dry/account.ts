import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedEntry, Decision } from '#domain/decision.ts';
import type { BookAmount } from '#domain/event.ts';
import type { Journal } from '#ports/journal.ts';

/** What earlier runs left in the account, of the currencies that the configuration names for it. */
export function heldAtStart(from: {
  /** What the account holds before the first run, by currency. */
  readonly opening: Readonly<Record<string, string>>;
  /** Openings that earlier runs booked, and all that moved besides. */
  readonly openings: readonly BookAmount[];
  readonly flows: Readonly<Record<string, string>>;
}): ReadonlyMap<string, Decimal> {
  const held = new Map(Object.keys(from.opening).map((currency): [string, Decimal] => [currency, decimalOf(from.flows[currency] ?? 0)]));
  for (const { currency, amount } of from.openings) {
    if (held.has(currency)) held.set(currency, (held.get(currency) ?? ZERO).plus(amount));
  }
  return held;
}

/** The journal, telling of all that is booked and that no order moved: openings, deposits, withdrawals, corrections. */
export function tellingOfBookings(journal: Journal, booked: (entries: readonly BookedEntry[]) => void): Journal {
  const tell = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) if (decision.kind === 'booked') booked(decision.detail.entries);
  };
  return {
    commit(decisions) {
      journal.commit(decisions);
      tell(decisions);
    },
    defer(decisions) {
      journal.defer(decisions);
      tell(decisions);
    },
    write: () => journal.write(),
    flush: () => journal.flush(),
    end: (run, endState) => journal.end(run, endState),
  };
}
