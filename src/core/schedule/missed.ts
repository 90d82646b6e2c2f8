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
 * What becomes of lines that have fallen due, in the order of their times. One that is late is missed. Of several missed
 * ones on the same target only the newest counts, since what came after would have ended the others; it is done within its
 * `missedWithin` where `missed` says `run`, and never where being late would do harm.
 */
export function dueLines(fallen: readonly MissedLine[], now: Millis): readonly DueLine[] {
  const inOrder = fallen
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) => a.dueAt - b.dueAt || a.place - b.place)
    .map((one, place) => ({ ...one, place }));
  return inOrder.map(({ line, dueAt, firstAt, place }) => {
    const { name, action, deadlineMs } = line;
    const due = { name, action, arguments: line.arguments, deadlineMs, dueAt };
    if (now - dueAt <= ON_TIME_MS) return due;
    const later = inOrder.slice(place + 1).find((other) => covers(targetOf(other.line), targetOf(line)));
    const since = firstAt < dueAt ? `, and before that since ${isoTime(firstAt)}` : '';
    const late = `missed, ${durationText(now - dueAt)} late${since}`;
    const { policy, why } = later ? { policy: 'skip' as const, why: `${later.line.name} came after it` } : ruling(line, now - dueAt);
    return { ...due, missed: { policy, why: `${late}: ${why}` } };
  });
}

function ruling({ action, missed, missedWithinMs }: ScheduleLine, lateMs: Millis): { readonly policy: MissedPolicy; readonly why: string } {
  if (isNeverLate(action)) return { policy: missed === 'skip' ? 'skip' : 'alert', why: `${action} is never done late` };
  if (missed !== 'run') return { policy: missed, why: `missed: ${missed}` };
  const within = `missedWithin of ${spanText(missedWithinMs)}`;
  return lateMs <= missedWithinMs ? { policy: 'run', why: `done within ${within}` } : { policy: 'alert', why: `over its ${within}` };
}

/** What a line acts on: lines on the same thing end what the others did. `of` null: on all of its kind. */
interface Target {
  readonly kind: string;
  readonly of: string | null;
}

function targetOf({ action, arguments: { strategy, strategyId } }: ScheduleLine): Target {
  return { kind: KINDS[action] ?? action, of: textOrNull(action.startsWith('remote.') ? strategyId : strategy) };
}

/** Actions that end what others of the same kind did; every other action is of a kind of its own. */
const KINDS: Readonly<Partial<Record<ScheduledAction, string>>> = {
  'remote.pauseAll': 'remote',
  'remote.resumeAll': 'remote',
  'remote.start': 'remote',
  'remote.stop': 'remote',
  'remote.pause': 'remote',
  'bot.pause': 'pause',
  'bot.resume': 'pause',
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const covers = (later: Target, earlier: Target): boolean => later.kind === earlier.kind && (later.of === null || later.of === earlier.of);
