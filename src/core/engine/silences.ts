import type { DecisionDetails } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import { isoTime, type Millis, type StrategyId } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import { isBlocked, type StrategyState, type StrategyStateName } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import { type ClockReadings, firstPlaceAt, firstReading, LOOK_MS, lastLook, NO_READINGS, type SilentSpan } from './silent-span.ts';
import type { StrategyStates } from './strategy-states.ts';

/** How long a strategy must be unable to trade, for a cause outside it, before that is reported. */
const SILENT_MS = 30_000;

/** A period in which a strategy cannot trade, whatever its causes. */
interface Span {
  readonly since: Millis;
  /** The cause at the last look, and since when that stands. */
  cause: StrategyStateName;
  causeSince: Millis;
  /** The cause that was reported last; undefined before the first. */
  told: StrategyStateName | undefined;
}

interface Change {
  readonly strategy: EngineStrategy;
  readonly state: StrategyState;
  readonly since: Millis;
}

/** What the looks of a span have found. */
interface Looked {
  readonly to: number;
  readonly nextLook: Millis;
  /** True where one found a quote that just came. */
  readonly wasFresh: boolean;
  /** Since when the lane was stale at the last one; no number where it was not. */
  readonly since: Millis;
}

const STALE: StrategyStateName = 'NO_QUOTES';

/**
 * Nothing is silent: a strategy that could not trade for 30 s, for a cause outside it, is told once with the mend, and once when it
 * can trade again. Decided at engine time and journaled, so that a replay finds the same.
 */
export class Silences {
  private readonly context: Pick<EngineContext, 'strategies' | 'log' | 'notice'>;
  private readonly states: Pick<StrategyStates, 'of'>;
  private readonly spans = new Map<StrategyId, Span>();
  /** When the end of a strategy's last period was told: the next one begins no earlier. */
  private readonly endedAt = new Map<StrategyId, Millis>();
  /** When the last event looked at the states; no number where it did not. */
  private lookedAt: Millis = Number.NaN;
  private nextLook: Millis = Number.POSITIVE_INFINITY;
  private looked: Looked | undefined;

  constructor(context: Pick<EngineContext, 'strategies' | 'log' | 'notice'>, states: Pick<StrategyStates, 'of'>) {
    this.context = context;
    this.states = states;
  }

  /** The run begins: strategies that are not ready soon are reported. */
  start(now: Millis): void {
    this.nextLook = now + LOOK_MS;
  }

  stop(): void {
    this.nextLook = Number.POSITIVE_INFINITY;
  }

  /** Call it with each event; it polls the states from time to time. */
  poll(now: Millis): void {
    this.lookedAt = now < this.nextLook ? Number.NaN : now;
    if (now < this.nextLook) return;
    this.nextLook = now + LOOK_MS;
    const told: Change[] = [];
    const over: Change[] = [];
    for (const strategy of this.context.strategies) {
      const state = this.states.of(strategy.id, now);
      const span = this.spans.get(strategy.id);
      if (!isBlocked(state)) {
        this.spans.delete(strategy.id);
        if (span?.told !== undefined) over.push({ strategy, state, since: span.since });
      } else if (this.lasts(strategy.id, state, now)) told.push({ strategy, state, since: this.spans.get(strategy.id)?.since ?? now });
    }
    this.tell(told, now);
    this.tellEnds(over, now);
  }

  /**
   * The first place at which a look, there or before it, may tell that a strategy cannot trade, or can again; the end of the span where
   * none does. Nothing but the pauses of their lanes keeps them from trading meanwhile.
   */
  lookAhead(span: SilentSpan): number {
    if (this.spans.size > 0 && !this.isPause(span)) {
      this.looked = undefined;
      return firstPlaceAt(span, this.nextLook);
    }
    this.looked = this.looks(span, this.staleSince);
    return this.looked.to;
  }

  /** When the next look tells something, if all states stay as the last event's look found them; undefined where that event brought none. */
  tellsAt(now: Millis): Millis | undefined {
    if (this.lookedAt !== now) return undefined;
    let at = Number.POSITIVE_INFINITY;
    for (const { told, cause, since, causeSince } of this.spans.values())
      if (told !== cause) at = Math.min(at, SILENT_MS + (told === undefined ? since : causeSince));
    return at;
  }

  /** Takes looks at the clock, the last of them at a time, before a state changes and before `tellsAt`. */
  passReadings(readings: ClockReadings, last: Millis): void {
    const first = firstReading(readings, this.nextLook);
    if (first <= last) this.nextLook = lastLook(readings, first, last) + LOOK_MS;
  }

  /** True where all that keeps strategies from trading is one pause of the only lane, not told yet. */
  private isPause({ waiting, lanes }: SilentSpan): boolean {
    const since = this.staleSince;
    if (lanes.length > 1 || this.spans.size !== waiting.length) return false;
    for (const [id, one] of this.spans) {
      const isWaiting = waiting.some((strategy) => strategy.id === id);
      if (!isWaiting || one.told !== undefined || one.cause !== STALE || one.since !== since) return false;
    }
    return true;
  }

  /** Takes the rows of a span that `lookAhead` let pass. */
  pass(span: SilentSpan): void {
    const looked = this.looked?.to === span.end ? this.looked : this.looks(span, this.staleSince);
    this.looked = undefined;
    this.lookedAt = Number.NaN;
    if (looked.nextLook === this.nextLook) return;
    this.nextLook = looked.nextLook;
    if (looked.wasFresh) this.spans.clear();
    const { since } = looked;
    if (Number.isNaN(since)) return;
    for (const { id } of span.waiting) {
      if (!this.spans.has(id)) this.spans.set(id, { since, cause: STALE, causeSince: since, told: undefined });
    }
  }

