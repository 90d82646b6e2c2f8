import { NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import type { RecoveryState } from '#adapters/journal/recovery.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import type { InboxEvent, StartFacts, WarmUpFeed } from '#domain/event.ts';
import { isLentLane } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';

/** A recorded price of a display input, or a signal from outside, at its arrival. */
export interface RecordedInput {
  readonly at: Millis;
  readonly event: Extract<InboxEvent, { kind: 'shown' | 'signal' }>;
}

/** What was recorded of inputs, in the order of the recordings. */
export function recordedInputs(
  recordings: readonly string[],
  { shown, signals }: { readonly shown: ReadonlySet<LaneId>; readonly signals: ReadonlySet<LaneId> },
): readonly RecordedInput[] {
  if (shown.size === 0 && signals.size === 0) return [];
  const found: RecordedInput[] = [];
  for (const recording of recordings) {
    for (const { at, event } of openRun(recording).events()) {
      if (event.kind === 'shown' && shown.has(event.source)) found.push({ at, event });
      if (event.kind === 'signal' && signals.has(event.source)) found.push({ at, event });
    }
  }
  return found;
}

/** A recorded condition of a run: the service's clock, the machine's lag, a lost lane connection. */
export interface RecordedCondition {
  readonly at: Millis;
  readonly event:
    | Extract<InboxEvent, { kind: 'clock' | 'condition' }>
    | { readonly kind: 'lost'; readonly lane: LaneId; readonly why: string };
}

/** The course of a run without its quotes. */
interface RecordedCourse {
  /** In order. Acquired lanes, which end with their order, are left out. */
  readonly conditions: readonly RecordedCondition[];
  /** When a person stopped it, or its last event if it crashed. */
  readonly endedAt: Millis | undefined;
}

/** The course of the first of the runs. */
export function recordedCourse([recording]: readonly string[]): RecordedCourse {
  const conditions: RecordedCondition[] = [];
  let endedAt: Millis | undefined;
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated') continue;
    const { at, event } = item.event;
    endedAt = at;
    if (event.kind === 'command' && event.command.act === 'stop') break;
    if (event.kind === 'clock' || event.kind === 'condition') conditions.push({ at, event });
    if (event.kind !== 'lane' || event.change.phase !== 'lost' || isLentLane(event.change.lane)) continue;
    conditions.push({ at, event: { kind: 'lost', lane: event.change.lane, why: event.change.why } });
  }
  return { conditions, endedAt };
}

/** The past quotes that the first of the runs was warmed up with, before its own began. */
export function recordedWarmUps([recording]: readonly string[]): readonly WarmUpFeed[] {
  const feeds: WarmUpFeed[] = [];
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated' || item.event.event.kind === 'quote') break;
    if (item.event.event.kind === 'warmup') feeds.push(item.event.event.feed);
  }
  return feeds;
}

/** How the first of the runs began. */
interface RecordedStart {
  /** Its start, from which timers of strategies count. */
  readonly at: Millis;
  /**
   * What it continued: positions, consecutive losses, kept states. Undefined for the first run of a journal. Latches and
   * requests to the service are left out, since later acts of people are not part of the played recording.
   */
  readonly recovered: RecoveryState | undefined;
}

/** Undefined if the recording lacks the start of a run. */
export function recordedStart([recording]: readonly string[]): RecordedStart | undefined {
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated' || item.event.event.kind !== 'start') continue;
    const { n, at, event } = item.event;
    return { at, recovered: n === 1 ? undefined : begunWith(event.facts, n) };
  }
  return undefined;
}

function begunWith(facts: StartFacts, n: number): RecoveryState {
  const { books = NOTHING_BEFORE.books, hands = NOTHING_BEFORE.hands, states, risk, usedQuotes } = facts;
  const { unknowns, openings, exits, works, peaks, learned, signals = NOTHING_BEFORE.signals } = facts;
  return {
    ...NOTHING_BEFORE,
    lastInboxSeq: n - 1,
    books,
    hands: [...hands],
    states,
    risk,
    usedQuotes: [...usedQuotes],
    unknowns: [...unknowns],
    openings: [...openings],
    exits: [...exits],
    works: [...works],
    peaks: [...peaks],
    learned: [...learned],
    signals,
  };
}
