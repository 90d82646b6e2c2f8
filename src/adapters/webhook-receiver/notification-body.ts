import { decimalOf } from '#domain/decimal.ts';
import { jsonIn } from '#domain/json-in.ts';
import type { InboxNotification, NotificationState } from '#domain/notification.ts';
import { isGroup } from '#domain/settings/kind.ts';

/** The user whose deposits are booked, and the brand of the field `<brand>UserId` that names him (spec 2.9). */
export interface Recipient {
  readonly brand: string;
  readonly userId: string;
}

/** The content of a notification. `status` is its state if it is in time and new. */
export interface NotificationText {
  readonly type: string;
  readonly transferId: string | null;
  readonly status: Extract<NotificationState, 'booked' | 'other_user' | 'unknown_type' | 'unreadable'>;
  readonly deposit: InboxNotification['deposit'];
  /** Equal for all notifications that say the same about a transfer, whatever their other fields; null if it names no transfer. */
  readonly meaning: string | null;
}

const DEPOSIT_CONFIRMED = 'DEPOSIT_CONFIRMED';

const MAX_TYPE = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CURRENCY = /^[A-Za-z0-9]{2,16}$/;
const AMOUNT = /^\d{1,16}(\.\d{1,18})?$/;

/**
 * Reads the body of a notification (spec 2.9). Unknown fields are ignored and unknown types are `unknown_type`, since
 * the service may add both (spec 6.1). Undefined if the text is no JSON object.
 */
export function readNotification(text: string, { brand, userId }: Recipient): NotificationText | undefined {
  const fields = objectIn(text);
  if (!fields) return undefined;
  const { notificationType, transferId: given, currency, amount } = fields;
  const type = typeof notificationType === 'string' ? notificationType.slice(0, MAX_TYPE) : '';
  const transferId = typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : null;
  const nothing = { type, transferId, deposit: null, meaning: null };
  if (type === '') return { ...nothing, status: 'unreadable' };
  if (type !== DEPOSIT_CONFIRMED) return { ...nothing, status: 'unknown_type' };
  const user = fields[`${brand}UserId`];
  if (transferId === null || typeof user !== 'string' || typeof currency !== 'string' || !CURRENCY.test(currency)) {
    return { ...nothing, status: 'unreadable' };
  }
  if (typeof amount !== 'string' || !AMOUNT.test(amount) || decimalOf(amount).isZero()) return { ...nothing, status: 'unreadable' };
  const deposit = { currency: currency.toLowerCase(), amount: decimalOf(amount).toString() };
  const meaning = JSON.stringify([transferId, user, deposit.currency, deposit.amount]);
  return user === userId
    ? { type, transferId, status: 'booked', deposit, meaning }
    : { type, transferId, status: 'other_user', deposit: null, meaning };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonIn(text);
  return isGroup(value) ? { ...value } : undefined;
}
