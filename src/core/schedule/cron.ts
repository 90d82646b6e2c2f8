import cron, { type ScheduledTask } from 'node-cron';
import { isoTime, type Millis } from '#domain/names.ts';
import { type DueLine, isOfWrongClock, type ScheduleLine } from '#domain/schedule.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { lastTime, nextTime } from './due-times.ts';
import { dueLines, type MissedLine } from './missed.ts';

/** What is done again and again, whatever the time of day. */
export interface RepeatingTask {
  readonly name: string;
  readonly action: DueLine['action'];
  readonly deadlineMs: Millis;
  /** From the start to the first time, as far as it is known yet. */
  readonly firstMs: () => number;
  /** From one time to the next. */
  readonly everyMs: number;
}

interface CronScheduleOptions {
  readonly lines: readonly ScheduleLine[];
  /** Up to when each line has been dealt with, by name. */
  readonly upTo: ReadonlyMap<string, Millis>;
  readonly repeating: readonly RepeatingTask[];
  readonly timers: Pick<Timers, 'every' | 'wallMs' | 'monotonicMs'>;
  /** False if it cannot be taken now: it stays due, and is missed where that lasts. */
  readonly onDue: (line: DueLine) => boolean;
  /** Told when the clock was set back so far that a line would have waited for days. */
  readonly onClockSetBack: (why: string) => void;
}

/** A line with what has been dealt with of it. */
interface LineProgress {
  readonly line: ScheduleLine;
  upTo: Millis;
  next: Millis;
}

/** node-cron speaks through us or not at all. */
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/** What node-cron leaves out is found within this: times that a change of the clocks moves, a sleep, a clock that was set. */
const LOOK_MS = 1000;

/**
 * Fires the lines of the schedule on the machine's clock. node-cron wakes it; which times are due, only `due-times.ts`
 * says, so that each of them comes once, live as in a backtest, whatever becomes of the clock. Firing decides nothing: each
 * due line enters the inbox, where it is journaled and carried out.
 */
export class CronSchedule {
  private readonly options: CronScheduleOptions;
  private readonly kept: readonly LineProgress[];
  /** The time of the next of each repeating task that was begun, and of the start, by the clock that nobody sets. */
  private readonly repeated = new Map<RepeatingTask, number>();
  private startedMs = 0;
  private readonly tasks: ScheduledTask[] = [];
  private stopLooking: Cancel = () => {};

  constructor(options: CronScheduleOptions) {
    this.options = options;
    const now = options.timers.wallMs();
    this.kept = options.lines.map((line) => keptFrom(line, options.upTo.get(line.name) ?? now));
  }

  /** Starts, first with what fell due while nobody looked. */
  start(): void {
    const { lines, repeating, timers } = this.options;
    cron.setLogger(SILENT);
    this.startedMs = timers.monotonicMs();
    this.poll();
    for (const { name, cron: expression, timezone } of lines) {
      const task = cron.schedule(expression, () => this.poll(), { name, timezone, suppressMissedWarning: true });
      this.tasks.push(task);
    }
    if (lines.length + repeating.length > 0) this.stopLooking = timers.every(LOOK_MS, () => this.poll());
  }

  /** The line that falls due next, and when; undefined where none does. */
  get next(): { readonly name: string; readonly at: Millis } | undefined {
    const [first] = this.kept.toSorted((a, b) => a.next - b.next);
    return first && { name: first.line.name, at: first.next };
  }

  async stop(): Promise<void> {
    this.stopLooking();
    await Promise.all(this.tasks.splice(0).map((task) => task.destroy()));
  }

  private poll(): void {
    const { repeating, timers, onDue } = this.options;
    const now = timers.wallMs();
    const fallen = new Map<string, MissedLine & { readonly kept: LineProgress }>();
    for (const kept of this.kept) {
      if (isOfWrongClock(kept.upTo, now)) this.begin(kept, now);
      if (kept.next > now) continue;
      const dueAt = lastTime(kept.line, kept.upTo, now) ?? kept.next;
      fallen.set(kept.line.name, { line: kept.line, dueAt, firstAt: kept.next, kept });
    }
    for (const due of dueLines([...fallen.values()], now)) {
      if (!onDue(due)) return;
      const { kept } = fallen.get(due.name) ?? {};
      if (kept) Object.assign(kept, keptFrom(kept.line, due.dueAt));
    }
    for (const task of repeating) {
      const { name, action, deadlineMs, firstMs, everyMs } = task;
      const at = this.repeated.get(task) ?? this.startedMs + firstMs();
      if (at > timers.monotonicMs() || !onDue({ name, action, arguments: {}, deadlineMs, dueAt: now })) continue;
      this.repeated.set(task, timers.monotonicMs() + everyMs);
    }
  }

  private begin(kept: LineProgress, now: Millis): void {
    this.options.onClockSetBack(
      `schedule ${kept.line.name}: was done up to ${isoTime(kept.upTo)}, and the clock says ${isoTime(now)}: the schedule starts again from now`,
    );
    Object.assign(kept, keptFrom(kept.line, now));
  }
}

function keptFrom(line: ScheduleLine, upTo: Millis): LineProgress {
  return { line, upTo, next: nextTime(line.cron, upTo, line.timezone) ?? Number.POSITIVE_INFINITY };
}
