import type { Millis } from './names.ts';

/** What a schedule can do: `remote` asks the service about its own strategies, `bot` acts on this daemon. */
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

export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number];

/** What becomes of a line that was not carried out when it fell due: told of, left out in silence, or done late. */
export const MISSED_POLICIES = ['alert', 'run', 'skip'] as const;

export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** Plain JSON values by name. */
export type ActionArguments = Readonly<Record<string, unknown>>;

/** One line of the schedule: when, what, and what becomes of it when it is late. */
export interface ScheduleLine {
  readonly name: string;
  readonly cron: string;
  /** Name of the zone that `cron` is read in. */
  readonly timezone: string;
  readonly action: ScheduledAction;
  readonly arguments: ActionArguments;
  readonly missed: MissedPolicy;
  /** How late a line may still be done where `missed` says `run`. */
  readonly missedWithinMs: Millis;
  /** How long it may take. */
  readonly deadlineMs: Millis;
}

/** A line that is due: what to do, and when it should have been done. */
export interface DueLine extends Pick<ScheduleLine, 'name' | 'action' | 'arguments' | 'deadlineMs'> {
  readonly dueAt: Millis;
  /** It was not carried out when it fell due: what becomes of it now, and why. */
  readonly missed?: { readonly policy: MissedPolicy; readonly why: string };
  /** A person wants it now, whatever its time. */
  readonly by?: { readonly who: string; readonly why: string };
}

/** What earlier runs left of a line: everything that fell due up to `upTo` has been dealt with. */
export interface PastLine extends Pick<ScheduleLine, 'name' | 'cron' | 'timezone' | 'action'> {
  readonly upTo: Millis;
}

/** Actions that do harm at another time than the one that was chosen: they are never done late. */
const NEVER_LATE: ReadonlySet<ScheduledAction> = new Set<ScheduledAction>(['remote.flush', 'remote.deleteAll', 'bot.flatten']);

export const isNeverLate = (action: ScheduledAction): boolean => NEVER_LATE.has(action);

/**
 * Up to when each line has been dealt with, by name: as an earlier run left it, or from now on where the line is new or
 * falls due at other times than before.
 */
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

/** A clock that is set back by less than this makes nothing fall due twice. */
const WRONG_CLOCK_MS = 86_400_000;

/** True where a time lies so far ahead that the clock must have been wrong when it was taken: it must not keep the schedule silent. */
export const isOfWrongClock = (taken: Millis, now: Millis): boolean => taken - now > WRONG_CLOCK_MS;
