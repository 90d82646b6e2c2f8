import { createHash } from 'node:crypto';
import { eventLine, quoteLine } from '#adapters/recording/log-format.ts';
import { newestPast, type PastRange, type PlacedPast, type RecordedPlace } from '#adapters/recording/newest-past.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { sourcesOf } from '#core/strategy/own-past.ts';
import { paramValues } from '#core/strategy/params.ts';
import { WarmUp } from '#core/strategy/warm-up.ts';
import { durationText } from '#domain/duration-text.ts';
import type { WarmUpFeed, WarmUpRange } from '#domain/event.ts';
import type { LaneId, Millis } from '#domain/names.ts';

/** The source of recorded values, and the gap that they may have: Infinity for any, null for no warm-up. */
export interface WarmUpPlace {
  /** The newest values before now, by the lane or subscription that they came from, oldest first. */
  readonly newest: (wanted: ReadonlyMap<LaneId, PastRange>) => ReadonlyMap<string, readonly PlacedPast[]>;
  readonly maxGapMs: Millis | null;
  readonly now: Millis;
  /** Hears of recorded values that are too old, a line for each source. */
  readonly tell?: (line: string) => void;
}

/** What the last recordings of a book have of the time before now. */
export const recordedPast =
  ({ now, ...where }: RecordedPlace & { readonly now: Millis }): WarmUpPlace['newest'] =>
  (wanted) =>
    new Map([...newestPast(where, wanted)].map(([source, past]) => [source, past.filter(({ value }) => value.at < now)]));

type Pasts = ReadonlyMap<LaneId, readonly PlacedPast[]>;

/**
 * The recorded values that warm up signals at the start, for strategies with `warmup`: the newest quotes of their lanes
 * and further inputs. Only values without a gap of more than `maxGapMs` up to now count; null: no warm-up. A strategy
 * with an input without values gets none.
 */
export function warmUpFeed(strategies: readonly LoadedStrategy[], place: WarmUpPlace): WarmUpFeed | undefined {
  const needs = strategies.flatMap(({ strategy }) => {
    const { quotes, spanMs, wantsPast } = new WarmUp(strategy.definition.warmup?.(paramValues(strategy.params)));
    const own = { count: quotes, spanMs, since: Number.POSITIVE_INFINITY };
    return strategy.enabled && wantsPast ? [{ lane: strategy.lane, sources: sourcesOf(strategy), own }] : [];
  });
  const wanted = new Map<LaneId, PastRange>();
  for (const need of needs) widen(wanted, need.lane, need.own);
  const lanes = pasts(wanted, place);
  for (const { lane, sources } of needs) {
    const since = lanes.get(lane)?.[0]?.value.at;
    if (since !== undefined) for (const source of sources) widen(wanted, source, { count: 1, spanMs: 0, since });
  }
  const found = needs.some(({ sources }) => sources.size > 1) ? pasts(wanted, place) : lanes;
  const fed = new Set(needs.flatMap(({ sources }) => ([...sources].every((source) => found.has(source)) ? [...sources] : [])));
  const used = [...found].filter(([source]) => fed.has(source));
  if (used.length === 0) return undefined;
  const all = used.flatMap(([, past]) => past).sort((a, b) => a.value.at - b.value.at || a.n - b.n);
  return { ranges: used.map(([source, past]) => rangeOf(source, past, place.now)), past: all.map(({ value }) => value) };
}

function widen(wanted: Map<LaneId, PastRange>, source: LaneId, { count, spanMs, since }: PastRange): void {
  const before = wanted.get(source) ?? { count, spanMs, since };
  wanted.set(source, {
    count: Math.max(count, before.count),
    spanMs: Math.max(spanMs, before.spanMs),
    since: Math.min(since, before.since),
  });
}

function pasts(wanted: ReadonlyMap<LaneId, PastRange>, place: WarmUpPlace): Pasts {
  const { maxGapMs, now, tell } = place;
  if (maxGapMs === null) return new Map();
  const found = place.newest(wanted);
  const kept = [...wanted.keys()].map((source) => {
    const past = found.get(source) ?? [];
    const ageMs = now - (past.at(-1)?.value.at ?? now);
    if (ageMs > maxGapMs)
      tell?.(
        `${source}: what is recorded ends ${durationText(ageMs)} ago, which is more than trading.warmUpMaxGap (${durationText(maxGapMs)}): signals warm up without it`,
      );
    return [source, unbroken(past, maxGapMs, now)] as const;
  });
  return new Map(kept.filter(([, past]) => past.length > 0));
}

/** The newest values before now, back to the first longer gap. */
function unbroken(past: readonly PlacedPast[], maxGapMs: Millis, now: Millis): readonly PlacedPast[] {
  const from = past.findLastIndex(({ value }, index) => (past[index + 1]?.value.at ?? now) - value.at > maxGapMs);
  return past.slice(from + 1);
}

function rangeOf(lane: LaneId, past: readonly PlacedPast[], now: Millis): WarmUpRange {
  const hash = createHash('sha256');
  const first = past[0]?.value.at ?? now;
  let to = first;
  let gapMs = 0;
  for (const { value } of past) {
    const { at } = value;
    hash.update(
      'quote' in value
        ? quoteLine(null, at, value.quote)
        : eventLine({ n: 0, at, event: { kind: 'shown', source: value.source, shown: value.shown } }),
    );
    gapMs = Math.max(gapMs, at - to);
    to = at;
  }
  return { lane, quotes: past.length, from: first, to, gapMs: Math.max(gapMs, now - to), sha256: hash.digest('hex') };
}
