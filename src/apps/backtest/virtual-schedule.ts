import type { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import type { DueLine, ScheduleLine } from '#domain/schedule.ts';

/** Fires the lines of the schedule on virtual time, each at its own due time. */
export function startSchedule(lines: readonly ScheduleLine[], timers: VirtualTimers, onDue: (line: DueLine) => void): void {
  for (const { name, cron, timezone, action, arguments: given, deadlineMs } of lines) {
    const next = (): void => {
      const dueAt = nextTime(cron, timers.wallMs(), timezone);
      if (dueAt === undefined) return;
      timers.at(dueAt, () => {
        onDue({ name, action, arguments: given, deadlineMs, dueAt });
        next();
      });
    };
    next();
  }
}
