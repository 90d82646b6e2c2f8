import type { NotificationState, Notified } from '#domain/notification.ts';
import { type Delivery, readDelivery, type Verify } from './delivery.ts';
import { type NotificationText, type Recipient, readNotification } from './notification-body.ts';

/** A notification that was kept before. */
export interface Kept {
  readonly id: string;
  readonly receivedAt: string;
  readonly status: NotificationState;
  readonly body: string;
}

interface ReceiverOptions {
  readonly verify: Verify;
  readonly recipient: Recipient;
  /** How far a timestamp may be from the present, either way, in milliseconds. */
  readonly windowMs: number;
  /** The service's time as far as it is known here, in Unix milliseconds. */
  readonly now: () => number;
  /** Every notification that the journal has of a transfer. Throws where it cannot be read. */
  readonly ofTransfer: (transferId: string) => readonly Kept[];
  /** True where the journal has a notification without transfer of this very body. Throws where it cannot be read. */
  readonly hasBody: (body: string) => boolean;
  /** True once it is on the disk; false where it cannot be put there now. */
  readonly keep: (notified: Notified) => Promise<boolean>;
}

/** The answer to the service. 2xx says that it need not come again: what it brought is on the disk. */
interface Answer {
  readonly status: 204 | 400 | 401 | 503;
  readonly error: string | null;
}

const TAKEN: Answer = { status: 204, error: null };
const UNAVAILABLE: Answer = { status: 503, error: 'UNAVAILABLE' };

/** Attempts that are remembered; the oldest is forgotten, which costs the service one attempt more. */
const KEPT_ATTEMPTS = 10_000;

/**
 * Takes notifications (spec 4.6, 5.4, 6.1): authentic first, then in time, then kept, then answered. Each transfer has one
 * effect for good, however often and in whatever order it is delivered; two deliveries of one transfer never overlap.
 */
export class Receiver {
  private readonly options: ReceiverOptions;
  private readonly late = new LateAttempts();
  /** The end of what is under way, by transfer or body. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(options: ReceiverOptions) {
    this.options = options;
  }

  async receive(delivery: Delivery): Promise<Answer> {
    const { verify, recipient, windowMs, now } = this.options;
    const authentic = readDelivery(delivery, verify);
    if ('error' in authentic) return authentic;
    const { text, timestampMs, attempt } = authentic;
    const read = readNotification(text, recipient);
    if (!read) return { status: 400, error: 'BODY' };
    const inTime = Math.abs(now() - timestampMs) <= windowMs;
    return this.inTurn(read.transferId ?? text, () => this.take(read, text, inTime ? null : attempt));
  }

  /** Runs `work` once nothing else of the same transfer is under way. */
  private async inTurn(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.underWay.get(key) ?? Promise.resolve();
    // A journal that cannot be read says nothing about what it has: the service is to come again.
    const mine = before.then(work).catch(() => UNAVAILABLE);
    this.underWay.set(key, mine);
    const answer = await mine;
    if (this.underWay.get(key) === mine) this.underWay.delete(key);
    return answer;
  }

  /** `lateAttempt` names the attempt where it is outside the window. */
  private async take(read: NotificationText, body: string, lateAttempt: string | null): Promise<Answer> {
    const found = this.lookUp(read, body);
    if (found === 'kept') return TAKEN;
    if (lateAttempt !== null) {
      if (found !== null && found !== 'conflict') return TAKEN;
      if (!this.late.isRepeated(lateAttempt)) return { status: 400, error: 'LATE' };
    }
    const { type, transferId } = read;
    const status = found === 'conflict' ? 'conflict' : lateAttempt !== null && read.status === 'booked' ? 'late' : read.status;
    const deposit = status === 'booked' ? read.deposit : null;
    const earlier = found === null || found === 'conflict' ? null : found;
    return (await this.options.keep({ type, transferId, body, status, deposit, earlier, by: null })) ? TAKEN : UNAVAILABLE;
  }

  /** What the journal has of it: all, another word on the same transfer, the same kept aside as late, or nothing. */
  private lookUp(read: NotificationText, body: string): 'kept' | 'conflict' | { readonly id: string; readonly receivedAt: string } | null {
    const { ofTransfer, hasBody, recipient } = this.options;
    const { transferId, meaning } = read;
    if (transferId === null) return hasBody(body) ? 'kept' : null;
    const rows = ofTransfer(transferId);
    const said = rows.flatMap((row) => {
      const earlier = meaning === null || row.status === 'conflict' ? undefined : readNotification(row.body, recipient);
      return earlier?.meaning ? [{ row, same: earlier.meaning === meaning }] : [];
    });
    const same = said.find((one) => one.same);
    if (same) return same.row.status === 'late' ? { id: same.row.id, receivedAt: same.row.receivedAt } : 'kept';
    if (rows.some((row) => row.body === body)) return 'kept';
    return said.length > 0 ? 'conflict' : null;
  }
}

/**
 * Attempts that were authentic but outside the window. The first is refused, so that a sender that signs each attempt anew
 * comes again in time; one that comes with the same timestamp again would never be in time, and is to be kept aside (F39).
 */
class LateAttempts {
  private readonly seen = new Set<string>();

  /** True for an attempt that was refused before. */
  isRepeated(attempt: string): boolean {
    if (this.seen.has(attempt)) return true;
    this.seen.add(attempt);
    const [oldest] = this.seen;
    if (this.seen.size > KEPT_ATTEMPTS && oldest !== undefined) this.seen.delete(oldest);
    return false;
  }
}
