import { EngineScheduler } from '#core/engine/scheduler.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import { StrategyHost } from '#core/strategy/host.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { sourcesOf } from '#core/strategy/own-past.ts';
import { paramValues } from '#core/strategy/params.ts';
import { WarmUp } from '#core/strategy/warm-up.ts';
import { figureAt } from '#domain/figure-at.ts';
import { firstAt } from '#domain/first-where.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';
import type { SignalPoint } from '#server/page/history-view.ts';

/** More quotes are not played for a chart. */
const MAX_QUOTES = 1_000_000;
/** Values that are kept, one a second at most; with more the play begins anew. */
const MAX_KEPT = 200_000;
const KEPT_MS = 1_000;

/** What a strategy had named at a time. */
interface NamedValues {
  readonly at: Millis;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Signals that live through recorded quotes, each at its own time. Nothing is decided, and no more is played than has come since. */
export class SilentPlay {
  readonly instance: StrategyInstance;
  /** Length of a warm-up that is a time. */
  readonly warmUpMs: Millis;
  private readonly lanes: ReadonlySet<LaneId>;
  private readonly maxGapMs: Millis;
  private playing: Playing | undefined;

  /** After a gap of more than `maxGapMs` the signals begin anew, as they do when a run starts. */
  constructor(instance: StrategyInstance, maxGapMs: Millis) {
    this.instance = instance;
    this.maxGapMs = maxGapMs;
    this.warmUpMs = new WarmUp(instance.definition.warmup?.(paramValues(instance.params))).spanMs;
    this.lanes = sourcesOf(instance);
  }

  /** Plays quotes that began to come at `from`, or what has come of them since; none where they are too many. */
  playOn(columns: readonly QuoteColumns[], from: Millis): void {
    const own = columns.filter(({ lane }) => this.lanes.has(lane));
    // More may come at the time of the last one.
    const upTo = Math.max(...own.map(({ at, length }) => at[length - 1] ?? 0));
    const { instance, maxGapMs } = this;
    const old = this.playing && this.playing.from <= from && this.playing.kept.length < MAX_KEPT ? this.playing : undefined;
    const playing = old ?? new Playing({ instance, maxGapMs, from });
    const count = own.reduce((sum, { at }) => sum + firstAt(at, upTo) - firstAt(at, playing.upTo), 0);
    this.playing = count > MAX_QUOTES ? undefined : playing;
    this.playing?.to(upTo, own);
  }

  /** By name, the last value in each bar. */
  lines({ from, to, stepMs }: { readonly from: Millis; readonly to: Millis; readonly stepMs: Millis }): ReadonlyMap<string, SignalPoint[]> {
    const lines = new Map<string, SignalPoint[]>();
    for (const { at, values } of this.playing?.kept ?? []) {
      if (at < from || at >= to) continue;
      for (const [name, value] of Object.entries(values)) {
        if (typeof value !== 'number' || !Number.isFinite(value)) continue;
        const line = lines.get(name) ?? [];
        lines.set(name, line);
        const last = line.at(-1);
        if (last && Math.floor(last.at / stepMs) === Math.floor(at / stepMs)) line.pop();
        line.push({ at, value });
      }
    }
    return lines;
  }
}

/** Signals under way: begun at a time, with what they named since they were warm. */
class Playing {
  readonly from: Millis;
  readonly kept: NamedValues[] = [];
  upTo: Millis;
  private readonly host: StrategyHost;
  private readonly instance: StrategyInstance;
  private readonly maxGapMs: Millis;
  private last: Millis;

  constructor({ instance, maxGapMs, from }: { readonly instance: StrategyInstance; readonly maxGapMs: Millis; readonly from: Millis }) {
    this.instance = instance;
    this.maxGapMs = maxGapMs;
    this.from = from;
    this.upTo = from;
    this.last = from;
    this.host = new StrategyHost({
      instances: [instance],
      scheduler: new EngineScheduler({ start: from }),
      // Without a view nothing is decided.
      viewOf: () => undefined,
      busy: () => false,
      disabled: new Map(),
      emit: () => {},
      cronNext: nextTime,
    });
    this.host.start();
  }

  to(upTo: Millis, columns: readonly QuoteColumns[]): void {
    const { host, instance, kept } = this;
    const runner = host.runners.byId.get(instance.id);
    // What became of orders cannot be played.
    if (!runner || runner.outcomes.observed || runner.deposits.observed) return;
    for (const { at, columns: of, row } of inOrder(columns, { from: this.upTo, to: upTo })) {
      host.runTimers(at);
      if (at - this.last > this.maxGapMs) host.start();
      this.last = at;
      host.deliver(quoteAt(of, row));
      if (!runner.warmUp.isWarm(at)) continue;
      const last = kept.at(-1);
      if (last && Math.floor(last.at / KEPT_MS) === Math.floor(at / KEPT_MS)) kept.pop();
      kept.push({ at, values: host.observed(instance.id) });
    }
    this.upTo = upTo;
  }
}

/** The quotes of lanes that strategies were given, in their order. */
function* inOrder(lanes: readonly QuoteColumns[], { from, to }: { readonly from: Millis; readonly to: Millis }) {
  const open = lanes.map((columns) => ({ columns, row: firstAt(columns.at, from), end: firstAt(columns.at, to) }));
  for (;;) {
    let next: (typeof open)[number] | undefined;
    for (const lane of open) if (lane.row < lane.end && (!next || isBefore(lane, next))) next = lane;
    if (!next) return;
    const { columns, row } = next;
    next.row += 1;
    if (!Number.isNaN(columns.n[row])) yield { at: figureAt(columns.at, row), columns, row };
  }
}

interface Place {
  readonly columns: QuoteColumns;
  readonly row: number;
}

function isBefore(one: Place, other: Place): boolean {
  const [a, b] = [figureAt(one.columns.at, one.row), figureAt(other.columns.at, other.row)];
  return a < b || (a === b && figureAt(one.columns.line, one.row) < figureAt(other.columns.line, other.row));
}
