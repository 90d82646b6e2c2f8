import { answerOf } from '#adapters/journal/acts.ts';
import type { ActionRow } from '#adapters/journal/tables.ts';
import type { Settings } from '#config/settings.ts';
import { nextTime, timesBetween } from '#core/schedule/due-times.ts';
import { localTime } from '#core/schedule/local-time.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { ScheduledAction, ScheduleLine } from '#domain/schedule.ts';
import { DAY_MS } from '#domain/utc-day.ts';

/** An action in the journal. */
export interface PastAction {
  readonly dueAt: string;
  readonly askedAt: string;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly response: string | null;
}

/** A line of the schedule with its last and its next run; null: none. */
interface LineView extends ScheduleLine {
  readonly last: PastAction | null;
  readonly next: { readonly utc: string; readonly local: string } | null;
}

/** The lines in the order of the configuration. */
export function scheduleView({ schedule, journal }: Pick<Settings, 'schedule' | 'journal'>, now: Millis): readonly LineView[] {
  const rows = answerOf(journal.path, (reader) => schedule.map(({ name }) => reader.lastAction(name)));
  return schedule.map((line, n) => {
    const next = nextTime(line.cron, now, line.timezone);
    return {
      ...line,
      last: pastAction(rows?.[n]),
      next: next === undefined ? null : { utc: isoTime(next), local: localTime(next, line.timezone) },
    };
  });
}

/** The action with an id; null for none. */
export const actionOf = (path: string, id: string): PastAction | null => pastAction(answerOf(path, (reader) => reader.action(id)));

function pastAction(row: ActionRow | undefined): PastAction | null {
  if (!row) return null;
  return { dueAt: row.due_at, askedAt: row.asked_at, status: row.status, httpStatus: row.http_status, response: row.response };
}

/** One time at which a line falls due. */
interface Upcoming {
  readonly utc: string;
  /** Local time in the line's time zone. */
  readonly local: string;
  readonly timezone: string;
  readonly name: string;
  readonly action: ScheduledAction;
}

/** Maximum number of times that are shown for a line. */
const MAX_OF_A_LINE = 1000;

/** What falls due within some days, in order; `cut`: lines of which only the first times are listed. */
export function upcoming(
  schedule: readonly ScheduleLine[],
  now: Millis,
  days: number,
): { readonly times: readonly Upcoming[]; readonly cut: readonly string[] } {
  const end = now + days * DAY_MS;
  const all = schedule.map((line) => ({ line, times: timesBetween(line, now, end, MAX_OF_A_LINE) }));
  const times = all
    .flatMap(({ line, times: of }) => of.map((at) => ({ at, line })))
    .sort((a, b) => a.at - b.at)
    .map(({ at, line: { name, action, timezone } }) => ({ utc: isoTime(at), local: localTime(at, timezone), timezone, name, action }));
  return { times, cut: all.filter(({ times: of }) => of.length === MAX_OF_A_LINE).map(({ line }) => line.name) };
}
