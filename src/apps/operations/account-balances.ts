import { balancesOf, totalsOf } from '#adapters/journal/balances.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { BrokerQuery } from '#adapters/service/orders/broker-query.ts';
import type { Settings } from '#config/settings.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedByPerson } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';
import { publishedIn } from './ops-files.ts';
import { correctionsOf, type Difference } from './position-corrections.ts';

const ANSWER_MS = 2000;

/**
 * What the service says that the account holds, by currency, decimal text. Throws USAGE where it cannot be asked: a service
 * that `service.capabilities` does not say this of, or the embedded venue of a daemon that does not run; SERVICE_UNREACHABLE,
 * SERVICE_REFUSED or SERVICE_UNREADABLE for what came instead.
 */
export async function accountBalances(settings: Settings, timers: Timers): Promise<ReadonlyMap<string, string>> {
  const { service, journal } = settings;
  if (!service.capabilities.includes('balances')) {
    const offer = 'or name balances in service.capabilities, where the service can be asked';
    throw new KairosError('USAGE', `say what the account has with --actual, such as btc=0.5,usd=9200, ${offer}`);
  }
  const baseUrl = service.baseUrl ?? (await embeddedVenue(journal.path));
  if (baseUrl === undefined) {
    throw new KairosError('USAGE', 'the paper venue runs inside the daemon: start it, or say what the account has with --actual');
  }
  const query = new BrokerQuery({ baseUrl, service, timers });
  try {
    return await query.balances();
  } finally {
    await query.close();
  }
}

/** The same for who can do without: null where the service is not said to be able to. Throws what comes instead of an answer. */
export async function askBalances(settings: Settings, timers: Timers): Promise<ReadonlyMap<string, string> | null> {
  return settings.service.capabilities.includes('balances') ? accountBalances(settings, timers) : null;
}

/** Where the venue of the running daemon listens; undefined when none runs, or it does not say. */
async function embeddedVenue(journalPath: string): Promise<string | undefined> {
  const published = publishedIn(controlFiles(journalPath).ops);
  if (!published) return undefined;
  try {
    const response = await fetch(`${published.url}/api/state`, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    const state: unknown = await response.json();
    return typeof state === 'object' && state !== null && 'service' in state && typeof state.service === 'string'
      ? state.service
      : undefined;
  } catch {
    // A daemon that has just ended leaves its address behind.
    return undefined;
  }
}

/**
 * Holds the ledger of a journal against amounts of the account, decimal text by currency. `whole`: the amounts are all there
 * is, so that a currency of the ledger that they leave out counts as nothing. Also says what would have to be booked, position by
 * position, and how many orders are open, since those may explain a difference.
 */
export function compareLedger(
  path: string,
  told: ReadonlyMap<string, string>,
  from: { readonly whole: boolean },
): { readonly differences: readonly Difference[]; readonly corrections: readonly BookedByPerson[]; readonly unknowns: number } {
  const journal = JournalReader.open(path);
  try {
    const totals = totalsOf(balancesOf(journal.ledger()));
    const left = from.whole ? [...totals.keys()].filter((currency) => !told.has(currency)) : [];
    const actual = [...told, ...left.map((currency) => [currency, '0'] as const)];
    const differences = actual.map(([currency, text]): Difference => {
      const ledger = totals.get(currency) ?? ZERO;
      return { currency, ledger, actual: decimalOf(text), correction: decimalOf(text).minus(ledger) };
    });
    const corrections = correctionsOf(differences, { fills: journal.fills(), ledger: journal.ledger() });
    return { differences, corrections, unknowns: journal.openOrders().length };
  } finally {
    journal.close();
  }
}
