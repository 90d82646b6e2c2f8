import type Database from 'better-sqlite3';
import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type { Decimal } from '#domain/decimal.ts';
import { isoTime } from '#domain/names.ts';
import { notifiedIn } from '#paper-venue/dialect/codes.ts';
import type { NotificationStore } from '#paper-venue/store/notification-store.ts';
import type { VenueStore } from '#paper-venue/store/venue-store.ts';
import type { Timers } from '#ports/timers.ts';
import type { Notifier } from './notifier.ts';

interface Deposit {
  readonly userId: string;
  /** In lower case, as in balances. */
  readonly currency: string;
  readonly amount: Decimal;
  /** Sending address of the transfer. */
  readonly source: string;
}

interface DepositsParts {
  readonly db: Database.Database;
  readonly store: VenueStore;
  readonly notifications: NotificationStore;
  readonly notifier: Notifier;
  readonly timers: Timers;
  readonly brand: string;
  readonly dialect: Dialect;
}

/** The result of a deposit; without a notification if the user's partner has no URL. */
interface DepositResult {
  readonly transferId: string;
  readonly notificationId: number | null;
}

/** Deposits: credits the balance and notifies the user's partner (spec 2.9, DEPOSIT_CONFIRMED). */
export class Deposits {
  private readonly parts: DepositsParts;
  private readonly insert: Database.Statement<[string, string, string, string, string, string]>;

  constructor(parts: DepositsParts) {
    this.parts = parts;
    this.insert = parts.db.prepare('INSERT INTO deposits VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** Books a deposit. Balance, deposit and notification are committed together before it returns. */
  confirm(deposit: Deposit): DepositResult {
    const { db, timers, notifier } = this.parts;
    const transferId = timers.uuid();
    const notificationId = db.transaction(() => this.write(deposit, transferId)).immediate();
    notifier.pump();
    return { transferId, notificationId };
  }

  private write({ userId, currency, amount, source }: Deposit, transferId: string): number | null {
    const { store, notifications, notifier, timers, brand, dialect } = this.parts;
    const atMs = timers.wallMs();
    const createdAt = isoTime(atMs);
    store.credit(userId, currency, amount);
    this.insert.run(transferId, createdAt, userId, currency, amount.toString(), source);
    if (!notifier.hasRecipient(userId)) return null;
    const type = 'DEPOSIT_CONFIRMED';
    const body = JSON.stringify({
      notificationType: type,
      [`${brand}UserId`]: userId,
      transferId,
      source,
      currency: notifiedIn(dialect, currency),
      amount: amount.toString(),
    });
    return notifications.add({ createdAt, userId, type, body, atMs });
  }
}
