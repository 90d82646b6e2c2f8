import type { DueLine } from '../domain/event.ts';
import type { Timers } from '../ports/timers.ts';
import { CronSchedule } from '../schedule/cron.ts';
import { repeatedBackups } from './backups.ts';
import type { Settings } from './config/settings.ts';

export type Schedule = CronSchedule;

/** What the configuration says is done at set times, and again and again. Started and stopped by the daemon. */
export function openSchedule(
  { schedule: lines, journal }: Pick<Settings, 'schedule' | 'journal'>,
  timers: Pick<Timers, 'after' | 'every' | 'wallMs'>,
  onDue: (line: DueLine) => void,
): Schedule {
  return new CronSchedule({ lines, repeating: repeatedBackups(journal), timers, onDue });
}
