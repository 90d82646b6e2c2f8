import type { Settings } from '#config/settings.ts';
import { CronSchedule } from '#core/schedule/cron.ts';
import { type DueLine, dealtWith, type PastLine } from '#domain/schedule.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { repeatedBackups } from './backups.ts';

export type Schedule = CronSchedule;

interface ScheduleOptions {
  readonly settings: Pick<Settings, 'schedule' | 'journal'>;
  /** The place of the journal, by `instanceOf`. */
  readonly instance: string;
  /** How far earlier runs did the lines. */
  readonly recovered: { readonly schedule: readonly PastLine[] };
  readonly timers: Pick<Timers, 'every' | 'wallMs' | 'monotonicMs'>;
  readonly notice: Notice;
}

/** The schedule and the repeated tasks of the configuration. The daemon starts and stops it. */
export function openSchedule(
  { settings, instance, recovered, timers, notice }: ScheduleOptions,
  onDue: (line: DueLine) => boolean,
): Schedule {
  const { schedule: lines, journal } = settings;
  const upTo = dealtWith(lines, recovered.schedule, timers.wallMs());
  return new CronSchedule({
    lines,
    upTo,
    repeating: repeatedBackups({ ...journal, instance }, timers.wallMs()),
    timers,
    onDue,
    onClockSetBack: (why) => notice('error', why),
  });
}
