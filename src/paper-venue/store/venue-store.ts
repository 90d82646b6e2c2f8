import type Database from 'better-sqlite3';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { Side } from '#domain/quote.ts';
import { applyBooking, type Booking } from '#paper-venue/core/booking.ts';
import type { Execution, RefusedOrder } from './execution.ts';

interface BalanceRow {
  readonly currency: string;
  readonly amount: string;
}

/** The ids of a booking. */
interface OrderIds {
  readonly orderId: string;
  readonly quoteId: string;
  readonly userId: string;
  readonly executedAt: string;
}

type BookingResult =
  | { readonly kind: 'executed'; readonly execution: Execution }
  | { readonly kind: 'insufficient'; readonly currency: string };

const EXECUTION_COLUMNS = `order_id AS orderId, quote_id AS quoteId, user_id AS userId, side, product, price, size, value, fee,
  fee_ccy AS feeCcy, executed_at AS executedAt`;

/** Maximum number of refusals; the oldest are dropped, a thousand at a time. */
const KEPT_REFUSALS = 100_000;

/**
 * The venue's durable state: balances and executions, including used quote ids. Each booking is one transaction, durable
 * when `book` returns. Balances are always read from the file.
 */
export class VenueStore {
  private readonly db: Database.Database;
  private readonly balance: Database.Statement<[string, string], BalanceRow>;
  private readonly balancesOf: Database.Statement<[string], BalanceRow>;
  private readonly setBalance: Database.Statement<[string, string, string]>;
  private readonly insertExecution: Database.Statement<[Execution]>;
  private readonly executionsAll: Database.Statement<[], Execution>;
  private readonly executionOfQuote: Database.Statement<[string], Execution>;
  private readonly insertRefusal: Database.Statement<[RefusedOrder]>;
  private readonly dropRefusals: Database.Statement<[number | bigint, number]>;
  private readonly insertAction: Database.Statement<[string, string]>;
  private readonly bookAtomically: (booking: Booking, ids: OrderIds) => BookingResult;

  /** Credits each user's opening balances, once. */
  constructor(db: Database.Database, users: Iterable<string>, openings: Readonly<Record<string, string>>) {
    this.db = db;
    this.balance = db.prepare('SELECT currency, amount FROM balances WHERE user_id = ? AND currency = ?');
    this.balancesOf = db.prepare('SELECT currency, amount FROM balances WHERE user_id = ? ORDER BY currency');
    this.setBalance = db.prepare(
      'INSERT INTO balances (user_id, currency, amount) VALUES (?, ?, ?) ON CONFLICT (user_id, currency) DO UPDATE SET amount = excluded.amount',
    );
    this.insertExecution = db.prepare(
      `INSERT INTO executions VALUES (@orderId, @quoteId, @userId, @side, @product, @price, @size, @value, @fee, @feeCcy, @executedAt)`,
    );
    this.executionsAll = db.prepare(`SELECT ${EXECUTION_COLUMNS} FROM executions ORDER BY rowid`);
    this.executionOfQuote = db.prepare(`SELECT ${EXECUTION_COLUMNS} FROM executions WHERE quote_id = ?`);
    this.insertRefusal = db.prepare('INSERT INTO refusals VALUES (@at, @quoteId, @userId, @status, @errorCode)');
    this.dropRefusals = db.prepare('DELETE FROM refusals WHERE rowid <= ? - ?');
    this.insertAction = db.prepare('INSERT INTO actions (at, action) VALUES (?, ?)');
    const transaction = db.transaction((booking: Booking, ids: OrderIds) => this.bookNow(booking, ids));
    this.bookAtomically = (booking, ids) => transaction.immediate(booking, ids);
    db.transaction(() => this.open(users, openings)).immediate();
  }

  /** Executes a booking, or nothing if a balance does not cover it. Throws if the database cannot commit. */
  book(booking: Booking, ids: OrderIds): BookingResult {
    return this.bookAtomically(booking, ids);
  }

  balances(userId: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.balancesOf.all(userId).map(({ currency, amount }) => [currency, amount]));
  }

  executions(): readonly Execution[] {
    return this.executionsAll.all();
  }

  executionOf(quoteId: string): Execution | undefined {
    return this.executionOfQuote.get(quoteId);
  }

  refused(order: RefusedOrder): void {
    const { lastInsertRowid } = this.insertRefusal.run(order);
    if (Number(lastInsertRowid) % 1000 === 0) this.dropRefusals.run(lastInsertRowid, KEPT_REFUSALS);
  }

  /** Records a requested orchestrator action, which makes it visible from outside. */
  action(action: string, at: string): void {
    this.insertAction.run(at, action);
  }

  /** Credits a balance, from outside of trading. */
  credit(userId: string, currency: string, amount: Decimal): void {
    this.setBalance.run(userId, currency, this.balanceOf(userId, currency).plus(amount).toString());
  }

  private bookNow(booking: Booking, ids: OrderIds): BookingResult {
    const outcome = applyBooking(booking, (currency) => this.balanceOf(ids.userId, currency));
    if (outcome.kind === 'insufficient') return outcome;
    for (const { currency, amount } of outcome.after) this.setBalance.run(ids.userId, currency, amount.toString());
    const execution = executionOf(booking, ids);
    this.insertExecution.run(execution);
    return { kind: 'executed', execution };
  }

  private balanceOf(userId: string, currency: string): Decimal {
    const row = this.balance.get(userId, currency);
    return row ? decimalOf(row.amount) : ZERO;
  }

  private open(users: Iterable<string>, openings: Readonly<Record<string, string>>): void {
    const opening = this.db.prepare('INSERT INTO openings (user_id, currency, amount) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    for (const userId of users) {
      for (const [currency, amount] of Object.entries(openings)) {
        if (opening.run(userId, currency, amount).changes > 0) this.setBalance.run(userId, currency, amount);
      }
    }
  }
}

function executionOf(booking: Booking, ids: OrderIds): Execution {
  const side: Side = booking.side;
  return {
    ...ids,
    side,
    product: booking.product,
    price: booking.price.toString(),
    size: booking.size.toString(),
    value: booking.value.toString(),
    fee: booking.fee.toString(),
    feeCcy: booking.feeCcy,
  };
}
