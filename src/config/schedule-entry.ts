import { createRequire } from 'node:module';
import type NodeCron from 'node-cron';
import { nextTime } from '#core/schedule/due-times.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { remoteAskOf } from '#domain/remote.ts';
import {
  type ActionArguments,
  isNeverLate,
  MISSED_POLICIES,
  SCHEDULED_ACTIONS,
  type ScheduledAction,
  type ScheduleLine,
} from '#domain/schedule.ts';
import { choice, flag, listOf, number, optional, path, type ReportFault, type SettingKind, text } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { duration } from '#domain/settings/spans.ts';
import { strategyName } from './entries.ts';
import { record, required, withDefault } from './record.ts';
import { timezone } from './timezone-kind.ts';

/** Start of the search, far enough back for a 29th of February on any weekday. */
const FIRST_LOOK = Date.UTC(2000, 0, 1);

/** A time of every day. It is one without a look by the libraries, whose load takes a tenth of a short command. */
const DAILY = /^[1-5]?\d (?:1?\d|2[0-3]) \* \* \*$/;

/** Loaded only where there is a schedule. */
const nodeCron = (): typeof NodeCron => createRequire(import.meta.url)('node-cron');

/** Cron text that node-cron, which fires it live, and croner, which computes its times, read alike. */
export const cron: SettingKind<string> = {
  schema: { type: 'string' },
  read(value, report) {
    if (typeof value === 'string' && (DAILY.test(value) || isRead(value))) return value;
    report(
      [],
      `must be a cron expression that comes at some time, such as "0 22 * * 5" (minute hour day month weekday), not ${shown(value)}`,
    );
    return undefined;
  },
  fromText: (given) => given,
};

function isRead(expression: string): boolean {
  if (expression.length > 200 || !nodeCron().validate(expression)) return false;
  try {
    return nextTime(expression, FIRST_LOOK) !== undefined;
  } catch {
    // croner throws on text that it cannot read.
    return false;
  }
}

const time = text(/^[\dTZ:.+-]{1,40}$/, 'be a time with a zone, such as 2026-12-24T00:00:00Z');

const ARGUMENTS = {
  strategy: withDefault(optional(strategyName), null, 'for bot.pause and bot.resume: one strategy; all of them without it'),
  strategyId: withDefault(optional(text()), null, "for remote actions on one of the service's strategies: its id"),
  longPositionTargetPercentage: withDefault(
    optional(number({ min: 0, max: 100 })),
    null,
    'for remote.flush: share of a long position to keep',
  ),
  shortPositionTargetPercentage: withDefault(
    optional(number({ min: 0, max: 100 })),
    null,
    'for remote.flush: share of a short position to keep',
  ),
  for: withDefault(optional(duration), null, 'for remote.schedule-opening-pause: how long from the time of the line'),
  fromTime: withDefault(optional(time), null, 'for remote.schedule-opening-pause, instead of for'),
  toTime: withDefault(optional(time), null, 'for remote.schedule-opening-pause, instead of for'),
  dir: withDefault(optional(path), null, 'for bot.report: folder; var/reports without it'),
  confirm: withDefault(optional(flag), null, 'must be true for remote.deleteAll and remote.flush'),
};

const ARGUMENT_NAMES = [
  'strategy',
  'strategyId',
  'longPositionTargetPercentage',
  'shortPositionTargetPercentage',
  'for',
  'fromTime',
  'toTime',
  'dir',
  'confirm',
] as const satisfies readonly (keyof typeof ARGUMENTS)[];

type ArgumentName = (typeof ARGUMENT_NAMES)[number];

const LINE = {
  name: required(text(/^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/, 'be 1 to 64 letters, digits, dots, dashes or spaces'), 'a name of your choice'),
  cron: required(cron, 'when: minute hour day month weekday, optionally with seconds first'),
  timezone: withDefault(timezone, 'UTC', 'time zone of the cron line'),
  action: required(choice(SCHEDULED_ACTIONS), `what is done: ${SCHEDULED_ACTIONS.join(', ')}`),
  ...ARGUMENTS,
  missed: withDefault(optional(choice(MISSED_POLICIES)), null, 'what happens to a line that is late: alert (the default), run or skip'),
  missedWithin: withDefault(optional(duration), null, 'how late it may run if missed is run; 5m without it'),
  deadline: withDefault(optional(duration), null, 'how long it may take; 1m without it, 1h for backup, report and seal'),
};

/** The arguments of each action; those in `needs` are required. */
const TAKES: Readonly<Record<ScheduledAction, { readonly needs?: readonly ArgumentName[]; readonly may?: readonly ArgumentName[] }>> = {
  'remote.pauseAll': {},
  'remote.resumeAll': {},
  'remote.deleteAll': { needs: ['confirm'] },
  'remote.flush': { needs: ['strategyId', 'longPositionTargetPercentage', 'shortPositionTargetPercentage', 'confirm'] },
  'remote.start': { needs: ['strategyId'] },
  'remote.stop': { needs: ['strategyId'] },
  'remote.pause': { needs: ['strategyId'] },
  'remote.schedule-opening-pause': { needs: ['strategyId'], may: ['for', 'fromTime', 'toTime'] },
  'bot.halt': {},
  'bot.resume': { may: ['strategy'] },
  'bot.pause': { may: ['strategy'] },
  'bot.flatten': {},
  'bot.backup': {},
  'bot.report': { may: ['dir'] },
  'bot.seal': {},
};

