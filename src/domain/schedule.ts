import type { Millis } from './names.ts';

/** The actions of a schedule: `remote` acts on the service's own strategies, `bot` on this daemon. */
export const SCHEDULED_ACTIONS = [
  'remote.pauseAll',
  'remote.resumeAll',
  'remote.deleteAll',
  'remote.flush',
  'remote.start',
  'remote.stop',
  'remote.pause',
  'remote.schedule-opening-pause',
  'bot.halt',
  'bot.resume',
  'bot.pause',
  'bot.flatten',
  'bot.backup',
  'bot.report',
  'bot.seal',
] as const;

/** An action of the schedule, by name. */
export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number];

/** What happens to a line that was not done when it fell due: an alert, nothing, or a late run. */
export const MISSED_POLICIES = ['alert', 'run', 'skip'] as const;

/** One of these policies. */
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** True for an action whose line says by `missed: skip` that nobody needs to hear of it. */
export const isSkippedQuietly = ({ status, missed }: { readonly status: string; readonly missed?: MissedPolicy }): boolean =>
  status === 'skipped' && missed === 'skip';

/** Why a line is skipped that is to run while it runs still. */
export const STILL_RUNS = 'the one before is not done yet';

/** Plain JSON values by name. */
export type ActionArguments = Readonly<Record<string, unknown>>;

/** One line of the schedule: when, what, and the policy if it is missed. */
export interface ScheduleLine {
  readonly name: string;
  readonly cron: string;
  /** Name of the time zone of `cron`. */
  readonly timezone: string;
  readonly action: ScheduledAction;
  readonly arguments: ActionArguments;
  readonly missed: MissedPolicy;
  /** How late a line may be done if `missed` is `run`, in milliseconds. */
  readonly missedWithinMs: Millis;
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: Millis;
}

/** A line that is due: what to do, and when it should have been done. */
export interface DueLine extends Pick<ScheduleLine, 'name' | 'action' | 'arguments' | 'deadlineMs'> {
  readonly dueAt: Millis;
  /** Present if it was not done when it fell due: the policy, and why it was missed. */
  readonly missed?: { readonly policy: MissedPolicy; readonly why: string };
  /** Present if a person runs it now, whatever its time. */
  readonly by?: { readonly who: string; readonly why: string };
}

/** How far earlier runs did a line: everything due up to `upTo`. */
export interface PastLine extends Pick<ScheduleLine, 'name' | 'cron' | 'timezone' | 'action'> {
  readonly upTo: Millis;
}

/** Actions that are never done late, because they do harm at any other time than the chosen one. */
const NEVER_LATE: ReadonlySet<ScheduledAction> = new Set<ScheduledAction>(['remote.flush', 'remote.deleteAll', 'bot.flatten']);

/** True for an action that is not done after its time. */
export const isNeverLate = (action: ScheduledAction): boolean => NEVER_LATE.has(action);

/** Until when each line is done, by name: as an earlier run left it, or until now for a line that is new or has another schedule than before. */
export function dealtWith(lines: readonly ScheduleLine[], past: readonly PastLine[], now: Millis): ReadonlyMap<string, Millis> {
  const known = new Map(past.map((line) => [line.name, line]));
  return new Map(
    lines.map((line) => {
      const before = known.get(line.name);
      const same = before && before.cron === line.cron && before.timezone === line.timezone && before.action === line.action;
      return [line.name, same && !isOfWrongClock(before.upTo, now) ? before.upTo : now];
    }),
  );
}

/** A clock set back by less than this, in milliseconds, makes nothing fall due twice. */
const WRONG_CLOCK_MS = 86_400_000;

/** True for a time so far ahead that the clock must have been wrong when it was taken. It must not block the schedule. */
export const isOfWrongClock = (taken: Millis, now: Millis): boolean => taken - now > WRONG_CLOCK_MS;
