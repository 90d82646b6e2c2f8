import { DecisionPages } from '#adapters/journal/decision-pages.ts';
import { NotificationReader } from '#adapters/journal/notifications.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { ActionRow, NotificationRow } from '#adapters/journal/tables.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { Timers } from '#ports/timers.ts';
import type { ClosedProfit, NotificationView, PastView, RemoteActionView, ScheduleLineView } from '#server/page/past-view.ts';
import type { FeedRow } from '#server/page/target.ts';
import { decisionView, latchView } from './decision-view.ts';
import { PastTrades } from './past-trades.ts';
import { RunSoFar } from './run-so-far.ts';

const ROWS_AT_ONCE = 1_000;
/** How long reading may delay other questions. */
const MOMENT_MS = 200;
const NOTIFICATIONS = 20;
const REMOTE_ACTIONS = 30;

interface JournalBooksOptions {
  readonly path: string;
  readonly run: string;
  readonly schedule: readonly ScheduleLine[];
}

/** What the page is told of the journal of the present run, read beside the daemon that writes it. */
export class JournalBooks {
  private readonly options: JournalBooksOptions;
  private readonly reader: JournalReader;
  private readonly pages: DecisionPages;
  private readonly notifications: NotificationReader;
  private readonly soFar = new RunSoFar();
  private readonly trades: PastTrades;
  private seq: number;
  /** What `readOn` said last. */
  private isWhole = false;

  constructor(options: JournalBooksOptions) {
    this.options = options;
    this.reader = JournalReader.open(options.path);
    this.pages = DecisionPages.open(options.path);
    this.notifications = NotificationReader.open(options.path);
    this.trades = new PastTrades(this.reader);
    this.seq = this.pages.startOf(options.run);
  }

  /** The rows after one, oldest first. */
  feed(after: number, limit: number): readonly FeedRow[] {
    const rows = this.pages.after(after, limit);
    if (rows.length > 0) this.trades.readSome(() => false);
    const closedBy = (order: string | null): ClosedProfit | null => this.trades.closedBy(order);
    return rows.map((record) => ({ seq: record.seq, json: JSON.stringify(decisionView(record, closedBy)) }));
  }

  /** The last row of all. */
  end(): number {
    return this.pages.end();
  }

  /** Reads further rows of the run for a short time; false if rows are left. */
  readOn(timers: Pick<Timers, 'monotonicMs'>): boolean {
    this.isWhole = this.readFor(timers);
    return this.isWhole;
  }

  private readFor(timers: Pick<Timers, 'monotonicMs'>): boolean {
    const end = timers.monotonicMs() + MOMENT_MS;
    do {
      const rows = this.pages.after(this.seq, ROWS_AT_ONCE);
      for (const row of rows) this.soFar.add(row);
      this.seq = rows.at(-1)?.seq ?? this.seq;
      if (rows.length < ROWS_AT_ONCE) return true;
    } while (timers.monotonicMs() < end);
    return false;
  }

  /** Reads further into the past of all runs for a short time; false if something is left. */
  prepare(timers: Pick<Timers, 'monotonicMs'>): boolean {
    const end = timers.monotonicMs() + MOMENT_MS;
    return this.trades.readSome(() => timers.monotonicMs() < end);
  }

  past(now: Millis): PastView {
    const trades = this.trades.readOn();
    return {
      run: this.options.run,
      seq: this.seq,
      booked: trades.booked,
      whole: this.isWhole,
      latches: this.reader.latches().map((latch) => latchView(latch, this.pages.reasonOf(latch.kind, isoTime(latch.since)))),
      strategies: this.soFar.perStrategy(trades, now),
      closed: trades.sums(),
      roundTrips: this.soFar.roundTrips(),
      notifications: this.notifications.newest(NOTIFICATIONS, null).map(notificationView),
      schedule: this.options.schedule.map((line) => this.lineView(line, now)),
      remote: this.reader.remoteActions(REMOTE_ACTIONS).map(remoteView).reverse(),
    };
  }

  private lineView({ name, action, cron, timezone }: ScheduleLine, now: Millis): ScheduleLineView {
    const next = nextTime(cron, now, timezone);
    const last = this.reader.lastAction(name);
    return {
      name,
      action,
      cron,
      timezone,
      next: next === undefined ? null : isoTime(next),
      last: last ? { dueAt: last.due_at, askedAt: last.asked_at, status: last.status } : null,
      missed: last?.status === 'skipped' && (last.response ?? '').startsWith('missed'),
    };
  }
}

function notificationView({ id, received_at, type, transfer_id, status, body }: NotificationRow): NotificationView {
  return { id, receivedAt: received_at, type, transferId: transfer_id, status, words: `${type} ${status}${amountIn(body)}` };
}

/** The amount of a deposit, if its body can be read. */
function amountIn(body: string): string {
  const amount = /"amount"\s*:\s*"?(-?[\d.]{1,40})/.exec(body)?.[1];
  const currency = /"currency(?:Code)?"\s*:\s*"([A-Za-z0-9]{2,16})"/.exec(body)?.[1];
  return amount === undefined ? '' : `: ${amount}${currency === undefined ? '' : ` ${currency}`}`;
}

function remoteView({ action_id, name, action, arguments: given, asked_at, status, response }: ActionRow): RemoteActionView {
  return { actionId: action_id, name, action, arguments: given, askedAt: asked_at, status, response: response ?? '' };
}
