import { createHash } from 'node:crypto';
import { eventLine, quoteLine } from '#adapters/recording/log-format.ts';
import { newestPast, type PlacedPast, type WantedPast } from '#adapters/recording/newest-past.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { sourcesOf } from '#core/strategy/own-past.ts';
import { paramValues } from '#core/strategy/params.ts';
import { WarmUp } from '#core/strategy/warm-up.ts';
import type { WarmUpFeed, WarmUpRange } from '#domain/event.ts';
import type { LaneId, Millis } from '#domain/names.ts';

/** The source of recorded quotes, and the gap that they may have. */
export interface WarmUpPlace {
  readonly dir: string;
  readonly book: string;
  readonly maxGapMs: Millis | null;
  readonly now: Millis;
}

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
  const wanted = new Map<LaneId, WantedPast>();
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

function widen(wanted: Map<LaneId, WantedPast>, source: LaneId, { count, spanMs, since }: WantedPast): void {
  const before = wanted.get(source) ?? { count, spanMs, since };
  wanted.set(source, {
    count: Math.max(count, before.count),
    spanMs: Math.max(spanMs, before.spanMs),
    since: Math.min(since, before.since),
  });
}

function pasts(wanted: ReadonlyMap<LaneId, WantedPast>, place: WarmUpPlace): Pasts {
  const { maxGapMs } = place;
  const found = newestPast(place, maxGapMs === null ? new Map() : wanted);
  const kept = [...wanted.keys()].map((source) => [source, unbroken(found.get(source) ?? [], maxGapMs ?? 0, place.now)] as const);
  return new Map(kept.filter(([, past]) => past.length > 0));
}

/** The newest values before now, back to the first longer gap. */
function unbroken(recorded: readonly PlacedPast[], maxGapMs: Millis, now: Millis): readonly PlacedPast[] {
  const past = recorded.filter(({ value }) => value.at < now);
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
