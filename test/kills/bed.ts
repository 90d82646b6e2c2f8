import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Decimal } from 'decimal.js';
import { resolveOrder } from '../../src/journal/resolve.ts';
import { systemTimers } from '../../src/time/system-timers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const strategyFile = fileURLToPath(new URL('eager.ts', import.meta.url));

interface OrderRow {
  readonly order_id: string;
  readonly quote_id: string;
  readonly state: string;
}

interface Execution {
  readonly quote_id: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
}

interface Amount {
  readonly currency: string;
  readonly amount: string;
}

export interface KillReport {
  /** Orders by state at the moment of the kill. */
  readonly states: Readonly<Record<string, number>>;
  /** Orders without an outcome at the moment of the kill. */
  readonly open: number;
  /** Orders of the killed run; zero does not count as a kill. */
  readonly orders: number;
  readonly settledAs: Readonly<Record<'accepted' | 'rejected', number>>;
  /** What broke; empty when every invariant held. */
  readonly faults: readonly string[];
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One journal and one venue that outlives every daemon. The venue's own ledger is the judge: after each kill the
 * unknowns are settled from it, and then both books must agree.
 */
export class KillBed {
  private readonly folder: string;
  private readonly venueUrl: string;
  private readonly venueDatabase: string;
  private readonly config: string;

  constructor(options: { readonly folder: string; readonly venueUrl: string; readonly venueDatabase: string }) {
    const { folder, venueUrl } = options;
    this.folder = folder;
    this.venueUrl = venueUrl;
    this.venueDatabase = options.venueDatabase;
    mkdirSync(folder, { recursive: true });
    this.config = path.join(folder, 'kairos.yaml');
    const products: [string, string][] = [
      ['btcusd', '0.01'],
      ['ethusd', '0.1'],
      ['eurusd', '100'],
    ];
    const strategies = products.map(
      ([product, base]) => `  - { id: eager-${product}, use: ${strategyFile}, product: ${product}, amount: { base: ${base} } }`,
    );
    const text = `service: { baseUrl: ${venueUrl} }
strategies:
${strategies.join('\n')}
risk:
  { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxUnknown: off, minTimeLeftMs: off,
    duplicateWindowMs: off, maxLossStreak: off, maxLossStreakOfAll: off, maxRejectionStreak: off, maxDayLoss: off, maxDayValue: off, maxDrawdownPct: off }
trading: { sendMarginMs: 20 }
journal: { path: ${this.journal} }
recording: { dir: ${path.join(folder, 'recordings')} }
log: { level: error }
`;
    writeFileSync(this.config, text);
  }

  get journal(): string {
    return path.join(this.folder, 'kairos.db');
  }

