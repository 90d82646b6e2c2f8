import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from 'decimal.js';
import { JournalReader } from '#adapters/journal/reader.ts';
import { ledgerChanges, rowsOf, venueChanges } from '../support/books.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { settleFromVenue } from '../support/settle-from-venue.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const strategyFile = fileURLToPath(new URL('eager.ts', import.meta.url));

interface OrderRow {
  readonly order_id: string;
  readonly quote_id: string;
  readonly state: string;
  readonly product: string;
  readonly side: 'buy' | 'sell';
  readonly size: string;
}

export interface KillReport {
  /** From the first order of the run to its kill. */
  readonly afterMs: number;
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
  private readonly judge: JournalJudge;

  constructor(options: { readonly folder: string; readonly venueUrl: string; readonly venueDatabase: string }) {
    const { folder, venueUrl } = options;
    this.folder = folder;
    this.venueUrl = venueUrl;
    this.venueDatabase = options.venueDatabase;
    mkdirSync(folder, { recursive: true });
    this.config = path.join(folder, 'kairos.yaml');
    this.judge = new JournalJudge(this.journal);
    const strategies = PRODUCTS.map(
      ({ product, base }) => `  - { id: eager-${product}, use: ${strategyFile}, product: ${product}, amount: { base: ${base} } }`,
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

  /** Reads the whole journal once more: its chain, and the tables that follow from its decisions. */
  verify(): readonly string[] {
    return existsSync(this.journal) ? this.judge.wholeness() : ['no daemon came as far as a journal'];
  }

  /** Starts the daemon, kills it `afterMs` after the first order of the run, settles what is unknown, and judges. */
  async killOnce(afterMs: number): Promise<KillReport> {
    const before = this.orderCount();
    const daemon = spawn(
      process.execPath,
      ['--single-threaded-gc', '--min-semi-space-size=32', path.join(root, 'bin/kairos.mjs'), 'run', '--config', this.config],
      {
        cwd: this.folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    daemon.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const exited = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
    try {
      await this.firstOrder(daemon, before);
      await wait(afterMs);
      if (daemon.exitCode !== null) said += `it ended by itself with ${daemon.exitCode}`;
    } finally {
      daemon.kill('SIGKILL');
      await exited;
    }
    await this.venueIsDone();
    if (said !== '')
      return { afterMs, states: {}, open: 0, orders: 0, settledAs: { accepted: 0, rejected: 0 }, faults: [`the daemon said: ${said}`] };
    return { afterMs, ...this.settleAndJudge(before) };
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
    for (let tries = 0; tries < 10_000 && daemon.exitCode === null; tries++) {
      if (this.orderCount() > before) return;
      await wait(10);
    }
  }

  /** Asked for many times a second: no more than the last row is read. */
  private orderCount(): number {
    return rowsOf<{ readonly count: number }>(this.journal, 'SELECT coalesce(max(rowid), 0) AS count FROM orders')[0]?.count ?? 0;
  }

  /** As every command shows them, that of an order whose row a kill has left owing as well. */
  private orders(): readonly OrderRow[] {
    const reader = JournalReader.open(this.journal);
    try {
      return reader.orders({ limit: -1 }).reverse();
    } finally {
      reader.close();
    }
  }

  private executions(): readonly { readonly quote_id: string }[] {
    return rowsOf(this.venueDatabase, 'SELECT quote_id FROM executions');
  }

  private settleAndJudge(before: number): Omit<KillReport, 'afterMs'> {
    const rows = this.orders();
    const states: Record<string, number> = {};
    for (const { state } of rows.slice(before)) states[state] = (states[state] ?? 0) + 1;
    const open = rows.filter(({ state }) => OPEN.has(state));
    const outside = this.intervalFaults(open);
    const settledAs = settleFromVenue(this.journal, this.venueDatabase);
    const faults = [...outside, ...this.judge.look(), ...this.orderFaults(), ...this.moneyFaults()];
    return { states, open: open.length, orders: rows.length - before, settledAs, faults };
  }

  /** I05: before anything is settled, what the venue holds lies between the ends that the journal allows for. */
  private intervalFaults(open: readonly OrderRow[]): string[] {
    const here = ledgerChanges(this.journal);
    const there = venueChanges(this.venueDatabase);
    return PRODUCTS.flatMap(({ product, currency }) => {
      const sizes = (side: OrderRow['side']) =>
        Decimal.sum(0, ...open.filter((order) => order.product === product && order.side === side).map(({ size }) => size));
      const known = new Decimal(here[currency] ?? 0);
      const [low, high, held] = [known.minus(sizes('sell')), known.plus(sizes('buy')), new Decimal(there[currency] ?? 0)];
      return held.gte(low) && held.lte(high) ? [] : [`I05: the venue holds ${held} ${currency}, the journal says ${low} to ${high}`];
    });
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
      else if (NEVER_LEFT.has(byQuote.get(quote_id)?.state ?? ''))
        faults.push(`I06: quote ${quote_id} reached the venue, and its order never left here`);
      else if (executed.has(quote_id) || refusedIds.has(quote_id)) faults.push(`I02: quote ${quote_id} was sent twice (${error_code})`);
      if (quote_id !== null) refusedIds.add(quote_id);
    }
    return faults;
  }

  /** Both books agree in every currency, to the last decimal. */
  private moneyFaults(): string[] {
    const here = ledgerChanges(this.journal);
    const there = venueChanges(this.venueDatabase);
    return [...new Set([...Object.keys(here), ...Object.keys(there)])].flatMap((currency) => {
      const [ledger, venue] = [here[currency] ?? '0', there[currency] ?? '0'];
      return ledger === venue ? [] : [`${currency}: the ledger says ${ledger}, the venue ${venue}`];
    });
  }
}

/** What is traded; fees are in quote currency, so that a base currency is moved by fills alone. */
const PRODUCTS = [
  { product: 'btcusd', currency: 'btc', base: '0.01' },
  { product: 'ethusd', currency: 'eth', base: '0.1' },
  { product: 'eurusd', currency: 'eur', base: '100' },
] as const;

const OPEN: ReadonlySet<string> = new Set(['intent', 'sent', 'unknown']);

const NEVER_LEFT: ReadonlySet<string> = new Set(['expired', 'not_sent']);
