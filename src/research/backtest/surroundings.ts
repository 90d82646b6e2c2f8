import type { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import type { Millis } from '#domain/names.ts';
import type { DueLine, ScheduleLine } from '#domain/schedule.ts';
import type { RecordedFeed } from '../replay/recorded-feed.ts';
import type { RecordedCondition, RecordedInput } from './recorded-events.ts';

/** What the service's clock says, which is engine time itself: known for ever. */
const READING = { offsetMs: 0, halfWidthMs: 0, ageMs: Number.NEGATIVE_INFINITY };

/**
 * Lets a backtest hear of its surroundings when the run did that it is held against. Without one the service's clock is engine
 * time, and nothing is amiss.
 */
export function surroundings(
  conditions: readonly RecordedCondition[] | undefined,
  { inbox, timers, feed }: { readonly inbox: Inbox; readonly timers: VirtualTimers; readonly feed: RecordedFeed },
): void {
  if (!conditions) inbox.post({ kind: 'clock', ...READING });
  for (const { at, event } of conditions ?? []) {
    timers.at(at, () => (event.kind === 'lost' ? feed.lose(event.lane, event.why) : inbox.post(event)));
  }
}

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

/** Gives recorded inputs their times, but for those before the start. */
export function startInputs(
  inputs: readonly RecordedInput[],
  from: Millis,
  { inbox, timers }: { readonly inbox: Inbox; readonly timers: VirtualTimers },
): void {
  for (const { at, event } of inputs) {
    if (at >= from) timers.at(at, () => (event.kind === 'shown' ? inbox.shown(event.source, event.shown) : inbox.post(event)));
  }
}
