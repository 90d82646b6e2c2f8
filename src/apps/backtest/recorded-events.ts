import { NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import type { Recovered } from '#adapters/journal/recovery.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import type { InboxEvent, StartFacts, WarmUpFeed } from '#domain/event.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { LaneId, Millis } from '#domain/names.ts';

/** A recorded quote of an input that is only looked at. */
export interface RecordedShown {
  readonly at: Millis;
  readonly source: LaneId;
  readonly shown: IndicativeQuote;
}

/** What was recorded of some inputs that are only looked at, in the order of the recordings. */
export function recordedShown(recordings: readonly string[], wanted: ReadonlySet<LaneId>): readonly RecordedShown[] {
  if (wanted.size === 0) return [];
  const found: RecordedShown[] = [];
  for (const recording of recordings) {
    for (const item of openRun(recording).items()) {
      if (item.kind === 'conflated' || item.event.event.kind !== 'shown') continue;
      const { source, shown } = item.event.event;
      if (wanted.has(source)) found.push({ at: item.event.at, source, shown });
    }
  }
  return found;
}

/** What a run was told of its own surroundings: the service's clock, this machine, a lane's connection that was lost. */
export interface RecordedCondition {
  readonly at: Millis;
  readonly event:
    | Extract<InboxEvent, { kind: 'clock' | 'condition' }>
    | { readonly kind: 'lost'; readonly lane: LaneId; readonly why: string };
}

/** What became of a run but its quotes. */
interface RecordedCourse {
  /** In their order. Lanes that were lent end with their order and are left out. */
  readonly conditions: readonly RecordedCondition[];
  /** When a person stopped it, or its last event where it crashed. */
  readonly endedAt: Millis | undefined;
}

/** How the first of the runs went on. */
export function recordedCourse([recording]: readonly string[]): RecordedCourse {
  const conditions: RecordedCondition[] = [];
  let endedAt: Millis | undefined;
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated') continue;
    const { at, event } = item.event;
    endedAt = at;
    if (event.kind === 'command' && event.command.act === 'stop') break;
    if (event.kind === 'clock' || event.kind === 'condition') conditions.push({ at, event });
    if (event.kind !== 'lane' || event.change.phase !== 'lost' || event.change.lane.includes('#')) continue;
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
  /** When: the timers of its strategies count from there. */
  readonly at: Millis;
  /**
   * What it went on with: positions, losses in a row, kept states. Undefined where it was the first of its journal. What people did
   * later is no part of a recording that is played, so its latches are left out, and so is what it had asked of the service.
   */
  readonly recovered: Recovered | undefined;
}

/** Undefined where the recording does not hold the start of a run. */
export function recordedStart([recording]: readonly string[]): RecordedStart | undefined {
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated' || item.event.event.kind !== 'start') continue;
    const { n, at, event } = item.event;
    return { at, recovered: n === 1 ? undefined : begunWith(event.facts, n) };
  }
  return undefined;
}

function begunWith(facts: StartFacts, n: number): Recovered {
  const { books = NOTHING_BEFORE.books, hands = NOTHING_BEFORE.hands, states, risk, usedQuotes } = facts;
  const { unknowns, openings, exits, works, peaks, learned } = facts;
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
  };
}