  /** Starts the daemon, kills it `afterMs` after the first order of the run, settles what is unknown, and judges. */
  async killOnce(afterMs: number): Promise<KillReport> {
    const before = this.orderCount();
    const daemon = spawn(process.execPath, [path.join(root, 'bin/kairos.mjs'), 'run', '--config', this.config], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    daemon.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const exited = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
    try {
      await this.firstOrder(daemon, before);
      await wait(afterMs);
    } finally {
      daemon.kill('SIGKILL');
      await exited;
    }
    await this.venueIsDone();
    if (said !== '')
      return { states: {}, open: 0, orders: 0, settledAs: { accepted: 0, rejected: 0 }, faults: [`the daemon said: ${said}`] };
    return this.settleAndJudge(before);
  }

  /**
   * What the kernel had taken from the daemon before its end may still wait in the venue's sockets. The venue has one
   * loop: when it has answered calls that came later, it has handled those bytes.
   */
  private async venueIsDone(): Promise<void> {
    for (let call = 0; call < 3; call++) {
      const answer = await fetch(`${this.venueUrl}/mms/v2/productDetails`);
      await answer.arrayBuffer();
      await wait(20);
    }
  }

  private async firstOrder(daemon: ChildProcess, before: number): Promise<void> {
    for (let tries = 0; tries < 1500 && daemon.exitCode === null; tries++) {
      if (this.orderCount() > before) return;
      await wait(10);
    }
  }

  private orderCount(): number {
    return this.orders().length;
  }

  private orders(): readonly OrderRow[] {
    return rowsOf<OrderRow>(this.journal, 'SELECT order_id, quote_id, state FROM orders ORDER BY rowid');
  }

  private executions(): readonly Execution[] {
    return rowsOf<Execution>(this.venueDatabase, 'SELECT quote_id, price, size, value, fee FROM executions');
  }

  private settleAndJudge(before: number): KillReport {
    const rows = this.orders();
    const states: Record<string, number> = {};
    for (const { state } of rows.slice(before)) states[state] = (states[state] ?? 0) + 1;
    const open = rows.filter(({ state }) => OPEN.has(state));
    const executed = new Map(this.executions().map((execution) => [execution.quote_id, execution]));
    const settledAs = { accepted: 0, rejected: 0 };
    for (const { order_id, quote_id } of open) {
      const execution = executed.get(quote_id);
      const as = execution ? 'accepted' : 'rejected';
      settledAs[as] += 1;
      const figures = execution ? { price: execution.price, size: execution.size, value: execution.value, fee: execution.fee } : {};
      const why = "the venue's ledger says so";
      resolveOrder({ path: this.journal, orderId: order_id, as, figures, who: 'harness', why, now: systemTimers.wallMs() });
    }
    return { states, open: open.length, orders: rows.length - before, settledAs, faults: [...this.orderFaults(), ...this.moneyFaults()] };
  }

  /** I01 and I02: every order the venue saw is here, and no quote was on the wire twice. */
  private orderFaults(): string[] {
    const faults: string[] = [];
    const rows = this.orders();
    const byQuote = new Map(rows.map((row) => [row.quote_id, row]));
    const executed = new Set(this.executions().map(({ quote_id }) => quote_id));
    for (const quoteId of executed) {
      const row = byQuote.get(quoteId);
      if (!row) faults.push(`I01: the venue executed quote ${quoteId}, which has no order here`);
      else if (row.state !== 'accepted') faults.push(`the venue executed order ${row.order_id}, which is ${row.state} here`);
    }
    for (const { order_id, quote_id, state } of rows) {
      if (state === 'accepted' && !executed.has(quote_id)) faults.push(`order ${order_id} is accepted here and unknown to the venue`);
    }
    const refused = rowsOf<{ quote_id: string | null; error_code: string }>(
      this.venueDatabase,
      'SELECT quote_id, error_code FROM refusals',
    );
    const refusedIds = new Set<string>();
    for (const { quote_id, error_code } of refused) {
      if (quote_id === null || !byQuote.has(quote_id)) faults.push(`I01: the venue refused an order that is not here (${error_code})`);
      else if (executed.has(quote_id) || refusedIds.has(quote_id)) faults.push(`I02: quote ${quote_id} was sent twice (${error_code})`);
      if (quote_id !== null) refusedIds.add(quote_id);
    }
    return faults;
  }

  /** Both books agree in every currency, to the last decimal. */
  private moneyFaults(): string[] {
    const here = sumsOf(rowsOf<Amount>(this.journal, "SELECT currency, amount FROM ledger WHERE kind <> 'opening'"));
    const there = sumsOf(rowsOf<Amount>(this.venueDatabase, CHANGES));
    return [...new Set([...here.keys(), ...there.keys()])].flatMap((currency) => {
      const ledger = here.get(currency) ?? new Decimal(0);
      const venue = there.get(currency) ?? new Decimal(0);
      return ledger.eq(venue) ? [] : [`${currency}: the ledger says ${ledger}, the venue ${venue}`];
    });
  }
}

const OPEN: ReadonlySet<string> = new Set(['intent', 'sent', 'unknown']);

/** What the venue's balances of the user have changed by since it was opened. */
const CHANGES = `SELECT currency, amount FROM balances WHERE user_id = '1205'
  UNION ALL SELECT currency, '-' || amount FROM openings WHERE user_id = '1205'`;

function sumsOf(rows: readonly Amount[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { currency, amount } of rows) sums.set(currency, (sums.get(currency) ?? new Decimal(0)).plus(amount));
  return sums;
}

/** Rows of a database that another process writes; none while it, or its tables, are not there yet. */
function rowsOf<Row>(file: string, sql: string): readonly Row[] {
  let database: Database.Database;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
  } catch {
    // The first daemon has not made the journal yet.
    return [];
  }
  try {
    return database.prepare<[], Row>(sql).all();
  } catch {
    // The journal is there and its tables are not yet.
    return [];
  } finally {
    database.close();
  }
}
