import cron, { type ScheduledTask } from 'node-cron';
import type { DueLine } from '../domain/event.ts';

/** One line of the schedule: when, and what. Times are those of the time zone. */
export interface CronLine {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly action: DueLine['action'];
  /** For `bot.pause`: one strategy, or null for all. */
  readonly strategy: string | null;
}

/** node-cron speaks through us or not at all. */
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Fires the lines of the schedule on the machine's clock. Firing decides nothing: each due line enters the inbox, where
 * it is journaled and carried out. A line that fell due while the loop stood still is fired as soon as it moves again,
 * since both actions make trading safer.
 */
export class CronSchedule {
  private readonly tasks: ScheduledTask[] = [];
  private readonly lines: readonly CronLine[];
  private readonly onDue: (line: DueLine) => void;

  constructor(lines: readonly CronLine[], onDue: (line: DueLine) => void) {
    this.lines = lines;
    this.onDue = onDue;
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
  }

  async stop(): Promise<void> {
    await Promise.all(this.tasks.splice(0).map((task) => task.destroy()));
  }
}
