import type Database from 'better-sqlite3';
import { CHAIN_START, type ChainEnd, type DecisionRecord } from './chain.ts';
import type { ActionRow, Change, LedgerEntry, NotificationRow, OrderRow } from './projection.ts';

/** A row of `runs`. */
export interface RunRow {
  readonly run_id: string;
  readonly book: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly mode: string;
  readonly version: string;
  readonly config_hash: string;
  readonly config_json: string;
  readonly end_state: string | null;
}

type Cell = string | number | null;

/**
 * The writer's statements, prepared once. Call them inside a transaction. Those of orders and notifications bind by place:
 * looking up each column by its name costs as much again as the insert.
 */
export class Tables {
  private readonly lastDecision;
  private readonly insertDecision;
  private readonly findOrder;
  private readonly findClaimant;
  private readonly findWatermark;
  private readonly moveWatermark;
  private readonly insertOrder;
  private readonly updateOrder;
  private readonly insertEntry;
  private readonly upsertAction;
  private readonly upsertNotification;
  private readonly insertRun;
  private readonly endRun;
  private readonly endCrashed;

  constructor(database: Database.Database) {
    this.lastDecision = database.prepare<[], ChainEnd>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1');
    this.insertDecision = database.prepare<Cell[]>(
      `INSERT INTO decisions (seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.findOrder = database.prepare<[string], OrderRow>('SELECT * FROM orders WHERE order_id = ?');
    this.findClaimant = database.prepare<[string, string], OrderRow>('SELECT * FROM orders WHERE order_id = ? OR quote_id = ?');
    this.findWatermark = database.prepare<[], number>("SELECT seq FROM watermarks WHERE name = 'orders'").pluck();
    this.moveWatermark = database.prepare<[number]>("UPDATE watermarks SET seq = ? WHERE name = 'orders'");
    this.insertOrder = database.prepare<Cell[]>(
      `INSERT INTO orders (order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until,
         price, size, value, fee, fee_ccy, response)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.updateOrder = database.prepare<Cell[]>(
      `UPDATE orders SET state = ?, sent_at = ?, settled_at = ?, price = ?, size = ?, value = ?, fee = ?, fee_ccy = ?, response = ?
       WHERE order_id = ?`,
    );
    this.insertEntry = database.prepare<Cell[]>(
      'INSERT INTO ledger (run_id, at, book, product, kind, currency, amount, order_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.upsertAction = database.prepare<[ActionRow]>(
      `INSERT INTO actions (action_id, run_id, name, action, arguments, due_at, asked_at, status, http_status, response)
       VALUES (@action_id, @run_id, @name, @action, @arguments, @due_at, @asked_at, @status, @http_status, @response)
       ON CONFLICT (action_id) DO UPDATE SET run_id = @run_id, name = @name, action = @action, arguments = @arguments, due_at = @due_at,
         asked_at = @asked_at, status = @status, http_status = @http_status, response = @response`,
    );
    this.upsertNotification = database.prepare<Cell[]>(
      `INSERT INTO notifications (id, received_at, type, transfer_id, status, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET received_at = excluded.received_at, type = excluded.type, transfer_id = excluded.transfer_id,
         status = excluded.status, body = excluded.body`,
    );
    this.insertRun = database.prepare<[RunRow]>(
      `INSERT INTO runs (run_id, book, started_at, ended_at, mode, version, config_hash, config_json, end_state)
       VALUES (@run_id, @book, @started_at, @ended_at, @mode, @version, @config_hash, @config_json, @end_state)`,
    );
    this.endRun = database.prepare<[{ run: string; at: string; state: string }]>(
      'UPDATE runs SET ended_at = @at, end_state = @state WHERE run_id = @run AND ended_at IS NULL',
    );
    this.endCrashed = database.prepare<[]>(
      `UPDATE runs SET end_state = 'crashed', ended_at = coalesce(
         (SELECT at FROM decisions WHERE decisions.run_id = runs.run_id ORDER BY seq DESC LIMIT 1), started_at)
       WHERE ended_at IS NULL`,
    );
  }

  /** The last row of `decisions`, which the next one follows. */
  end(): ChainEnd {
    return this.lastDecision.get() ?? CHAIN_START;
  }

  order(id: string): OrderRow | undefined {
    return this.findOrder.get(id);
  }

  /** The order that has this id or uses this quote. */
  claimant(id: string, quoteId: string): OrderRow | undefined {
    return this.findClaimant.get(id, quoteId);
  }

  /** The decision up to which `orders` has every row. */
  watermark(): number {
    return this.findWatermark.get() ?? 0;
  }

  setWatermark(seq: number): void {
    this.moveWatermark.run(seq);
  }

  addDecision(record: DecisionRecord): void {
    const { seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash } = record;
    this.insertDecision.run(seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash);
  }

  apply(change: Change): void {
    switch (change.table) {
      case 'orders':
        if (change.how === 'insert') this.addOrder(change.row);
        else this.changeOrder(change.row);
        return;
      case 'ledger':
        this.addEntry(change.row);
        return;
      case 'actions':
        this.upsertAction.run(change.row);
        return;
      case 'notifications':
        this.setNotification(change.row);
        return;
    }
  }

  private addOrder(row: OrderRow): void {
    const { order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until } = row;
    const { price, size, value, fee, fee_ccy, response } = row;
    const about = [order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until];
    this.insertOrder.run(...about, price, size, value, fee, fee_ccy, response);
  }

  private changeOrder(row: OrderRow): void {
    const { state, sent_at, settled_at, price, size, value, fee, fee_ccy, response, order_id } = row;
    this.updateOrder.run(state, sent_at, settled_at, price, size, value, fee, fee_ccy, response, order_id);
  }

  private addEntry({ run_id, at, book, product, kind, currency, amount, order_id }: LedgerEntry): void {
    this.insertEntry.run(run_id, at, book, product, kind, currency, amount, order_id);
  }

  private setNotification({ id, received_at, type, transfer_id, status, body }: NotificationRow): void {
    this.upsertNotification.run(id, received_at, type, transfer_id, status, body);
  }

  /** Starts a run. Runs without an end get the time of their last decision as their end. */
  addRun(row: RunRow): void {
    this.endCrashed.run();
    this.insertRun.run(row);
  }

  /** Writes the end of a run, unless it has one. */
  closeRun(run: string, at: string, state: string): void {
    this.endRun.run({ run, at, state });
  }
}
