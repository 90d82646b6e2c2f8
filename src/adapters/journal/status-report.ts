import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { LearnedSize } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime } from '#domain/names.ts';
import type { TimeState } from '#domain/time-state.ts';
import { balancesOf } from './balances.ts';
import { ordersByState } from './booked.ts';
import { lastClockOf } from './named-rows.ts';
import type { LedgerRow } from './paging.ts';
import type { JournalReader } from './reader.ts';
import type { OrderRow, RunRow } from './tables.ts';

/** The present state as the journal has it. Decimals are text. */
export interface StatusReport {
  readonly journal: string;
  readonly book: string | null;
  readonly running: boolean;
  /** Process id of the running daemon; null if none runs, or if it is not known. */
  readonly pid: number | null;
  /** The run that began last. */
  readonly run: Omit<RunRow, 'config_json'> | null;
  /** How well the run knew the service's time when it last began or ceased to be good enough for orders; null before. */
  readonly time: (TimeState & { readonly at: string }) | null;
  /** Until when openings wait, or waited, because the service answered 429; null if it never did. */
  readonly waitUntil: string | null;
  /** Exits that wait for a person, because they are worth more than `risk.maxExitValue`; empty where no daemon says so. */
  readonly waitingExits: readonly {
    readonly strategy: string;
    readonly product: string;
    readonly worth: string;
    readonly currency: string;
    /** What a person types to allow it. */
    readonly command: string;
  }[];
  readonly orders: Readonly<Record<string, number>>;
  /** What the fills add up to, in base currency. Flat ones are left out; fees taken in base are taken off. */
  readonly positions: readonly { readonly book: string; readonly product: string; readonly currency: string; readonly size: string }[];
  /** What each book has per currency: opening balance and all that was booked since, the fees of it, and both together. */
  readonly ledger: readonly {
    readonly book: string;
    readonly currency: string;
    readonly opening: string;
    readonly amount: string;
    readonly fees: string;
    readonly balance: string;
  }[];
  /** Rates that no lane gives, and what to write, as a running daemon says. */
  readonly rateWarnings: readonly string[];
  /** The largest size of each product that was ever quoted without a spread. */
  readonly zeroSpread: readonly LearnedSize[];
  readonly open: readonly OrderRow[];
  readonly latches: readonly Latch[];
  /**
   * Profit of all books since the day began (UTC) at present prices: an estimate, null where a price is missing; `missing` says which, and
   * `laneless` what is in it without a quote, at which price. `heldForDayLoss`: what each figure of `risk.maxDayLoss` is held against, where
   * that is something else. Null where no daemon says so.
   */
  readonly today: {
    readonly currency: string;
    readonly profit: number | null;
    readonly heldForDayLoss: readonly { readonly currency: string; readonly profit: number; readonly isResumed: boolean }[];
    readonly missing: readonly string[];
    readonly laneless: readonly string[];
  } | null;
}

/** Reads the report from a journal as it stood at one instant, also while a daemon writes it. */
export function statusReport(journal: JournalReader): StatusReport {
  return journal.snapshot(() => read(journal));
}

function read(journal: JournalReader): StatusReport {
  const holder = journal.holder();
  const run = journal.lastRun();
  const waitUntil = journal.waitUntil();
  return {
    journal: journal.path,
    book: run?.book ?? null,
    running: holder !== null,
    pid: holder?.pid ?? null,
    run: run ? withoutConfig(run) : null,
    time: run ? timeOf(journal, run.run_id) : null,
    waitUntil: waitUntil === null ? null : isoTime(waitUntil),
    waitingExits: [],
    rateWarnings: [],
    orders: Object.fromEntries(journal.named(ordersByState).map(({ state, count }) => [state, count])),
    ...sums(journal),
    zeroSpread: journal.learned(),
    open: journal.openOrders(),
    latches: journal.latches(),
    today: null,
  };
}

function timeOf(journal: JournalReader, run: string): StatusReport['time'] {
  const clock = journal.named((database) => lastClockOf(database, run));
  if (clock === undefined) return null;
  const { offsetMs, halfWidthMs } = clock.detail;
  return { at: isoTime(clock.at), reason: clock.reason, offsetMs, halfWidthMs };
}

function sums(journal: JournalReader): Pick<StatusReport, 'positions' | 'ledger'> {
  const base = journal.baseCurrencies();
  const positions = new Map<string, { book: string; product: string; currency: string; size: Decimal }>();
  const balances = balancesOf(seen(journal.ledger(), add));
  function add({ book, product, currency, amount }: LedgerRow): void {
    if (product === null || base.get(product) !== currency) return;
    const key = `${book} ${product}`;
    const held = positions.get(key);
    if (held) held.size = held.size.plus(amount);
    else positions.set(key, { book, product, currency, size: ZERO.plus(amount) });
  }
  return {
    positions: [...positions.values()].filter(({ size }) => !size.isZero()).map((row) => ({ ...row, size: row.size.toString() })),
    ledger: balances.map(({ book, currency, opening, fees, balance }) => ({
      book,
      currency,
      opening: opening.toString(),
      amount: balance.minus(opening).toString(),
      fees: fees.toString(),
      balance: balance.toString(),
    })),
  };
}

/** The same rows, each looked at on its way: a long ledger is read once and kept nowhere. */
function* seen(rows: Iterable<LedgerRow>, onRow: (row: LedgerRow) => void): Iterable<LedgerRow> {
  for (const row of rows) {
    onRow(row);
    yield row;
  }
}

function withoutConfig({ config_json, ...run }: RunRow): Omit<RunRow, 'config_json'> {
  return run;
}
