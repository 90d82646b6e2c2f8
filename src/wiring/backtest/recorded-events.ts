import type { StartFacts, WarmUpFeed } from '../../domain/event.ts';
import type { LaneId, Millis } from '../../domain/names.ts';
import type { ShownQuote } from '../../domain/shown-quote.ts';
import { NOTHING_BEFORE } from '../../journal/nothing-before.ts';
import type { Recovered } from '../../journal/recovery.ts';
import { openRun } from '../../recording/open-run.ts';

/** A recorded quote of an input that is only looked at. */
export interface RecordedShown {
  readonly at: Millis;
  readonly source: LaneId;
  readonly shown: ShownQuote;
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

/** The past quotes that the first of the runs was warmed up with, before its own began. */
export function recordedWarmUps([recording]: readonly string[]): readonly WarmUpFeed[] {
  const feeds: WarmUpFeed[] = [];
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated' || item.event.event.kind === 'quote') break;
    if (item.event.event.kind === 'warmup') feeds.push(item.event.event.feed);
  }
  return feeds;
}

/**
 * What the first of the runs went on with: positions, losses in a row, kept states. Undefined where it was the first of its journal.
 * What people did later is no part of a recording that is played, so its latches are left out, and so is what it had asked of the service.
 */
export function recordedBeginning([recording]: readonly string[]): Recovered | undefined {
  for (const item of recording === undefined ? [] : openRun(recording).items()) {
    if (item.kind === 'conflated' || item.event.event.kind !== 'start') continue;
    const { n, event } = item.event;
    return n === 1 ? undefined : begunWith(event.facts, n);
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