  /** Since when the lane is taken to be stale; no number while no strategy is kept from trading. */
  private get staleSince(): Millis {
    for (const { since } of this.spans.values()) return since;
    return Number.NaN;
  }

  /** The looks that come about in a span, up to one that tells: each finds a quote that just came, or a lane that is stale. */
  private looks(span: SilentSpan, staleSince: Millis): Looked {
    const { tape, end, lanes, readings } = span;
    const [alone] = lanes;
    if (lanes.length !== 1 || !alone) return this.freshLooks(span);
    const { staleMs, receivedAt } = alone;
    const times = tape.lanes[0]?.columns.at;
    const from = tape.lanes[0]?.from ?? 0;
    let { nextLook } = this;
    let [since, wasFresh] = [staleSince, false];
    const { everyMs, next } = readings ?? NO_READINGS;
    for (let place = 0; ; ) {
      // The first quote or look at the clock at or behind this time.
      while (place < end && (times?.[from + place] ?? 0) < nextLook) place++;
      if (place === end) break;
      const at = times?.[from + place] ?? 0;
      const first = firstReading({ next, everyMs }, nextLook);
      if (first <= at) {
        const before = place === 0 ? receivedAt : (times?.[from + place - 1] ?? 0);
        const last = lastLook({ next, everyMs }, first, at);
        if (first - before < staleMs) [since, wasFresh] = [Number.NaN, true];
        if (last - before >= staleMs && Number.isNaN(since)) since = before + staleMs;
        // What came about since the row before is played with this one.
        if (last - since >= SILENT_MS) return this.looks({ ...span, end: place }, staleSince);
        nextLook = last + LOOK_MS;
      } else {
        [since, wasFresh] = [Number.NaN, true];
        nextLook = at + LOOK_MS;
        place++;
      }
    }
    return { to: end, nextLook, wasFresh, since };
  }

  /** The looks of a span of several lanes, up to one that finds a lane stale. */
  private freshLooks({ tape, end, lanes, readings = NO_READINGS }: SilentSpan): Looked {
    const received = lanes.map(({ receivedAt }) => receivedAt);
    const isFresh = (now: Millis): boolean =>
      lanes.every(({ isTraded, staleMs }, lane) => !isTraded || now - (received[lane] ?? Number.NaN) < staleMs);
    let { nextLook } = this;
    let { next } = readings;
    const to = tape.walk(end, (lane, from, count) => {
      const times = tape.lanes[lane]?.columns.at;
      for (let row = from; row < from + count; row++) {
        const at = times?.[row] ?? 0;
        const before = nextLook;
        if (next <= at) {
          const first = firstReading({ ...readings, next }, nextLook);
          if (first <= at) {
            const last = lastLook(readings, first, at);
            // What came about since the quote before is played with this one.
            if (!isFresh(last)) return row - from;
            nextLook = last + LOOK_MS;
          }
          next = firstReading({ ...readings, next }, at + 1);
        }
        received[lane] = at;
        if (at < nextLook) continue;
        if (!isFresh(at)) {
          nextLook = before;
          return row - from;
        }
        nextLook = at + LOOK_MS;
      }
      return count;
    });
    return { to, nextLook, wasFresh: true, since: Number.NaN };
  }

  /** Since when a strategy cannot trade, once that was told; null otherwise. */
  since(strategy: StrategyId): Millis | null {
    const span = this.spans.get(strategy);
    return span?.told === undefined ? null : span.since;
  }

  /** Notes that a strategy is blocked; true when that is to be told now. */
  private lasts(id: StrategyId, { state, since }: StrategyState, now: Millis): boolean {
    const began = since !== null && since < now ? Math.max(since, this.endedAt.get(id) ?? since) : now;
    const span = this.spans.get(id) ?? { since: began, cause: state, causeSince: began, told: undefined };
    this.spans.set(id, span);
    if (span.cause !== state) {
      span.cause = state;
      span.causeSince = now;
    }
    const lasted = now - (span.told === undefined ? span.since : span.causeSince);
    if (span.told === state || lasted < SILENT_MS) return false;
    span.told = state;
    return true;
  }

  private tell(changes: readonly Change[], now: Millis): void {
    const { log, notice } = this.context;
    const lines = new Map<string, StrategyId[]>();
    for (const change of changes) {
      const { strategy, state, since } = change;
      log.defer(log.make('blocked', rowOf(change, now), { strategy: strategy.id, product: strategy.product, reason: state.reason }));
      const { why, mend } = stateWords(state);
      const line = `cannot trade since ${isoTime(since)}: ${[why, mend].filter((part) => part !== '').join('; ')}`;
      lines.set(line, [...(lines.get(line) ?? []), strategy.id]);
    }
    for (const [line, ids] of lines) notice('warn', `${ids.join(', ')} ${line}`);
  }

  private tellEnds(changes: readonly Change[], now: Millis): void {
    const { log, notice } = this.context;
    for (const change of changes) {
      const { strategy, state, since } = change;
      this.endedAt.set(strategy.id, now);
      log.defer(
        log.make('blocked', { ...rowOf(change, now), on: false }, { strategy: strategy.id, product: strategy.product, reason: null }),
      );
      notice('info', `${strategy.id} is ${state.state} again after ${durationText(now - since)}`);
    }
  }
}

function rowOf({ state: { reason: _, since: __, until, ...cause }, since }: Change, now: Millis): DecisionDetails['blocked'] {
  return { on: true, ...cause, since: isoTime(since), until: until === null ? null : isoTime(until), lastedMs: now - since };
}
