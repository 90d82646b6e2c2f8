import cron, { type ScheduledTask } from 'node-cron';
import type { DueLine } from '../domain/event.ts';
import type { Cancel, Timers } from '../ports/timers.ts';

/** One line of the schedule: when, and what. Times are those of the time zone. */
export interface CronLine {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly action: DueLine['action'];
  /** For `bot.pause` and `bot.resume`: one strategy, or null for all. */
  readonly strategy: string | null;
}

/** What is done again and again, whatever the time of day. */
export interface Repeating {
  readonly name: string;
  readonly action: DueLine['action'];
  /** From the start to the first time, and from one to the next. */
  readonly firstMs: number;
  readonly everyMs: number;
}

/** node-cron speaks through us or not at all. */
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Fires the lines of the schedule on the machine's clock. Firing decides nothing: each due line enters the inbox, where
 * it is journaled and carried out. A line that fell due while the loop stood still is fired as soon as it moves again:
 * late is better than not at all for what makes trading safer, and what resumes it ends pauses alone.
 */
export class CronSchedule {
  private readonly tasks: ScheduledTask[] = [];
  private readonly lines: readonly CronLine[];
  private readonly onDue: (line: DueLine) => void;
  private readonly repeating: readonly Repeating[];
  private readonly timers: Pick<Timers, 'after' | 'every' | 'wallMs'>;
  private readonly cancels: Cancel[] = [];

  constructor(options: {
    readonly lines: readonly CronLine[];
    readonly repeating: readonly Repeating[];
    readonly timers: Pick<Timers, 'after' | 'every' | 'wallMs'>;
    readonly onDue: (line: DueLine) => void;
  }) {
    this.lines = options.lines;
    this.repeating = options.repeating;
    this.timers = options.timers;
    this.onDue = options.onDue;
  }

  start(): void {
    cron.setLogger(SILENT);
    for (const line of this.lines) {
      const fire = (dueAt: Date) =>
        this.onDue({
          name: line.name,
          action: line.action,
          arguments: line.strategy === null ? {} : { strategy: line.strategy },
          dueAt: dueAt.getTime(),
        });
      const task = cron.schedule(line.cron, ({ date }) => fire(date), { name: line.name, timezone: line.timezone, noOverlap: true });
      task.on('execution:missed', ({ date }) => fire(date));
      this.tasks.push(task);
    }
    for (const { name, action, firstMs, everyMs } of this.repeating) {
      const fire = () => this.onDue({ name, action, arguments: {}, dueAt: this.timers.wallMs() });
      const first = this.timers.after(firstMs, () => {
        fire();
        this.cancels.push(this.timers.every(everyMs, fire));
      });
      this.cancels.push(first);
    }
  }

  async stop(): Promise<void> {
    for (const cancel of this.cancels.splice(0)) cancel();
    await Promise.all(this.tasks.splice(0).map((task) => task.destroy()));
  }
}