const MISSED_WITHIN_MS = 300_000;
const DEADLINE_MS = 60_000;
/** Default deadline of actions that read or write whole files, in milliseconds. */
const LONG_DEADLINE_MS = 3_600_000;
const LONG: readonly ScheduledAction[] = ['bot.backup', 'bot.report', 'bot.seal'];

type EntryFields = Readonly<Record<ArgumentName, unknown>> & Pick<ScheduleLine, 'name' | 'cron' | 'timezone' | 'action'> & Lateness;

interface Lateness {
  readonly missed: ScheduleLine['missed'] | null;
  readonly missedWithin: number | null;
  readonly deadline: number | null;
}

const given: SettingKind<EntryFields> = record(LINE, { name: 'evening', cron: '0 22 * * 5', action: 'bot.pause' }, (take) => ({
  name: take(LINE.name),
  cron: take(LINE.cron),
  timezone: take(LINE.timezone),
  action: take(LINE.action),
  strategy: take(LINE.strategy),
  strategyId: take(LINE.strategyId),
  longPositionTargetPercentage: take(LINE.longPositionTargetPercentage),
  shortPositionTargetPercentage: take(LINE.shortPositionTargetPercentage),
  for: take(LINE.for),
  fromTime: take(LINE.fromTime),
  toTime: take(LINE.toTime),
  dir: take(LINE.dir),
  confirm: take(LINE.confirm),
  missed: take(LINE.missed),
  missedWithin: take(LINE.missedWithin),
  deadline: take(LINE.deadline),
}));

const line: SettingKind<ScheduleLine> = {
  schema: given.schema,
  read(value, report) {
    const read = given.read(value, report);
    if (read === undefined || !fits(read, report)) return undefined;
    const { name, cron: expression, timezone: zone, action, missed, missedWithin, deadline } = read;
    return {
      name,
      cron: expression,
      timezone: zone,
      action,
      arguments: argumentsOf(read),
      missed: missed ?? 'alert',
      missedWithinMs: missedWithin ?? MISSED_WITHIN_MS,
      deadlineMs: deadline ?? (LONG.includes(action) ? LONG_DEADLINE_MS : DEADLINE_MS),
    };
  },
};

/** The setting `schedule`. */
export const schedule: SettingKind<readonly ScheduleLine[]> = listOf(line, 1000);

/** Reports arguments that an action does not take, lacks, or that the service would refuse. */
function fits(read: EntryFields, report: ReportFault): boolean {
  const { action, missed, missedWithin } = read;
  const { needs = [], may = [] } = TAKES[action];
  const faults: [at: string, text: string][] = [];
  for (const name of ARGUMENT_NAMES) {
    if (read[name] === null && needs.includes(name)) faults.push([name, `is needed for ${action}: ${ARGUMENTS[name].doc}`]);
    if (read[name] !== null && !needs.includes(name) && !may.includes(name)) {
      faults.push([name, `has no effect: ${action} takes ${[...needs, ...may].join(', ') || 'nothing more'}`]);
    }
  }
  if (read.confirm === false) faults.push(['confirm', `must be true: ${action} cannot be undone`]);
  if (missed === 'run' && isNeverLate(action)) faults.push(['missed', `must be alert or skip: ${action} is never done late`]);
  if (missedWithin !== null && missed !== 'run') faults.push(['missedWithin', 'has no effect unless missed is run']);
  if (action === 'remote.schedule-opening-pause' && (read.for !== null) === (read.fromTime !== null || read.toTime !== null)) {
    faults.push(['for', 'give either for, or fromTime and toTime']);
  }
  if (faults.length === 0) faults.push(...refusals(read));
  for (const [at, wrong] of faults) report([at], wrong);
  return faults.length === 0;
}

/** Faults for which the request would be refused before it is sent. */
function refusals(read: EntryFields): [at: string, text: string][] {
  const { action } = read;
  if (!action.startsWith('remote.')) return [];
  const { forMs, ...rest } = argumentsOf(read);
  const times = forMs === undefined ? {} : { fromTime: '2000-01-01T00:00:00Z', toTime: '2000-01-02T00:00:00Z' };
  try {
    remoteAskOf(action.slice('remote.'.length), { ...rest, ...times });
    return [];
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return [['action', `${action}: ${messageOf(error)}`]];
  }
}

function argumentsOf(read: EntryFields): ActionArguments {
  if (read.action === 'bot.report') return { dir: read.dir ?? 'var/reports' };
  const { confirm: _confirmed, for: forMs, ...rest } = Object.fromEntries(ARGUMENT_NAMES.map((name) => [name, read[name]]));
  return Object.fromEntries(Object.entries({ ...rest, forMs }).filter(([, value]) => value !== null && value !== undefined));
}
