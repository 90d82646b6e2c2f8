import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { BookedEntry, DecisionRow } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { InboxNotification } from '#domain/notification.ts';
import type { Notice } from '#ports/notice.ts';
import type { EngineContext } from './engine-context.ts';

/** The rows that a notification makes: itself, and what is booked of it. */
interface NotifiedRows {
  readonly notification: DecisionRow<'notification'>;
  readonly booked: DecisionRow<'booked'> | null;
}

/** Makes the rows of a notification; `id` is for one that is new. */
export function notifiedRows(log: Pick<DecisionLog, 'make' | 'now'>, notified: InboxNotification, id: string): NotifiedRows {
  const { type, transferId, body, status, deposit, earlier, by } = notified;
  const reason = by === null ? 'BY_WEBHOOK' : 'BY_PERSON';
  const kept = earlier ?? { id, receivedAt: isoTime(log.now) };
  const entry: BookedEntry | null = deposit && { kind: 'deposit', book: TREASURY, ...deposit };
  const { who, why } = by ?? { who: 'service', why: `${type} ${transferId}` };
  return {
    notification: log.make('notification', { ...kept, type, transferId, status, body, by }, { reason }),
    booked: entry && log.make('booked', { who, why, entries: [entry] }, { reason }),
  };
}

/** The last transfers that were booked; who looked into the journal before one of them was brings it again within seconds. */
const KEPT_TRANSFERS = 1_000;

type Needs = Pick<EngineContext, 'log' | 'monitor' | 'notice'>;

/** What no order moved: notifications of the service are journaled, the account has what they brought, and strategies hear of deposits. */
export class MoneyIn {
  private readonly context: Needs;
  private readonly host: StrategyHost;
  private readonly transfers = new Set<string>();

  constructor(context: Needs, host: StrategyHost) {
    this.context = context;
    this.host = host;
  }

  /** Movements that are journaled already. */
  booked(entries: readonly BookedEntry[]): void {
    const { log, monitor } = this.context;
    monitor.booked(entries);
    for (const { kind, currency, amount } of entries) {
      if (kind === 'deposit') this.host.deposit(Object.freeze({ at: log.now, currency, amount: decimalOf(amount).toString() }));
    }
  }

  /** A transfer is booked once, also where a person accepts it while it is delivered again. Its rows wait for the next commit, which whoever answers the service makes first, and so does whoever orders because of it. */
  notified(notified: InboxNotification): void {
    const { log, notice } = this.context;
    if (notified.status === 'booked' && !this.isFirst(notified.transferId)) return;
    const { notification, booked } = notifiedRows(log, notified, `n${log.inboxSeq}`);
    log.defer(...(booked ? [notification, booked] : [notification]));
    tell(notification.detail.id, notified, notice);
    if (booked) this.booked(booked.detail.entries);
  }

  private isFirst(transferId: string | null): boolean {
    const { transfers } = this;
    if (transferId === null) return true;
    if (transfers.has(transferId)) return false;
    transfers.add(transferId);
    for (const oldest of transfers) if (transfers.size > KEPT_TRANSFERS) transfers.delete(oldest);
    return true;
  }
}

function tell(id: string, { status, type, transferId, deposit }: InboxNotification, notice: Notice): void {
  const what = `notification ${id} (${type} ${transferId ?? 'without transfer'})`;
  const look = `kairos notifications show ${id}`;
  switch (status) {
    case 'booked':
      return notice('info', `deposit of ${deposit?.amount} ${deposit?.currency}, ${what}`);
    case 'late':
      return notice('error', `${what} is authentic but too late to be booked automatically: ${look}, then accept it`);
    case 'unreadable':
      return notice('error', `${what} cannot be read, and nothing was booked: ${look}`);
    case 'conflict':
      return notice('error', `${what} contradicts an earlier one of its transfer, and nothing was booked: ${look}`);
    case 'other_user':
    case 'unknown_type':
      return notice('info', `${what}: ${status}, kept`);
  }
}
