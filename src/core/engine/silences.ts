import type { DecisionDetails } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import { isoTime, type Millis, type StrategyId } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import { isBlocked, type StrategyState, type StrategyStateName } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { StrategyStates } from './strategy-states.ts';

/** States are polled with the first event after this time; the daemon makes sure that one comes. */
export const LOOK_MS = 5_000;

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

/**
 * Nothing is silent: a strategy that could not trade for 30 s, for a cause outside it or while it holds a position and warms up, is
 * told once with the mend, and once when it can trade again. Decided at engine time and journaled, so that a replay finds the same.
 */
export class Silences {
  private readonly context: Pick<EngineContext, 'books' | 'strategies' | 'log' | 'notice'>;
  private readonly states: Pick<StrategyStates, 'of'>;
  private readonly spans = new Map<StrategyId, Span>();
  /** When the end of a strategy's last period was told: the next one begins no earlier. */
  private readonly endedAt = new Map<StrategyId, Millis>();
  /** No `poll` before does anything. */
  nextLook: Millis = Number.POSITIVE_INFINITY;

  constructor(context: Pick<EngineContext, 'books' | 'strategies' | 'log' | 'notice'>, states: Pick<StrategyStates, 'of'>) {
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

  /** Call it with each event from `nextLook` on; it polls the states from time to time. */
  poll(now: Millis): void {
    if (now < this.nextLook) return;
    this.nextLook = now + LOOK_MS;
    const told: Change[] = [];
    const over: Change[] = [];
    for (const strategy of this.context.strategies) {
      const state = this.states.of(strategy.id, now);
      const span = this.spans.get(strategy.id);
      if (!isBlocked(state) && !this.isAlone(strategy, state)) {
        this.spans.delete(strategy.id);
        if (span?.told !== undefined) over.push({ strategy, state, since: span.since });
      } else if (this.lasts(strategy.id, state, now)) told.push({ strategy, state, since: this.spans.get(strategy.id)?.since ?? now });
    }
    this.tell(told, now);
    this.tellEnds(over, now);
  }

  /** Since when a strategy cannot trade, once that was told; null otherwise. */
  since(strategy: StrategyId): Millis | null {
    const span = this.spans.get(strategy);
    return span?.told === undefined ? null : span.since;
  }

  /** True while signals warm up and a position is open, which its strategy does not see. */
  private isAlone({ id }: EngineStrategy, { state }: StrategyState): boolean {
    return state === 'WARMING_UP' && !this.context.books.largestOf(id).isZero();
  }

  /** Notes that a strategy is blocked; true when that is to be told now. */
  private lasts(id: StrategyId, { state, since }: StrategyState, now: Millis): boolean {
    const endedAt = this.endedAt.get(id);
    // What was told to be over and goes on is told at once: its end is no last word.
    const goesOn = since !== null && endedAt !== undefined && since < endedAt;
    const began = goesOn ? endedAt : Math.min(since ?? now, now);
    const span = this.spans.get(id) ?? { since: began, cause: state, causeSince: began, told: undefined };
    this.spans.set(id, span);
    if (span.cause !== state) {
      span.cause = state;
      span.causeSince = now;
    }
    const lasted = now - (span.told === undefined ? span.since : span.causeSince);
    if (span.told === state || (lasted < SILENT_MS && !(goesOn && span.told === undefined))) return false;
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
      const alone = state.state === 'WARMING_UP' ? 'until then only exits and people close what it holds' : '';
      const line = `cannot trade since ${isoTime(since)}: ${[why, mend, alone].filter((part) => part !== '').join('; ')}`;
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
