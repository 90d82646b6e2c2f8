import type { Settings } from '#config/settings.ts';
import { CronSchedule } from '#core/schedule/cron.ts';
import { type DueLine, dealtWith, type PastLine } from '#domain/schedule.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { type NewestBackup, repeatedBackups } from './backups.ts';

export type Schedule = CronSchedule;

interface ScheduleOptions {
  readonly settings: Pick<Settings, 'schedule' | 'journal'>;
  readonly newestBackup: Pick<NewestBackup, 'found'>;
  /** How far earlier runs did the lines. */
  readonly recovered: { readonly schedule: readonly PastLine[] };
  readonly timers: Pick<Timers, 'every' | 'wallMs' | 'monotonicMs'>;
  readonly notice: Notice;
}

/** The schedule and the repeated tasks of the configuration. The daemon starts and stops it. */
export function openSchedule(
  { settings, newestBackup, recovered, timers, notice }: ScheduleOptions,
  onDue: (line: DueLine) => boolean,
): Schedule {
  const { schedule: lines, journal } = settings;
  const upTo = dealtWith(lines, recovered.schedule, timers.wallMs());
  return new CronSchedule({
    lines,
    upTo,
    repeating: repeatedBackups(journal.backup, newestBackup, timers.wallMs()),
    timers,
    onDue,
    onClockSetBack: (why) => notice('error', why),
  });
}
