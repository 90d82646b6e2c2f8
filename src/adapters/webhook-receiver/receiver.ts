import type { InboxNotification, NotificationState } from '#domain/notification.ts';
import { type Delivery, readDelivery, type Verify } from './delivery.ts';
import { type NotificationText, type Recipient, readNotification } from './notification-body.ts';

/** A notification that was kept before. */
export interface StoredNotification {
  readonly id: string;
  readonly receivedAt: string;
  readonly status: NotificationState;
  readonly body: string;
}

interface ReceiverOptions {
  readonly verify: Verify;
  readonly recipient: Recipient;
  /** Maximum distance of a timestamp from the present, in either direction, in milliseconds. */
  readonly windowMs: number;
  /** The estimated time of the service, in Unix milliseconds. */
  readonly now: () => number;
  /** Every journaled notification of a transfer. Throws if the journal cannot be read. */
  readonly ofTransfer: (transferId: string) => readonly StoredNotification[];
  /** True if the journal has a notification without a transfer and with this exact body. Throws if it cannot be read. */
  readonly hasBody: (body: string) => boolean;
  /** Resolves to true once it is on the disk; false if it cannot be written now. */
  readonly keep: (notified: InboxNotification) => Promise<boolean>;
}

/** The answer to the service. 2xx means that the notification is on the disk and need not be sent again. */
interface Answer {
  readonly status: 204 | 400 | 401 | 503;
  readonly error: string | null;
}

const TAKEN: Answer = { status: 204, error: null };
const UNAVAILABLE: Answer = { status: 503, error: 'UNAVAILABLE' };

/** Maximum number of attempts that are remembered. Forgetting the oldest costs the service one more attempt. */
const KEPT_ATTEMPTS = 10_000;

/**
 * Receives notifications (spec 4.6, 5.4, 6.1): checks the signature, then the time, keeps them, then answers. Each
 * transfer takes effect once, however often and in whatever order it is delivered; two deliveries of one transfer never
 * overlap.
 */
export class Receiver {
  private readonly options: ReceiverOptions;
  private readonly late = new LateAttempts();
  /** The pending delivery of each transfer or body. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(options: ReceiverOptions) {
    this.options = options;
  }

  async receive(delivery: Delivery): Promise<Answer> {
    const { verify, recipient, windowMs, now } = this.options;
    const authentic = readDelivery(delivery, verify);
    if ('error' in authentic) return authentic;
    const { text, timestampMs } = authentic;
    const read = readNotification(text, recipient);
    if (!read) return { status: 400, error: 'BODY' };
    const inTime = Math.abs(now() - timestampMs) <= windowMs;
    const key = read.transferId ?? text;
    return this.inTurn(key, () => this.store(read, text, inTime ? null : key));
  }

  /** Runs `work` after all earlier deliveries of the same transfer. */
  private async inTurn(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.underWay.get(key) ?? Promise.resolve();
    // If the journal cannot be read, the service has to send again.
    const mine = before.then(work).catch(() => UNAVAILABLE);
    this.underWay.set(key, mine);
    const answer = await mine;
    if (this.underWay.get(key) === mine) this.underWay.delete(key);
    return answer;
  }

  /** `late` names the transfer or body of an attempt outside the window. */
  private async store(read: NotificationText, body: string, late: string | null): Promise<Answer> {
    const found = this.lookUp(read, body);
    if (found === 'kept') return TAKEN;
    if (late !== null) {
      if (found !== null && found !== 'conflict') return TAKEN;
      if (!this.late.isRepeated(late)) return { status: 400, error: 'LATE' };
    }
    const { type, transferId } = read;
    const status = found === 'conflict' ? 'conflict' : late !== null && read.status === 'booked' ? 'late' : read.status;
    const deposit = status === 'booked' ? read.deposit : null;
    const earlier = found === null || found === 'conflict' ? null : found;
    return (await this.options.keep({ type, transferId, body, status, deposit, earlier, by: null })) ? TAKEN : UNAVAILABLE;
  }

  /** What the journal has: the same, a different notification of the same transfer, the same marked late, or nothing. */
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
 * What was refused for its time. The first attempt is refused, since most senders sign the next one anew and in time.
 * Where that is outside the window too, as with a wrong clock, the notification is kept as late (F39).
 */
class LateAttempts {
  private readonly seen = new Set<string>();

  /** True if an attempt of the same transfer or body was refused before. */
  isRepeated(key: string): boolean {
    if (this.seen.has(key)) return true;
    this.seen.add(key);
    const [oldest] = this.seen;
    if (this.seen.size > KEPT_ATTEMPTS && oldest !== undefined) this.seen.delete(oldest);
    return false;
  }
}
