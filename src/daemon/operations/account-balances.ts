import { balancesOf, totalsOf } from '#adapters/journal/balances.ts';
import { endsOf } from '#adapters/journal/booked.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { type StatusReport, statusReport } from '#adapters/journal/status-report.ts';
import { clockAhead, measuredOffset } from '#adapters/service-client/clock/measured-offset.ts';
import { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import type { Settings } from '#config/settings.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedByPerson } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { type BalanceDifference, correctionsOf } from './position-corrections.ts';
import { embeddedVenue } from './service-at-hand.ts';

/**
 * The account's balances at the service, by currency, decimal text. Throws USAGE if `service.capabilities` does not name
 * them, or for the embedded venue of a daemon that does not run; SERVICE_UNREACHABLE, SERVICE_REFUSED or
 * SERVICE_UNREADABLE for other failures.
 */
export async function accountBalances(
  settings: Settings,
  timers: Timers,
  serviceClock?: ServiceClock,
): Promise<ReadonlyMap<string, string>> {
  const { service, journal } = settings;
  if (!service.capabilities.includes('balances')) {
    const offer = 'or name balances in service.capabilities, where the service can be asked';
    throw new KairosError('USAGE', `say what the account has with --actual, such as btc=0.5,usd=9200, ${offer}`);
  }
  const baseUrl = service.baseUrl ?? (await embeddedVenue(journal.path));
  if (baseUrl === undefined) {
    throw new KairosError('USAGE', 'the paper venue runs inside the daemon: start it, or say what the account has with --actual');
  }
  const query = new BrokerQuery({ baseUrl, service, timers, serviceClock: serviceClock ?? (await clockAt(baseUrl, settings, timers)) });
  try {
    return await query.balances();
  } finally {
    await query.close();
  }
}

/** The service's time as `clock.source` has it: by the dates of a few answers, or this machine's, also where no answer is dated. */
async function clockAt(baseUrl: string, { clock, service }: Settings, timers: Timers): Promise<ServiceClock> {
  const measured = clock.source === 'date' ? await measuredOffset({ baseUrl, service, timers }) : { offsetMs: 0 };
  return clockAhead('offsetMs' in measured ? measured.offsetMs : 0, timers);
}

/** As `accountBalances`, but null if `service.capabilities` does not name them. Throws failures of the request. */
export async function askBalances(settings: Settings, timers: Timers): Promise<ReadonlyMap<string, string> | null> {
  return settings.service.capabilities.includes('balances') ? accountBalances(settings, timers) : null;
}

/**
 * Compares the ledger of a journal with the account's amounts, decimal text by currency. `whole`: the amounts are
 * complete, and a missing currency counts as zero. Also returns the corrections to book, position by position, and the
 * number of open orders, which may explain a difference.
 */
export function compareLedger(
  path: string,
  told: ReadonlyMap<string, string>,
  from: { readonly whole: boolean },
): { readonly differences: readonly BalanceDifference[]; readonly corrections: readonly BookedByPerson[]; readonly unknowns: number } {
  const journal = JournalReader.open(path);
  try {
    const totals = totalsOf(balancesOf(journal.ledger()));
    const left = from.whole ? [...totals.keys()].filter((currency) => !told.has(currency)) : [];
    const actual = [...told, ...left.map((currency) => [currency, '0'] as const)];
    const differences = actual.map(([currency, text]): BalanceDifference => {
      const ledger = totals.get(currency) ?? ZERO;
      return { currency, ledger, actual: decimalOf(text), correction: decimalOf(text).minus(ledger) };
    });
    const corrections = correctionsOf(differences, { fills: journal.fills(), ledger: journal.ledger() });
    return { differences, corrections, unknowns: journal.openOrders().length };
  } finally {
    journal.close();
  }
}

const TRIES = 3;
const AGAIN_MS = 1_000;

/**
 * Compares the ledger with the `actual` amounts, or with all that the service says. A fill in between may be in only one of them, so the
 * comparison is made again; throws ACT_REFUSED where the books do not come to rest, else as `accountBalances`.
 */
export async function compareAtRest(
  settings: Settings,
  actual: ReadonlyMap<string, string> | undefined,
  timers: Timers,
  serviceClock?: ServiceClock,
): Promise<ReturnType<typeof compareLedger>> {
  const { path } = settings.journal;
  for (let tried = 1; ; tried += 1) {
    const before = endAtRest(path);
    const told = actual ?? (await accountBalances(settings, timers, serviceClock));
    const compared = compareLedger(path, told, { whole: actual === undefined });
    if (before !== null && before === endAtRest(path)) return compared;
    if (tried === TRIES) {
      const why = 'orders are in flight, or are booked while the ledger is compared, so a difference proves nothing';
      throw new KairosError('ACT_REFUSED', `${why}: \`kairos pause\`, then try again`);
    }
    await pause(timers, AGAIN_MS);
  }
}

/** The ledger's last entry; null while a daemon has an order in flight. */
function endAtRest(path: string): number | null {
  const journal = JournalReader.open(path);
  try {
    const isInFlight = journal.openOrders().some(({ state }) => state !== 'unknown');
    return isInFlight && journal.holder() !== null ? null : journal.named(endsOf).entry;
  } finally {
    journal.close();
  }
}

/** What all books of a journal have together, by currency. */
export function ledgerTotals(path: string): ReadonlyMap<string, Decimal> {
  const journal = JournalReader.open(path);
  try {
    return totalsOf(balancesOf(journal.ledger()));
  } finally {
    journal.close();
  }
}

/** What each book holds of a product, as the journal has it. */
export function positionsHeld(path: string): StatusReport['positions'] {
  const journal = JournalReader.open(path);
  try {
    return statusReport(journal).positions;
  } finally {
    journal.close();
  }
}
