import { durationText } from '#domain/duration-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { type DueLine, isNeverLate, type MissedPolicy, type ScheduledAction, type ScheduleLine } from '#domain/schedule.ts';
import { spanText } from '#domain/settings/spans.ts';

/** A line with the last time at which it fell due, and the first one that was not dealt with. */
export interface MissedLine {
  readonly line: ScheduleLine;
  readonly dueAt: Millis;
  readonly firstAt: Millis;
}

/** A line that is carried out within this of its time is on time: a restart or a busy moment makes nothing late. */
const ON_TIME_MS = 10_000;

/**
 * What becomes of lines that have fallen due, in the order of their times. One that is late is missed: it is done within its
 * `missedWithin` where `missed` says `run`, but not where a later one does its work or undoes it, and never where being late would do harm.
 */
export function dueLines(fallen: readonly MissedLine[], now: Millis): readonly DueLine[] {
  const lines: JudgedLine[] = [];
  // From the newest on: what becomes of a later one is known.
  for (const one of fallen.toSorted((a, b) => a.dueAt - b.dueAt).reverse()) lines.unshift({ line: one.line, due: judged(one, lines, now) });
  return lines.map(({ due }) => due);
}

interface JudgedLine {
  readonly line: ScheduleLine;
  readonly due: DueLine;
}

function judged({ line, dueAt, firstAt }: MissedLine, after: readonly JudgedLine[], now: Millis): DueLine {
  const { name, action, deadlineMs } = line;
  const due = { name, action, arguments: line.arguments, deadlineMs, dueAt };
  const before = firstAt < dueAt ? ` since ${isoTime(firstAt)}` : '';
  if (now - dueAt <= ON_TIME_MS)
    return before === '' ? due : { ...due, missed: { policy: 'run', why: `on time, and missed before${before}` } };
  const later = after.find((other) => covers(other, line));
  const since = before === '' ? '' : `, and before that${before}`;
  const late = `missed, ${durationText(now - dueAt)} late${since}`;
  const { policy, why } = later ? covered(line, later.line) : ruling(line, now - dueAt);
  return { ...due, missed: { policy, why: `${late}: ${why}` } };
}

interface Ruling {
  readonly policy: MissedPolicy;
  readonly why: string;
}

const covered = ({ missed }: ScheduleLine, later: ScheduleLine): Ruling => ({
  policy: missed === 'alert' ? 'alert' : 'skip',
  why: `${later.name} came after it`,
});

function ruling({ action, missed, missedWithinMs }: ScheduleLine, lateMs: Millis): Ruling {
  if (isNeverLate(action)) return { policy: missed === 'skip' ? 'skip' : 'alert', why: `${action} is never done late` };
  if (missed !== 'run') return { policy: missed, why: `missed: ${missed}` };
  const within = `missedWithin of ${spanText(missedWithinMs)}`;
  return lateMs <= missedWithinMs ? { policy: 'run', why: `done within ${within}` } : { policy: 'alert', why: `over its ${within}` };
}

/** Whose work a later line does or undoes, beside that of its own action: of the same strategy, or of all. */
const COVERED: Readonly<Partial<Record<ScheduledAction, readonly ScheduledAction[]>>> = {
  'remote.pauseAll': ['remote.resumeAll', 'remote.start', 'remote.pause'],
  'remote.resumeAll': ['remote.pauseAll', 'remote.pause'],
  'remote.start': ['remote.pause'],
  'remote.pause': ['remote.start'],
  // Only a stop lasts: nothing later undoes it.
  'remote.stop': ['remote.start', 'remote.pause'],
  'bot.pause': ['bot.resume'],
  'bot.resume': ['bot.pause'],
};

/** A pause of all of this daemon's leaves the pauses of single strategies, and so does its end. */
const OF_EVERY: ReadonlySet<ScheduledAction> = new Set<ScheduledAction>(['remote.pauseAll', 'remote.resumeAll']);

const RELEASES: ReadonlySet<ScheduledAction> = new Set<ScheduledAction>(['remote.resumeAll', 'remote.start', 'bot.resume']);

/** A later line undoes an earlier one whatever becomes of it, and does its work where it is itself done. */
function covers({ line: later, due }: JudgedLine, earlier: ScheduleLine): boolean {
  if (later.action !== earlier.action && COVERED[later.action]?.includes(earlier.action) !== true) return false;
  if (!OF_EVERY.has(later.action) && strategyOf(later) !== strategyOf(earlier)) return false;
  const isUndone = RELEASES.has(later.action) !== RELEASES.has(earlier.action);
  return isUndone || due.missed === undefined || due.missed.policy === 'run';
}

const strategyOf = ({ action, arguments: { strategy, strategyId } }: ScheduleLine): unknown =>
  action.startsWith('remote.') ? strategyId : strategy;
